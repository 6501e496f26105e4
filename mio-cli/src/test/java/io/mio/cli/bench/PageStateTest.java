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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageStateTest {
    private static final int SIZE = 100_000;

    @TempDir Path dir;

    private Path file;

    @BeforeEach
    void makeFile() throws Exception {
        file = Files.write(dir.resolve("a.dat"), new byte[SIZE]);
    }

    /** Answers of the kernel, one after the other; the last one stays. */
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
    void shouldNotBeSureWhereTheKernelDoesNotTell() throws Exception {
        PageState state = new PageState(false, asked -> null);
        assertThat(state.isKnown(file)).isFalse();
        assertThatCode(() -> state.check(List.of(file))).doesNotThrowAnyException();
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

    /** What another program maps, nobody can drop. */
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
