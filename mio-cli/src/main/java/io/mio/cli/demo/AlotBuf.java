package io.mio.cli.demo;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The workload of the original's example: writes a file in records, reads it forward, reads it
 * backward, and checks every byte it reads. It is a plain program and knows nothing of MIO.
 *
 * <p>All records are the same noise, but each carries its number at its start and in every {@value
 * #STAMP_BYTES} bytes after, so that a byte of another record or of another place is found. A
 * comparison with the expected record costs little beside the transfer.
 *
 * <p>Source: the document on MIO configuration by example, {@code alot_buf}: 140000 records of
 * 102400 bytes.
 */
public final class AlotBuf {
    /** Records of the original's run. */
    public static final long ORIGINAL_RECORDS = 140_000;

    /** Bytes per record of the original's run. */
    public static final int ORIGINAL_RECORD_BYTES = 102_400;

    /** The argument that asks for pauses. */
    static final String PAUSE = "pause";

    /** The line printed at the beginning of a pause. */
    static final String PAUSED = "paused";

    private static final int STAMP_BYTES = 512;

    private final FileChannel channel;
    private final long records;
    private final int recordBytes;
    private final ByteBuffer expected;
    private final ByteBuffer actual;

    private AlotBuf(FileChannel channel, long records, int recordBytes) {
        this.channel = channel;
        this.records = records;
        this.recordBytes = recordBytes;
        this.expected = ByteBuffer.allocateDirect(recordBytes);
        this.actual = ByteBuffer.allocateDirect(recordBytes);
        long noise = 88172645463325252L;
        for (int i = 0; i < recordBytes; i++) {
            // xorshift: the same noise in every run
            noise ^= noise << 13;
            noise ^= noise >>> 7;
            noise ^= noise << 17;
            expected.put(i, (byte) noise);
        }
    }

    /**
     * Runs the three passes; prints one line for each, and one on what they cost. Exits with 1 on
     * an I/O error or a wrong byte.
     *
     * @param args file, bytes per record, number of records; {@code pause} to print {@value
     *     #PAUSED} and wait for a line on standard input between two passes
     */
    public static void main(String[] args) {
        if (args.length != 3 && !(args.length == 4 && PAUSE.equals(args[3]))) {
            System.err.println("usage: AlotBuf FILE RECORD_BYTES RECORDS [pause]");
            System.exit(2);
        }
        try {
            Usage before = Usage.now(0);
            long nanos =
                    run(
                            Path.of(args[0]),
                            Integer.parseInt(args[1]),
                            Long.parseLong(args[2]),
                            System.out,
                            args.length == 4 ? AlotBuf::awaitLine : () -> {});
            System.out.println(Usage.now(nanos).since(before).toLine());
        } catch (IOException e) {
            System.err.println("AlotBuf: " + e);
            System.exit(1);
        }
    }

    private static void awaitLine() throws IOException {
        System.out.println(PAUSED);
        System.out.flush();
        int read = System.in.read();
        while (read >= 0 && read != '\n') {
            read = System.in.read();
        }
    }

    /**
     * Runs the three passes.
     *
     * @param out gets the lines of the passes
     * @param pause called between two passes, while the file is open
     * @return nanoseconds from before the open to after the close, without the pauses
     */
    static long run(Path file, int recordBytes, long records, Appendable out, Pause pause)
            throws IOException {
        long start = System.nanoTime();
        long paused = 0;
        try (FileChannel channel = FileChannel.open(file, READ, WRITE, CREATE, TRUNCATE_EXISTING)) {
            AlotBuf program = new AlotBuf(channel, records, recordBytes);
            program.timed("write", out);
            paused += timed(pause);
            program.timed("forward", out);
            paused += timed(pause);
            program.timed("backward", out);
        }
        return System.nanoTime() - start - paused;
    }

    private static long timed(Pause pause) throws IOException {
        long start = System.nanoTime();
        pause.await();
        return System.nanoTime() - start;
    }

    /** Something to be done between two passes. */
    interface Pause {
        /** Returns when the next pass may begin. */
        void await() throws IOException;
    }

    private void timed(String pass, Appendable out) throws IOException {
        long start = System.nanoTime();
        switch (pass) {
            case "write" -> write();
            case "forward" -> readForward();
            default -> readBackward();
        }
        long nanos = System.nanoTime() - start;
        out.append(new Pass(pass, records, records * recordBytes, nanos).toLine()).append('\n');
    }

    private void write() throws IOException {
        channel.position(0);
        for (long record = 0; record < records; record++) {
            stamp(record);
            expected.clear();
            while (expected.hasRemaining()) {
                channel.write(expected);
            }
        }
    }

    private void readForward() throws IOException {
        channel.position(0);
        for (long record = 0; record < records; record++) {
            readAndCheck("forward", record);
        }
    }

    private void readBackward() throws IOException {
        channel.position(records * recordBytes);
        for (long record = records - 1; record >= 0; record--) {
            channel.position(record * recordBytes);
            readAndCheck("backward", record);
        }
    }

    private void readAndCheck(String pass, long record) throws IOException {
        actual.clear();
        while (actual.hasRemaining()) {
            if (channel.read(actual) < 0) {
                throw new EOFException(
                        "pass "
                                + pass
                                + ": file ends in record "
                                + record
                                + ", byte "
                                + actual.position());
            }
        }
        stamp(record);
        expected.clear();
        int wrong = expected.mismatch(actual.flip());
        if (wrong >= 0) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "pass %s: record %d, byte %d (offset %d) is 0x%02x, expected 0x%02x",
                            pass,
                            record,
                            wrong,
                            record * recordBytes + wrong,
                            actual.get(wrong),
                            expected.get(wrong)));
        }
    }

    private void stamp(long record) {
        for (int at = 0; at + Long.BYTES <= recordBytes; at += STAMP_BYTES) {
            expected.putLong(at, record);
        }
    }
}
