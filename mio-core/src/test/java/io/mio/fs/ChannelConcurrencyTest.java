package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several threads on one file: calls that use the position exclude each other. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class ChannelConcurrencyTest {
    private static final int RECORDS = 6000;
    private static final int THREADS = 4;

    @Parameter TestStack stack;
    @TempDir Path directory;

    private static <T> List<T> inThreads(Callable<T> work) throws Exception {
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<T> task = new FutureTask<>(work);
            new Thread(task).start();
            tasks.add(task);
        }
        List<T> results = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            results.add(task.get());
        }
        return results;
    }

    private Path numbered() throws IOException {
        ByteBuffer records = ByteBuffer.allocate(RECORDS * 4);
        for (int i = 0; i < RECORDS; i++) {
            records.putInt(i);
        }
        return Files.write(directory.resolve("numbered"), records.array());
    }

    @Test
    void shouldGiveEachRecordToOneReader() throws Exception {
        try (FileChannel channel = stack.opener().newFileChannel(numbered(), Set.of(READ, WRITE))) {
            BitSet all = new BitSet();
            int total = 0;
            for (BitSet one : inThreads(() -> readRecords(channel))) {
                all.or(one);
                total += one.cardinality();
            }
            assertThat(total).isEqualTo(RECORDS);
            assertThat(all.cardinality()).isEqualTo(RECORDS);
        }
    }

    /** Reads in turn with one buffer and with two; a read at an offset must not disturb them. */
    private static BitSet readRecords(FileChannel channel) throws IOException {
        BitSet seen = new BitSet();
        ByteBuffer record = ByteBuffer.allocate(4);
        ByteBuffer[] halves = {ByteBuffer.allocate(2), ByteBuffer.allocate(2)};
        while (channel.read(record.clear()) > 0) {
            seen.set(record.getInt(0));
            channel.read(record.clear(), 40);
            assertThat(record.getInt(0)).isEqualTo(10);
            halves[0].clear();
            halves[1].clear();
            if (channel.read(halves) > 0) {
                seen.set((halves[0].getShort(0) & 0xffff) << 16 | (halves[1].getShort(0) & 0xffff));
            }
        }
        return seen;
    }

    @Test
    void shouldKeepEveryRecordThatSeveralChannelsAppend() throws Exception {
        Path file = Files.createFile(directory.resolve("appended"));
        inThreads(
                () -> {
                    try (FileChannel channel =
                            stack.opener().newFileChannel(file, Set.of(WRITE, APPEND))) {
                        for (int i = 0; i < 500; i++) {
                            channel.write(ByteBuffer.allocate(8).putLong(0, i));
                        }
                    }
                    return "done";
                });
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
        assertThat(all.remaining()).isEqualTo(THREADS * 500 * 8);
        int[] seen = new int[500];
        while (all.hasRemaining()) {
            seen[(int) all.getLong()]++;
        }
        assertThat(seen).containsOnly(THREADS);
    }
}
