package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenLinesTest {
    /** Half a step, in time and in offset, is 1024. */
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

    /** The line passes the corner half as far away as the second transfer is longer. */
    private static boolean joins(long longer) {
        MarkTable table = new MarkTable(10);
        OpenLines lines = new OpenLines();
        lines.open(table.add(row(0, 100_000, 0, 100_000)));
        return lines.join(table, row(100_000, 200_000, 100_000, 200_000 + longer), SHIFT, SHIFT);
    }

    /** Each step is used twice, and so is half of it before: 1/4 + 1/4 + 1/8 + 1/8 ... is 1. */
    @Test
    void shouldPassCornersWithinAQuarterOfAStepInTimeAndInOffset() {
        assertThat(joins(0)).isTrue();
        assertThat(joins(2000)).isTrue();
        assertThat(joins(2100)).isFalse();
        assertThat(joins(-2000)).isTrue();
        assertThat(joins(-2100)).isFalse();
    }
}
