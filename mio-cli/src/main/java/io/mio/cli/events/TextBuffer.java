package io.mio.cli.events;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Text on its way to a stream, byte by byte in one array, so that ten million lines of an events
 * file do not take an object each. Not safe for several threads.
 */
public final class TextBuffer {
    private static final int BYTES = 1 << 16;

    /** Most bytes of a number: 20 digits, a point and a sign, and blanks in front. */
    private static final int NUMBER_BYTES_MAX = 96;

    private final OutputStream out;
    private final byte[] bytes = new byte[BYTES];
    private int count;

    /** Makes a buffer for {@code out}, which is never closed here. */
    public TextBuffer(OutputStream out) {
        this.out = out;
    }

    /** Adds text as UTF-8. */
    public TextBuffer text(String text) throws IOException {
        int length = text.length();
        if (length > BYTES) {
            return bytes(text.getBytes(StandardCharsets.UTF_8));
        }
        room(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return bytes(text.getBytes(StandardCharsets.UTF_8));
            }
            bytes[count + i] = (byte) c;
        }
        count += length;
        return this;
    }

    /** Adds bytes as they are. */
    public TextBuffer bytes(byte[] text) throws IOException {
        if (text.length > BYTES) {
            flush();
            out.write(text, 0, text.length);
            return this;
        }
        room(text.length);
        System.arraycopy(text, 0, bytes, count, text.length);
        count += text.length;
        return this;
    }

    /** Adds one ASCII character. */
    public TextBuffer character(char c) throws IOException {
        room(1);
        bytes[count++] = (byte) c;
        return this;
    }

    /** Adds ASCII text, with blanks behind it up to a width. */
    TextBuffer left(String text, int width) throws IOException {
        text(text);
        return blanks(width - text.length());
    }

    /** Adds ASCII text, with blanks in front of it up to a width. */
    TextBuffer right(String text, int width) throws IOException {
        blanks(width - text.length());
        return text(text);
    }

    TextBuffer blanks(int number) throws IOException {
        for (int i = 0; i < number; i++) {
            character(' ');
        }
        return this;
    }

    /** Adds a whole number. */
    public TextBuffer number(long number) throws IOException {
        return fixed(number, 0, 0);
    }

    /**
     * Adds a number with so many of its digits behind the point, and blanks in front up to a width.
     *
     * @param decimals 0 for a whole number
     * @param width at most 64
     */
    TextBuffer fixed(long number, int decimals, int width) throws IOException {
        room(NUMBER_BYTES_MAX);
        // The number is made negative, as not every negative one has a positive counterpart. Its
        // digits come from the last to the first.
        int end = count + Math.max(width, 0);
        int least = count;
        int at = NUMBER_BYTES_MAX;
        long rest = number > 0 ? -number : number;
        for (int digit = 0; digit <= decimals || rest != 0; digit++) {
            if (digit == decimals && decimals > 0) {
                digits[--at] = '.';
            }
            digits[--at] = (byte) ('0' - rest % 10);
            rest /= 10;
        }
        if (number < 0) {
            digits[--at] = '-';
        }
        int length = NUMBER_BYTES_MAX - at;
        while (least + length < end) {
            bytes[least++] = ' ';
        }
        System.arraycopy(digits, at, bytes, least, length);
        count = least + length;
        return this;
    }

    private final byte[] digits = new byte[NUMBER_BYTES_MAX];

    private void room(int needed) throws IOException {
        if (BYTES - count < needed) {
            flush();
        }
    }

    /** Hands everything to the stream, which is not flushed. */
    public void flush() throws IOException {
        if (count > 0) {
            int length = count;
            count = 0;
            out.write(bytes, 0, length);
        }
    }
}
