package io.mio.cli.stats;

import io.mio.cli.ClassicReader;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Progress;
import io.mio.events.EventFormat;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads inputs of either form. Each line tells its form: a line of JSON begins with a brace, and no
 * line of the classic text does. Among lines of JSON, any other line is a mistake, as it may be a
 * damaged one, up to where the classic text begins. Input packed by gzip is unpacked. A mistake in
 * one input does not keep the next one from being read.
 */
final class InputReader {
    static final String STDIN = "-";

    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int BUFFER = 1 << 16;

    /**
     * Lines at the beginning of a file in a directory that are looked at to find out what it is.
     */
    private static final int SNIFF_LINES = 50;

    /** How JSON lines begin that commands of mio print, such as an export of events. */
    private static final String OWN_JSON = "{\"type\":\"mio_";

    /** Text that every line of a JSON report has. */
    private static final String TYPE = "\"type\"";

    private static final int LINES_BETWEEN_PROGRESS = 1 << 12;

    private final RunStats stats;
    private final InputStream stdin;
    private final Progress progress;
    private final List<InputReport> reports = new ArrayList<>();

    InputReader(RunStats stats, InputStream stdin, Progress progress) {
        this.stats = stats;
        this.stdin = stdin;
        this.progress = progress;
    }

    /** Returns what was found so far, one report for each input. */
    List<InputReport> reports() {
        return reports;
    }

