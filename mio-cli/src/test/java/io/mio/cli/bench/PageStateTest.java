package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mio.cli.demo.PageCache;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PageStateTest {
    private static final int SIZE = 100_000;

    @TempDir Path dir;

    private Path file;

    @BeforeEach
    void makeFile() throws Exception {
        file = Files.write(dir.resolve("a.dat"), new byte[SIZE]);
    }

    /** The kernel's answers, one after the other; the last one is given again and again. */
    private static PageState.Residency answers(Long... answers) {
        Deque<Long> left = new ArrayDeque<>(List.of(answers));
        return asked -> left.size() > 1 ? left.pop() : left.peek();
    }

    @Test
    void shouldFailWhereAFileDoesNotGetCold() {
        PageState state = new PageState(false, answers(4096L));
        assertThatThrownBy(() -> state.reach(List.of(file), null))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("a.dat: not cold: 4k are in memory and stay there");
    }

    @Test
    void shouldTryAgainWhereAPageWasOnItsWay() {
        PageState state = new PageState(false, answers(8192L, 4096L, 0L));
        assertThatCode(() -> state.reach(List.of(file), null)).doesNotThrowAnyException();
    }

    @Test
    void shouldFailWhereAColdFileIsReadBeforeTheTestBegins() throws Exception {
        PageState state = new PageState(false, answers(0L, 4096L));
        state.reach(List.of(file), null);
        assertThatThrownBy(() -> state.check(List.of(file)))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("not cold");
    }

    @Test
    void shouldFailWhereAFileDoesNotGetWarm() {
        PageState state = new PageState(true, answers(98_304L));
        assertThatThrownBy(() -> state.reach(List.of(file), null))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("not warm: 96k of 100000b are in memory");
    }

    @Test
    void shouldTakeNothingForWarmWhereTheKernelDoesNotTell() throws Exception {
        PageState cold = new PageState(false, asked -> null);
        // The device's counters decide about a cold file.
        assertThatCode(() -> cold.check(List.of(file))).doesNotThrowAnyException();
        PageState warm = new PageState(true, asked -> null);
        assertThatThrownBy(() -> warm.check(List.of(file)))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("the kernel does not tell");
    }

    @Test
    void shouldMakeAFileColdAgainThatAnotherProgramHasReadMeanwhile() throws Exception {
        assumeThat(PageState.residentBytes(file)).as("pages of a file are told").isNotNull();
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        PageState state = new PageState(false, PageState::residentBytes);
        state.reach(List.of(file), null);
        assertThat(Files.readAllBytes(file)).hasSize(SIZE);
        assertThatThrownBy(() -> state.check(List.of(file))).isInstanceOf(StateException.class);
        state.keep(List.of(file), null);
        state.check(List.of(file));
        assertThat(PageState.residentBytes(file)).isZero();
    }

    @Test
    void shouldLookAtTheWholeFileThatIsWarm() throws Exception {
        assumeThat(PageState.residentBytes(file)).as("pages of a file are told").isNotNull();
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        new PageState(false, PageState::residentBytes).reach(List.of(file), null);
        PageState warm = new PageState(true, PageState::residentBytes);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertThat(channel.read(java.nio.ByteBuffer.allocate(1), 0)).isEqualTo(1);
        }
        assumeThat(PageState.residentBytes(file)).as("read-ahead").isLessThan(SIZE);
        assertThatThrownBy(() -> warm.check(List.of(file)))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("not warm");
    }

    @Test
    void shouldMakeAFileWarmAndColdAgain() throws Exception {
        assumeThat(PageState.residentBytes(file)).as("pages of a file are told").isNotNull();
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        new PageState(false, PageState::residentBytes).reach(List.of(file), null);
        assertThat(PageState.residentBytes(file)).isZero();
        new PageState(true, PageState::residentBytes).reach(List.of(file), null);
        assertThat(PageState.residentBytes(file)).isGreaterThanOrEqualTo(SIZE);
        assertThat(file).hasBinaryContent(new byte[SIZE]);
    }

    /** A file may be larger than memory while its beginning is not. */
    @Test
    void shouldMakeTheBeginningWarmAlone() throws Exception {
        assumeThat(PageState.residentBytes(file)).as("pages of a file are told").isNotNull();
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        Files.write(file, new byte[64 << 20]);
        PageState cold = new PageState(false, PageState::residentBytes);
        cold.reach(List.of(file), null);
        PageState warm = new PageState(true, PageState::residentBytes);
        assertThatThrownBy(() -> warm.check(List.of(file), SIZE))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("not warm: of the first 100000b");
        warm.reach(List.of(file), SIZE, null);
        warm.check(List.of(file), SIZE);
        assertThat(PageState.residentBytes(file)).isBetween((long) SIZE, 63L << 20);
    }

    /** A program that is waited for ends when everything else does. */
    @Test
    @Timeout(60)
    void shouldNotWaitForAProgramOnceItIsStopped() throws Exception {
        Path pipe = dir.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Cleanup cleanup = new Cleanup();
        PageState state = new PageState(true, asked -> 0L, cleanup);
        FutureTask<Integer> waiting =
                new FutureTask<>(() -> state.run(List.of("cat", pipe.toString())));
        new Thread(waiting).start();
        while (ProcessHandle.current().children().noneMatch(child -> isReading(child, pipe))) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(cleanup.all()).isEmpty();
        assertThatThrownBy(waiting::get).hasMessageContaining("stopped");
        assertThat(ProcessHandle.current().children()).noneMatch(child -> isReading(child, pipe));
    }

    private static boolean isReading(ProcessHandle child, Path file) {
        return child.info().commandLine().orElse("").contains(file.toString());
    }

    /** Nobody can drop pages that another program maps. */
    @Test
    void shouldFailWhereAnotherProgramKeepsAFileInMemory() throws Exception {
        assumeThat(PageState.residentBytes(file)).as("pages of a file are told").isNotNull();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, SIZE).load();
            PageState state = new PageState(false, PageState::residentBytes);
            assertThatThrownBy(() -> state.reach(List.of(file), null))
                    .isInstanceOf(StateException.class)
                    .hasMessageContaining("not cold");
            assertThat(mapped.get(SIZE - 1)).isZero();
        }
    }
}
