package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenLinesTest {
    /** Half a step is 1024, in time and in offset. */
    private static final int SHIFT = 10;

    private static MarkRow row(long start, long end, long offset, long offsetEnd) {
        MarkRow row = new MarkRow();
        row.startNanos = start;
        row.endNanos = end;
        row.offset = offset;
        row.offsetEnd = offsetEnd;
        row.events = 1;
        row.bytes = offsetEnd - offset;
        return row;
    }

    /** The line passes the corner at half the distance by which the second transfer is longer. */
    private static boolean joins(long longer) {
        MarkTable table = new MarkTable(10);
        OpenLines lines = new OpenLines();
        lines.open(table.add(row(0, 100_000, 0, 100_000)));
        return lines.join(table, row(100_000, 200_000, 100_000, 200_000 + longer), SHIFT, SHIFT);
    }

    /** Each step is used twice, as was half of it before: 1/4 + 1/4 + 1/8 + 1/8 ... is 1. */
    @Test
    void shouldPassCornersWithinAQuarterOfAStepInTimeAndInOffset() {
        assertThat(joins(0)).isTrue();
        assertThat(joins(2000)).isTrue();
        assertThat(joins(2100)).isFalse();
        assertThat(joins(-2000)).isTrue();
        assertThat(joins(-2100)).isFalse();
    }

    /** Bytes and nanoseconds of transfers; each begins where and when the last one ended. */
    private static final long[][] GROWING = {
        {236, 248}, {302, 582}, {49, 3374}, {3428, 7}, {119, 161}, {1244, 209}, {31, 2183},
        {31, 2183}, {31, 2183}, {124, 54}, {124, 54}, {124, 54}, {359, 1688}, {1997, 5}
    };

    /**
     * Lines that were joined at one step are joined again at the next. If each join could use half
     * a step, a corner of these would lie more than a whole step from its line.
     */
    @Test
    void shouldLeaveNoCornerBehindWhereLinesOfLinesAreJoined() {
        MarkRun run = new MarkRun();
        long offset = 0;
        for (long[] transfer : GROWING) {
            run.read(offset, transfer[0], transfer[1], 0);
            offset += transfer[0];
        }
        Level level = run.store(7).level();
        assertThat(level.isExact()).isFalse();
        assertThat(MarkRun.lines(MarkRun.list(level))).isNotEmpty();
        run.assertExplained(level, "14 transfers, room 7");
    }
}
