package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mio.cli.demo.PageCache;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cold test counts only if the device delivered what was read. */
class ColdProofTest {
    private static final int BYTES = 1 << 20;

    @TempDir Path dir;

    private static Sample sample(long deviceReadBytes) {
        return new Sample(0, 1, BYTES, 256, 0, 0, deviceReadBytes, 0, 0, 0, 0, 0, new Histogram());
    }

    private void check(BenchFiles files, long deviceReadBytes) throws Exception {
        ColdProof.check(BenchTest.READ, files, sample(deviceReadBytes), deviceReadBytes);
    }

    @Test
    void shouldNotBelieveThatNothingWasReadFromTheDevice() {
        BenchFiles made = BenchFiles.in(dir, 1);
        assertThatCode(() -> check(made, BYTES)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(made, BYTES - 4096))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("not cold: the device delivered 1044480 of 1048576 bytes");
        assertThatThrownBy(() -> check(made, 0))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("nothing is counted");
    }

    @Test
    void shouldAllowForHolesOfAFileThatWasThere() throws Exception {
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        Path file = dir.resolve("holes");
        try (RandomAccessFile holes = new RandomAccessFile(file.toFile(), "rw")) {
            holes.write(new byte[BYTES / 4]);
            holes.getFD().sync();
            holes.setLength(BYTES);
        }
        BenchFiles there = BenchFiles.named(List.of(file), 1, false);
        assertThatCode(() -> check(there, BYTES / 4)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(there, BYTES / 8)).isInstanceOf(StateException.class);
        assertThatThrownBy(() -> check(there, 0)).isInstanceOf(StateException.class);
    }

    /** All but the device's counters say that the file is cold, though another program maps it. */
    @Test
    void shouldFailWhereOnlyTheDeviceKnows() throws Exception {
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        Path file = Files.write(dir.resolve("data"), new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES).load();
            assertThatThrownBy(() -> readCold(file))
                    .isInstanceOf(StateException.class)
                    .hasMessageContaining("read of " + file + ": not cold: the device delivered");
            assertThat(mapped.get(0)).isZero();
        }
    }

    private void readCold(Path file) throws IOException, InterruptedException {
        BenchOptions options = Example.options(List.of(Example.PLAIN), BenchTest.READ);
        BenchFiles files = BenchFiles.named(List.of(file), 1, false);
        Cleanup cleanup = new Cleanup();
        Progress progress = new Progress(new PrintWriter(new StringWriter()), Terminal.NONE, "");
        Session session =
                new Session(
                        new Session.Setting(
                                options,
                                files,
                                new WorkerCommand(options, files.files(), null, dir),
                                null,
                                new PageState(false, asked -> 0L),
                                cleanup,
                                Delivered.BY_DEVICE,
                                progress::close),
                        Example.PLAIN,
                        new Point(BYTES, 4096),
                        0);
        try {
            session.start(null);
            session.run(BenchTest.READ);
        } finally {
            session.end(true);
        }
    }
}
