package io.mio.cli.plot.draw;

import io.mio.cli.plot.Level;
import io.mio.cli.plot.Mark;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Series;
import io.mio.cli.plot.Touched;
import io.mio.cli.plot.What;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A run, at the level of detail that a picture can show.
 *
 * @param run all of it
 * @param level what is drawn
 * @param index which of the runs, 0-based
 */
public record DrawnRun(RunPlot run, Level level, int index) {
    /**
     * Takes the coarsest level whose steps are too small to be seen, or the finest.
     *
     * @param nanos least time that can be seen
     * @param bytes least number of bytes that can be seen
     */
    public static DrawnRun of(RunPlot run, int index, double nanos, double bytes) {
        for (Level level : run.levels()) {
            if (level.timeStepNanos() <= nanos && level.offsetStepBytes() <= bytes) {
                return new DrawnRun(run, level, index);
            }
        }
        return new DrawnRun(run, run.levels().get(run.levels().size() - 1), index);
    }

    /** Returns the length in nanoseconds, at least 1. */
    public static double span(RunPlot run) {
        return Math.max(1, (double) run.endNanos() - (double) run.beginNanos());
    }

    /** Adds the offsets of transfers and pages. */
    public static void addOffsets(RunPlot run, Touched touched) {
        Level coarse = run.levels().get(0);
        for (int i = 0; i < coarse.marks().size(); i++) {
            Mark mark = coarse.marks().get(i);
            if (run.series().get(mark.series()).what() != What.OTHER) {
                touched.add(mark.offset(), mark.offsetEnd(), mark.bytes());
            }
        }
    }

    /**
     * Returns the begin of an axis of offsets: 0, which says more, unless that makes the axis much
     * longer.
     */
    public static long axisBegin(Touched touched) {
        long begin = touched.begin();
        return begin > touched.end() / 2 && begin < touched.end() ? begin : 0;
    }

    /** Returns a moment as nanoseconds since the run's first one. */
    public double since(long nanos) {
        return (double) (nanos - run.beginNanos());
    }

    /** Hands out all marks with their series. */
    public void marks(BiConsumer<Series, Mark> sink) {
        for (int i = 0; i < level.marks().size(); i++) {
            Mark mark = level.marks().get(i);
            sink.accept(run.series().get(mark.series()), mark);
        }
    }

    /**
     * Returns an amount over time, from the run's first moment: that of each mark is spread evenly
     * from its start to its end.
     *
     * @param span length of all bins together, in nanoseconds
     * @param bins number of bins
     */
    public double[] sums(
            double span, int bins, Predicate<Series> wanted, ToDoubleFunction<Mark> amount) {
        Bins all = new Bins(0, span, bins);
        marks(
                (series, mark) -> {
                    if (wanted.test(series)) {
                        all.add(
                                since(mark.startNanos()),
                                since(mark.endNanos()),
                                amount.applyAsDouble(mark));
                    }
                });
        return all.sums();
    }
}