    /** Reads a file, all reports in a directory, or standard input. */
    void read(String name) {
        if (name.equals(STDIN)) {
            read("standard input", new Counting(stdin));
            return;
        }
        // An empty name would mean the working directory, which may have reports of other programs.
        if (name.isEmpty()) {
            failed("''", "no name of a file");
            return;
        }
        try {
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                directory(path);
            } else {
                file(name, path);
            }
        } catch (java.nio.file.InvalidPathException e) {
            failed(name, "no name of a file");
        } catch (IOException e) {
            failed(name, OutputFile.reason(e));
        }
    }

    private void file(String name, Path path) throws IOException {
        try (Counting in = new Counting(Files.newInputStream(path))) {
            read(name, in);
        }
    }

    /**
     * Reads the reports in a directory, but not those in directories below; other files are
     * skipped.
     */
    private void directory(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path file : all) {
                if (Files.isRegularFile(file)) {
                    files.add(file);
                }
            }
        } catch (java.nio.file.DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(files);
        for (Path file : files) {
            try {
                if (isReport(file)) {
                    file(file.toString(), file);
                }
            } catch (IOException e) {
                failed(file.toString(), OutputFile.reason(e));
            }
        }
    }

    /** Returns whether a file looks like a report; false also if it cannot be read. */
    static boolean looksLikeReport(String name) {
        try {
            Path file = Path.of(name);
            return Files.isRegularFile(file) && isReport(file);
        } catch (java.nio.file.InvalidPathException | IOException e) {
            return false;
        }
    }

    private static boolean isReport(Path file) throws IOException {
        try (InputStream in = unpacked(new BufferedInputStream(Files.newInputStream(file)))) {
            LineReader lines = new LineReader(in);
            for (int i = 0; i < SNIFF_LINES; i++) {
                String line = lines.next();
                if (line == null || lines.isTooLong()) {
                    return false;
                }
                if (line.startsWith(OWN_JSON)) {
                    return false;
                }
                if (isJson(line) ? line.contains(TYPE) : isClassic(line)) {
                    return true;
                }
            }
            return false;
        } catch (ZipException | EOFException e) {
            return false;
        }
    }

    private static boolean isClassic(String line) {
        return line.startsWith("MIO statistics file :")
                || line.startsWith("Trace ") && line.contains(" <-> ")
                || (line.startsWith("pf ") || line.startsWith("auto ")) && line.contains(" for ");
    }

    private static boolean isJson(String line) {
        return line.startsWith("{");
    }

    private static InputStream unpacked(BufferedInputStream in) throws IOException {
        in.mark(2);
        int first = in.read();
        int second = in.read();
        in.reset();
        return (first << 8 | second) == GZIP_MAGIC ? new GZIPInputStream(in, BUFFER) : in;
    }

    /** Tells an events file by its first bytes, and leaves the stream at its beginning. */
    private static boolean isEvents(BufferedInputStream in) throws IOException {
        in.mark(Long.BYTES);
        ByteBuffer begin = ByteBuffer.wrap(in.readNBytes(Long.BYTES));
        in.reset();
        return begin.limit() == Long.BYTES
                && begin.order(ByteOrder.LITTLE_ENDIAN).getLong(0) == EventFormat.MAGIC;
    }

    private void read(String name, Counting counting) {
        Source source = new Source(name);
        String failure = null;
        try {
            BufferedInputStream in = new BufferedInputStream(counting, BUFFER);
            if (isEvents(in)) {
                failure = "events and no report: see mio events";
            } else {
                source.lines(in, counting);
            }
        } catch (EOFException e) {
            failure = "the packed data are cut off";
        } catch (IOException e) {
            failure = OutputFile.reason(e);
        } finally {
            stats.endOfInput();
        }
        reports.add(source.report(failure));
    }

    private void failed(String name, String why) {
        reports.add(new InputReport(name, 0, 0, 0, null, why));
    }

    /** The form of the lines found so far. */
    private enum Form {
        UNKNOWN,
        CLASSIC,
        JSON
    }

    /** An input while it is read. */
    private final class Source implements BlockSink {
        private final String name;
        private final long headersBefore = stats.headers();
        private final long blocksBefore = stats.blocks();
        private final ClassicReader classic = new ClassicReader(new ClassicBlocks(this));
        private final JsonBlocks json = new JsonBlocks(this);
        private long line;
        private boolean ended = true;
        private long mistakes;
        private String firstMistake;
        private Form form = Form.UNKNOWN;

        /** Lines of neither form, before the first line that is of one of them. */
        private long strays;

        private String firstStray;

        Source(String name) {
            this.name = name;
        }

        /**
         * Reads all lines.
         *
         * @param counting the stream that {@code in} reads from
         */
        void lines(BufferedInputStream in, Counting counting) throws IOException {
            LineReader lines = new LineReader(unpacked(in));
            try {
                String text;
                while ((text = lines.next()) != null) {
                    line++;
                    ended = lines.isEnded();
                    take(text, lines.isTooLong());
                    if (line % LINES_BETWEEN_PROGRESS == 0 && progress.isDue()) {
                        progress.show(name + ": " + Amounts.bytes(counting.bytes()));
                    }
                }
            } finally {
                classic.end();
            }
        }

        private void take(String text, boolean tooLong) {
            if (tooLong) {
                mistake("longer than " + Amounts.bytes(LineReader.LINE_MAX));
            } else if (isJson(text)) {
                if (json.line(text)) {
                    form = Form.JSON;
                    takeStrays();
                }
            } else if (!(ended || text.isBlank() || text.startsWith("=="))) {
                // The line may be cut off in a number, and half a number would pass for a whole
                // one.
                mistake(text);
            } else if (isStray(text)) {
                mistake(stray(text));
            } else {
                classic.line(text);
            }
        }

        /**
         * Returns whether the line is a stray one: neither JSON nor classic text, among lines of
         * JSON. Before the form is known, such a line is only counted.
         */
        private boolean isStray(String text) {
            if (form == Form.CLASSIC || text.isBlank()) {
                return false;
            }
            if (ClassicReader.mayBegin(text)) {
                form = Form.CLASSIC;
                strays = 0;
            } else if (form == Form.UNKNOWN) {
                strays++;
                if (strays == 1) {
                    firstStray = "line " + line + ": " + stray(text);
                }
            }
            return form == Form.JSON;
        }

        private static String stray(String text) {
            return "no JSON: " + Names.excerpt(text);
        }

        /**
         * Counts the lines before the first one of JSON as mistakes: now it is known what they were
         * among.
         */
        private void takeStrays() {
            if (strays > 0 && firstMistake == null) {
                firstMistake = firstStray;
            }
            mistakes += strays;
            strays = 0;
        }

        InputReport report(String failure) {
            return new InputReport(
                    name,
                    stats.headers() - headersBefore,
                    stats.blocks() - blocksBefore,
                    mistakes,
                    firstMistake,
                    failure);
        }

        @Override
        public void start(Start start) {
            stats.start(start);
        }

        @Override
        public void trace(Trace block) {
            stats.trace(block);
        }

        @Override
        public void pf(Pf block) {
            stats.pf(block);
        }

        @Override
        public void auto(Auto block) {
            stats.auto(block);
        }

        @Override
        public void recov(long pid, String file, boolean failed) {
            stats.recov(pid, file, failed);
        }

        @Override
        public void mistake(String what) {
            mistakes++;
            if (firstMistake == null) {
                firstMistake =
                        "line " + line + ": " + (ended ? what : "cut off in the middle: " + what);
            }
        }
    }

    /**
     * Counts the bytes that are read. Of packed data these are the packed bytes, the size that the
     * user knows.
     */
    private static final class Counting extends FilterInputStream {
        private long bytes;

        Counting(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            bytes += b < 0 ? 0 : 1;
            return b;
        }

        @Override
        public int read(byte[] target, int from, int count) throws IOException {
            int got = super.read(target, from, count);
            bytes += Math.max(0, got);
            return got;
        }

        long bytes() {
            return bytes;
        }
    }
}
