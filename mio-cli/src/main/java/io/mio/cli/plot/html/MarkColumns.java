package io.mio.cli.plot.html;

import io.mio.cli.plot.Mark;
import io.mio.cli.plot.Marks;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Shape;

/**
 * The columns of the marks of a level. Times are from the run's first moment on. Columns: series
 * and shape, difference of starts, duration, offset less the end of the mark before of the same
 * series, bytes from offset to its end, events less one, bytes less those of the range, time spent
 * less the duration, longest less time spent, difference of threads, code, and of single events
 * what was requested less what was delivered, errno, difference of numbers; difference of
 * processes.
 */
final class MarkColumns {
    /** Number of shapes that fit beside the series. */
    static final int SHAPES = 4;

    private final Marks marks;
    private final long begin;
    private final long[] lastEnd;
    private final long[] lastNumber;

    private MarkColumns(RunPlot run, int level) {
        this.marks = run.levels().get(level).marks();
        this.begin = run.beginNanos();
        this.lastEnd = new long[run.series().size()];
        this.lastNumber = new long[run.series().size()];
    }

    static Columns of(RunPlot run, int level) {
        return new MarkColumns(run, level).columns();
    }

    private Columns columns() {
        return new Columns(
                marks.size(),
                row -> (long) marks.get(row).series() * SHAPES + marks.get(row).shape().ordinal(),
                Columns.differences(row -> start(marks.get(row))),
                row -> duration(marks.get(row)),
                row -> fromLast(marks.get(row)),
                row -> length(marks.get(row)),
                row -> Columns.clamped(marks.get(row).events()) - 1,
                row -> bytes(marks.get(row)) - Math.abs(length(marks.get(row))),
                row -> busy(marks.get(row)) - duration(marks.get(row)),
                row -> longest(marks.get(row)) - busy(marks.get(row)),
                Columns.differences(row -> Math.min(marks.get(row).thread(), Columns.MOST)),
                row -> marks.get(row).code(),
                row -> single(marks.get(row)) ? requested(marks.get(row)) : 0,
                row -> single(marks.get(row)) ? marks.get(row).errno() : 0,
                row -> single(marks.get(row)) ? number(marks.get(row)) : 0,
                Columns.differences(row -> Math.min(marks.get(row).process(), Columns.MOST)));
    }

    private static boolean single(Mark mark) {
        return mark.shape() == Shape.EVENT;
    }

    private long start(Mark mark) {
        return Columns.clamped(mark.startNanos() - begin);
    }

    private long duration(Mark mark) {
        return Math.max(0, Columns.clamped(mark.endNanos() - begin) - start(mark));
    }

    private static long offset(Mark mark) {
        return mark.offset() < 0 ? -1 : Columns.clamped(mark.offset());
    }

    private static long length(Mark mark) {
        return mark.offset() < 0 ? 0 : Columns.clamped(mark.offsetEnd()) - offset(mark);
    }

    /** Returns the offset less the last end; requests that follow one another have 0 here. */
    private long fromLast(Mark mark) {
        long offset = offset(mark);
        long difference = offset - lastEnd[mark.series()];
        lastEnd[mark.series()] = offset + length(mark);
        return difference;
    }

    private static long bytes(Mark mark) {
        return Columns.clamped(mark.bytes());
    }

    private static long busy(Mark mark) {
        return Columns.clamped(mark.busyNanos());
    }

    private static long longest(Mark mark) {
        return Columns.clamped(mark.longestNanos());
    }

    /**
     * Returns what was requested less what was delivered; not known, -1, stays apart from all known
     * values.
     */
    private static long requested(Mark mark) {
        return Math.min(Math.max(mark.requested(), -1), Columns.MOST) - bytes(mark);
    }

    private long number(Mark mark) {
        long number = Columns.clamped(mark.number());
        long difference = number - lastNumber[mark.series()];
        lastNumber[mark.series()] = number;
        return difference;
    }
}
