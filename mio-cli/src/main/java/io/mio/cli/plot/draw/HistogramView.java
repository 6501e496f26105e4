package io.mio.cli.plot.draw;

import io.mio.cli.plot.Buckets;
import io.mio.cli.plot.Distribution;
import io.mio.cli.plot.draw.Ticks.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** How many calls took so long, or moved so many bytes; both axes are logarithmic. */
final class HistogramView implements View {
    /**
     * The calls of one kind.
     *
     * @param run index of the run
     * @param legend words, colour and shape
     * @param counts by bucket
     */
    record Heap(int run, Legend legend, SortedMap<Integer, Long> counts) {}

    /** Counts begin below 1, so that a single call is seen. */
    private static final double FLOOR = 0.6;

    private final String heading;
    private final boolean time;
    private final List<Heap> heaps;
    private double from = Double.MAX_VALUE;
    private double to = 1;
    private double highest = 1;

    /**
     * Makes a panel.
     *
     * @param time values are nanoseconds; else bytes
     */
    HistogramView(String heading, boolean time, List<Heap> heaps) {
        this.heading = heading;
        this.time = time;
        this.heaps = heaps.stream().filter(heap -> !heap.counts().isEmpty()).toList();
        for (Heap heap : this.heaps) {
            from = Math.min(from, least(heap.counts().firstKey()));
            to = Math.max(to, least(heap.counts().lastKey() + 1));
            for (long count : heap.counts().values()) {
                highest = Math.max(highest, (double) count);
            }
        }
        // A single value has some room on both sides.
        from = Math.max(1, Math.min(from, to / 4) * 0.8);
        to = to * 1.25;
        highest = highest * 1.3;
    }

    /** Adds up the calls of one kind in a distribution. */
    static SortedMap<Integer, Long> counts(Distribution all, IntPredicate series) {
        SortedMap<Integer, Long> counts = new TreeMap<>();
        for (Distribution.Count count : all.counts()) {
            if (series.test(count.series())) {
                counts.merge(count.bucket(), count.events(), Long::sum);
            }
        }
        return counts;
    }

    /**
     * Returns the least value of a bucket; 0 has no place on a logarithmic axis, and is shown as 1.
     */
    private static double least(int bucket) {
        return Math.max(1.0, (double) Buckets.from(bucket));
    }

    boolean isEmpty() {
        return heaps.isEmpty();
    }

    @Override
    public String heading() {
        return heading;
    }

    @Override
    public int usualHeight() {
        return 100;
    }

    @Override
    public List<Legend> legend() {
        List<Legend> legend = new ArrayList<>();
        for (Heap heap : heaps) {
            if (!legend.contains(heap.legend())) {
                legend.add(heap.legend());
            }
        }
        return legend;
    }

    @Override
    public boolean isOverTime() {
        return false;
    }

    @Override
    public List<Tick> ticksAcross(double width) {
        int count = (int) Math.max(2, width / 60);
        return time ? Ticks.logTime(from, to, count) : Ticks.logBytes(from, to, count);
    }

    @Override
    public List<Tick> ticksUp(double height) {
        return Ticks.logCounts(highest, (int) Math.max(2, height / 20));
    }

    @Override
    public double across(Box plot, double value) {
        return Axis.logarithmic(from, to, plot.x(), plot.right()).at(value);
    }

    @Override
    public double up(Box plot, double value) {
        return Axis.logarithmic(FLOOR, highest, plot.bottom(), plot.y()).at(value);
    }

    @Override
    public void paint(Scene scene, Box plot, List<DrawnRun> runs) {
        for (Heap heap : heaps) {
            if (runs.stream().noneMatch(run -> run.index() == heap.run())) {
                continue;
            }
            Outline bars = new Outline();
            heap.counts()
                    .forEach(
                            (bucket, count) -> {
                                double top = up(plot, (double) count);
                                double left = across(plot, least(bucket));
                                double width = Math.max(1, across(plot, least(bucket + 1)) - left);
                                bars.rectangle(left, top, width, plot.bottom() - top);
                            });
            boolean dashes = heap.legend().sign() == Legend.Sign.DASHES;
            if (!dashes) {
                scene.fill(bars, heap.legend().ink().withOpacity(0.3));
            }
            scene.stroke(
                    contour(plot, heap.counts()),
                    heap.legend().ink(),
                    1.5,
                    dashes ? Legend.DASHES : Scene.SOLID);
        }
    }

    /** Returns the upper line of the bars; adjacent bars have one line in common. */
    private Outline contour(Box plot, SortedMap<Integer, Long> counts) {
        Outline line = new Outline();
        int after = -1;
        for (var entry : counts.entrySet()) {
            int bucket = entry.getKey();
            double left = across(plot, least(bucket));
            if (bucket != after) {
                if (after >= 0) {
                    line.line(across(plot, least(after)), plot.bottom());
                }
                line.move(left, plot.bottom());
            }
            double top = up(plot, (double) entry.getValue());
            after = bucket + 1;
            line.line(left, top).line(across(plot, least(after)), top);
        }
        return line.line(across(plot, least(after)), plot.bottom());
    }
}
