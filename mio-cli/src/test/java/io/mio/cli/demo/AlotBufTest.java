package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlotBufTest {
    private static final int RECORD_BYTES = 1000;

    private static final AlotBuf.Pause NO_PAUSE = () -> {};

    @TempDir Path dir;

    /** Runs the program, and changes the file when the named pass has ended. */
    private void runAndSpoil(String afterPass, IoAction spoil) throws IOException {
        Path file = dir.resolve("a.dat");
        AlotBuf.run(
                file, RECORD_BYTES, 10, new Spoiler(afterPass, () -> spoil.run(file)), NO_PAUSE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "7, 3", "512, 4", "1000, 10", "102400, 5"})
    void shouldWriteItsRecordsAndReadThemBothWays(int recordBytes, long records)
            throws IOException {
        Path file = dir.resolve("a.dat");
        StringBuilder out = new StringBuilder();
        AlotBuf.run(file, recordBytes, records, out, NO_PAUSE);
        assertThat(file).hasSize(recordBytes * records);
        assertThat(out.toString().lines().map(Pass::ofLine).map(Pass::name))
                .containsExactly("write", "forward", "backward");
        assertThat(out.toString().lines().map(Pass::ofLine).map(Pass::bytes))
                .containsOnly(recordBytes * records);
    }

    @Test
    void shouldPauseBetweenThePassesWithTheFileOpen() throws IOException {
        Path file = dir.resolve("a.dat");
        StringBuilder out = new StringBuilder();
        List<Long> passesDone = new ArrayList<>();
        long nanos =
                AlotBuf.run(
                        file,
                        RECORD_BYTES,
                        10,
                        out,
                        () -> {
                            passesDone.add(out.toString().lines().count());
                            assertThat(file).hasSize(10 * RECORD_BYTES);
                        });
        assertThat(passesDone).containsExactly(1L, 2L);
        assertThat(nanos)
                .isGreaterThanOrEqualTo(
                        out.toString()
                                .lines()
                                .map(Pass::ofLine)
                                .mapToLong(pass -> pass.nanos())
                                .sum());
    }

    @Test
    void shouldReplaceWhatTheFileHeld() throws IOException {
        Path file = Files.write(dir.resolve("a.dat"), new byte[5000]);
        AlotBuf.run(file, 100, 2, new StringBuilder(), NO_PAUSE);
        assertThat(file).hasSize(200);
    }

    @Test
    void shouldNameAWrongByteOfTheForwardPass() {
        assertThatThrownBy(() -> runAndSpoil("write", file -> flip(file, 3777)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pass forward: record 3, byte 777 (offset 3777)");
    }

    @Test
    void shouldNameAWrongByteOfTheBackwardPass() {
        assertThatThrownBy(() -> runAndSpoil("forward", file -> flip(file, 9999)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pass backward: record 9, byte 999");
    }

    @Test
    void shouldFindARecordInAnotherOnesPlace() {
        assertThatThrownBy(() -> runAndSpoil("write", file -> copy(file, 2000, 4000)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("record 4, byte 7");
    }

    @Test
    void shouldFailOnAFileThatEndsEarly() {
        assertThatThrownBy(() -> runAndSpoil("write", file -> cut(file, 4500)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("record 4, byte 500");
    }

    private static void flip(Path file, long offset) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, offset);
            one.put(0, (byte) ~one.get(0));
            channel.write(one.flip(), offset);
        }
    }

    private static void copy(Path file, long from, long to) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
            channel.read(record, from);
            channel.write(record.flip(), to);
        }
    }

    private static void cut(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    private interface IoAction {
        void run(Path file) throws IOException;
    }

    private interface Spoil {
        void run() throws IOException;
    }

    /** Takes the lines of the passes, and acts between two of the passes. */
    private record Spoiler(String afterPass, Spoil spoil) implements Appendable {
        @Override
        public Appendable append(CharSequence text) throws IOException {
            if (text.toString().startsWith(afterPass)) {
                spoil.run();
            }
            return this;
        }

        @Override
        public Appendable append(CharSequence text, int start, int end) throws IOException {
            return append(text.subSequence(start, end));
        }

        @Override
        public Appendable append(char c) {
            return this;
        }
    }
}
