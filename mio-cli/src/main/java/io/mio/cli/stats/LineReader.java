package io.mio.cli.stats;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the lines of any input in bounded memory; of a line longer than {@link #LINE_MAX}, the rest
 * is skipped. Bytes that are not UTF-8 become a backslash and three octal digits, as control
 * characters in reports are, so that two different names stay different.
 */
final class LineReader {
    /**
     * Most bytes of a line. The longest line of a report has some 40 KB, with a name of 4096
     * escaped characters.
     */
    static final int LINE_MAX = 1 << 20;

    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private byte[] line = new byte[1024];
    private int length;
    private boolean tooLong;
    private boolean ended;

    LineReader(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the next line without its end, null after the last one.
     *
     * @throws IOException if the input cannot be read further
     */
    String next() throws IOException {
        length = 0;
        tooLong = false;
        ended = false;
        while (true) {
            if (at == end) {
                end = Math.max(0, in.read(buffer));
                at = 0;
                if (end == 0) {
                    return length == 0 && !tooLong ? null : text();
                }
            }
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            append(from, at - from);
            if (at < end) {
                at++;
                ended = true;
                return text();
            }
        }
    }

    /** Returns true if the last line was longer than {@link #LINE_MAX}. */
    boolean isTooLong() {
        return tooLong;
    }

    /** Returns false if the input stopped in the middle of the last line. */
    boolean isEnded() {
        return ended;
    }

    private void append(int from, int count) {
        int room = Math.min(count, LINE_MAX - length);
        tooLong |= room < count;
        if (length + room > line.length) {
            line =
                    Arrays.copyOf(
                            line, Math.max(length + room, Math.min(LINE_MAX, 2 * line.length)));
        }
        System.arraycopy(buffer, from, line, length, room);
        length += room;
    }

    private String text() {
        int count = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        for (int i = 0; i < count; i++) {
            if (line[i] < 0) {
                return decoded(count);
            }
        }
        return new String(line, 0, count, StandardCharsets.ISO_8859_1);
    }

    private String decoded(int count) {
        decoder.reset();
        ByteBuffer bytes = ByteBuffer.wrap(line, 0, count);
        CharBuffer chars = CharBuffer.allocate(4 * count);
        while (true) {
            CoderResult result = decoder.decode(bytes, chars, true);
            if (result.isUnderflow()) {
                return chars.flip().toString();
            }
            for (int i = 0; i < result.length(); i++) {
                int b = bytes.get() & 0xff;
                chars.put('\\').put(digit(b >> 6)).put(digit(b >> 3)).put(digit(b));
            }
        }
    }

    private static char digit(int value) {
        return (char) ('0' + (value & 7));
    }
}
