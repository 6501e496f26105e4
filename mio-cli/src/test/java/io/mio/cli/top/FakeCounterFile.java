package io.mio.cli.top;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A live counter file as docs/format/live.md describes it, with one file and its reads. */
final class FakeCounterFile {
    private static final int RECORD = 4096;

    private final Path path;
    private final ByteBuffer bytes = ByteBuffer.allocate(3 * RECORD).order(ByteOrder.LITTLE_ENDIAN);

    private FakeCounterFile(Path dir, long pid, long startTime, String program) {
        path = dir.resolve(pid + ".live");
        bytes.put(0, "MIOLIVE\n".getBytes(StandardCharsets.US_ASCII));
        number(8, 1).number(16, RECORD).number(24, 3).number(32, pid).number(40, startTime);
        number(56, System.currentTimeMillis() * 1_000_000).number(64, System.nanoTime());
        number(72, 1).number(80, 1);
        text(256, program);
        text(512, "sync");
        number(RECORD, 1).number(RECORD + 8, 1);
        text(RECORD + 1496, "program");
        text(RECORD + 1560, "os");
        number(2 * RECORD, 2).number(2 * RECORD + 8, 1);
        number(2 * RECORD + 16, 1).number(2 * RECORD + 24, 1);
    }

    /** The file of this process, which is running. */
    static FakeCounterFile ofThisProcess(Path dir) throws IOException {
        return new FakeCounterFile(dir, ProcessHandle.current().pid(), startTime(), "self");
    }

    /** The file of a killed process, which had a number in use now and another start time. */
    static FakeCounterFile killed(Path dir, String program) throws IOException {
        return new FakeCounterFile(dir, 1, Long.MAX_VALUE / 2, program);
    }

    private static long startTime() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        // Field 22; the second field is a name in brackets, which may hold any character.
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
    }

    FakeCounterFile file(String name) {
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        number(RECORD + 1624, length);
        text(RECORD + 1632, name);
        return this;
    }

    /** Sets the number of reads and the bytes of all of them. */
    FakeCounterFile reads(long count, long readBytes) {
        int read = 2 * RECORD + 56 + 3 * 72;
        return number(read, count).number(read + 16, readBytes).number(read + 24, readBytes);
    }

    FakeCounterFile number(int at, long value) {
        bytes.putLong(at, value);
        return this;
    }

    private void text(int at, String text) {
        bytes.put(at, text.getBytes(StandardCharsets.UTF_8));
    }

    void write() throws IOException {
        Files.write(path, bytes.array());
    }

    void delete() throws IOException {
        Files.delete(path);
    }

    Path path() {
        return path;
    }
}
