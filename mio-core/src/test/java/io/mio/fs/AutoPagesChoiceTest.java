package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.os.KernelCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which opens under {@code pf/auto} take pages on their way, and which keep them. */
class AutoPagesChoiceTest extends AutoPagesFixture {
    @Test
    void shouldTakePagesForSmallReadsAndGiveThemBack() throws IOException {
        try (FileChannel channel = open(READ)) {
            for (int i = 0; i < 60; i++) {
                check(channel, i * 100L, 100);
            }
            assertThat(hasPages()).isFalse();
            ByteBuffer record = ByteBuffer.allocate(100);
            for (long at = 0; at < SIZE; at += 100) {
                record.clear();
                int bytes = channel.read(record);
                assertThat(record.flip()).isEqualTo(ByteBuffer.wrap(content, (int) at, bytes));
            }
            assertThat(channel.read(record.clear())).isEqualTo(-1);
            assertThat(hasPages()).isTrue();
            assertThat(decisions()).containsExactly("pages: " + SMALL.replace("63", "62"));
            assertThat(channel.position()).isEqualTo(SIZE);
        }
        assertThat(hasPages()).isFalse();
    }

    @Test
    void shouldLeaveLargeAndScatteredReadsToTheKernel() throws IOException {
        Random random = new Random(3);
        try (FileChannel channel = open(READ)) {
            for (int i = 0; i < 1000; i++) {
                check(channel, random.nextInt(SIZE), 100);
            }
            assertThat(hasPages()).isFalse();
        }
        try (FileChannel channel = open(READ)) {
            for (int i = 0; i < 100; i++) {
                check(channel, i * 8192L, 8192);
            }
            small(channel);
            assertThat(hasPages()).isFalse();
        }
    }

    @Test
    void shouldTakeNoneForAnOpenThatAppends() throws IOException {
        try (FileChannel channel = open(APPEND)) {
            for (int i = 0; i < READS; i++) {
                channel.write(ByteBuffer.wrap(new byte[10]));
            }
            assertThat(hasPages()).isFalse();
        }
    }

    @Test
    void shouldKeepPagesThatServeTwentyRequestsEach() throws IOException {
        lengthen(40);
        try (FileChannel channel = open(READ)) {
            for (int i = 0; i < 9000; i++) {
                check(channel, i * 3072L, 1024);
            }
            assertThat(hasPages()).isTrue();
            assertThat(decisions()).noneMatch(each -> each.startsWith("no-pages"));
        }
    }

    /** How long the kernel takes for a call depends on the machine. */
    @Test
    void shouldHaveNoneWhereTheKernelTakesNoLonger() throws IOException {
        lengthen(4);
        try (FileChannel channel = open(READ)) {
            for (int i = 0; i < 900; i++) {
                check(channel, i * 4096L, 4096);
            }
            // The process keeps the time since it was first measured.
            long nanos = KernelCall.nanos(path);
            boolean isQuick = nanos < 198;
            assertThat(nanos).isPositive();
            assertThat(hasPages()).isNotEqualTo(isQuick);
            assertThat(decisions())
                    .filteredOn(each -> each.startsWith("no-pages: "))
                    .hasSize(isQuick ? 1 : 0)
                    .allMatch(each -> each.contains("the kernel takes only " + nanos + " ns"));
        }
    }

    @Test
    void shouldGiveUpPagesThatServeFewRequests() throws IOException {
        lengthen(8);
        Random random = new Random(6);
        try (FileChannel channel = paged(READ)) {
            for (int i = 0; i < 5000; i++) {
                check(channel, random.nextInt(content.length), 100);
            }
            assertThat(decisions()).hasSize(2).first().isEqualTo("pages: " + SMALL);
            assertThat(decisions().get(1))
                    .matches(
                            "no-pages: no longer near each other: \\d+ requests took \\d+ page"
                                    + " reads");
        }
    }
}
