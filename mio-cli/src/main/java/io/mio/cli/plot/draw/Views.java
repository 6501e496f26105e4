package io.mio.cli.plot.draw;

import io.mio.cli.plot.Distribution;
import io.mio.cli.plot.Mark;
import io.mio.cli.plot.Series;
import io.mio.cli.plot.Stage;
import io.mio.cli.plot.What;
import io.mio.cli.term.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the panels that have something to show, from top to bottom. */
final class Views {
    private static final double SECOND = 1e9;

    private static final Map<String, Set<What>> DIRECTIONS =
            Map.of(
                    "read", Set.of(What.READ, What.ASYNC_READ),
                    "written", Set.of(What.WRITE, What.ASYNC_WRITE));

    private final List<DrawnRun> runs;
    private final double span;
    private final int bins;
    private final Palette palette;
    private final boolean overlaid;

    /**
     * Prepares the panels of runs.
     *
     * @param bins number of bins of figures over time
     * @param overlaid whether runs lie one over the other
     */
    Views(List<DrawnRun> runs, double span, int bins, Palette palette, boolean overlaid) {
        this.runs = runs;
        this.span = span;
        this.bins = bins;
        this.palette = palette;
        this.overlaid = overlaid;
    }

    /**
     * Returns the panels.
     *
     * @param wanted panels, in any order; empty for all
     */
    List<View> all(List<Panel> wanted) {
        List<View> views = new ArrayList<>();
        for (Panel panel : Panel.values()) {
            if (!wanted.isEmpty() && !wanted.contains(panel)) {
                continue;
            }
            switch (panel) {
                case ACTIVITY -> {
                    for (Stage stage : List.of(Stage.PROGRAM, Stage.BETWEEN, Stage.SYSTEM)) {
                        addOffsets(views, stage);
                    }
                }
                case BANDWIDTH -> addCurves(views, bandwidth());
                case IN_FLIGHT -> addCurves(views, inFlight());
                case PAGES -> addOffsets(views, Stage.CACHE);
                case CUMULATIVE -> addCurves(views, cumulative());
                case LATENCY -> addHistogram(views, "Latency of calls", true);
                case SIZES -> addHistogram(views, "Bytes of calls", false);
            }
        }
        return views;
    }

    private void addOffsets(List<View> views, Stage stage) {
        OffsetView view = new OffsetView(stage, runs, span, palette, overlaid);
        if (!view.isEmpty()) {
            views.add(view);
        }
    }

    private static void addCurves(List<View> views, CurveView view) {
        if (!view.isEmpty()) {
            views.add(view);
        }
    }

    private String mean() {
        return ", mean of " + Amounts.time(Math.max(1, Math.round(span / bins)));
    }

    private CurveView bandwidth() {
        double perSecond = SECOND / (span / bins);
        List<Curve> curves = new ArrayList<>();
        moved((curve, sums) -> curves.add(curve.with(Curve.times(sums, perSecond))));
        return new CurveView(
                "Bandwidth" + mean(), CurveView.Unit.BYTES_PER_SECOND, true, span, curves);
    }

    private CurveView cumulative() {
        List<Curve> curves = new ArrayList<>();
        moved((curve, sums) -> curves.add(curve.with(Curve.totals(sums))));
        return new CurveView("Bytes so far", CurveView.Unit.BYTES, false, span, curves);
    }

    private interface CurveSink {
        void curve(Curve curve, double[] sums);
    }

    /** Makes curves of the bytes in each bin, for each run, stage and direction. */
    private void moved(CurveSink sink) {
        for (DrawnRun run : runs) {
            for (Stage stage : List.of(Stage.PROGRAM, Stage.SYSTEM)) {
                for (String direction : List.of("read", "written")) {
                    Set<What> whats = DIRECTIONS.get(direction);
                    double[] sums =
                            run.sums(span, bins, series -> is(series, stage, whats), Mark::bytes);
                    Legend legend = legend(run, stage, direction, whats.contains(What.READ));
                    boolean filled = stage == Stage.PROGRAM && !overlaid;
                    sink.curve(new Curve(run.index(), legend, filled, sums), sums);
                }
            }
        }
    }

    private static boolean is(Series series, Stage stage, Set<What> whats) {
        return series.stage() == stage && whats.contains(series.what());
    }

    private Legend legend(DrawnRun run, Stage stage, String words, boolean read) {
        What what = read ? What.READ : What.WRITE;
        String name = overlaid ? RunFacts.label(run.run()) + ": " : "";
        return new Legend(
                name + words + ", " + stage.label(),
                palette.of(what, run.index(), overlaid ? runs.size() : 1),
                stage == Stage.PROGRAM ? Legend.Sign.LINE : Legend.Sign.DASHES);
    }

    private CurveView inFlight() {
        List<Curve> curves = new ArrayList<>();
        for (What what : List.of(What.READ, What.WRITE, What.ASYNC_READ, What.ASYNC_WRITE)) {
            for (DrawnRun run : runs) {
                // Found once, not for each mark: this may look at every series.
                Stage lowest = lowest(List.of(run));
                double[] sums =
                        run.sums(
                                span,
                                bins,
                                series -> is(series, lowest, Set.of(what)),
                                mark -> (double) mark.busyNanos());
                Legend legend =
                        new Legend(
                                (overlaid ? RunFacts.label(run.run()) + ": " : "") + what.label(),
                                palette.of(what, run.index(), overlaid ? runs.size() : 1),
                                Legend.Sign.LINE);
                curves.add(
                        new Curve(run.index(), legend, !overlaid, Curve.times(sums, bins / span)));
            }
        }
        return new CurveView(
                "Requests in flight, " + lowest(runs).label() + mean(),
                CurveView.Unit.COUNT,
                true,
                span,
                curves);
    }

    /** Returns the lowest stage at which any of these moved bytes. */
    private static Stage lowest(List<DrawnRun> runs) {
        for (Stage stage : List.of(Stage.SYSTEM, Stage.BETWEEN)) {
            for (DrawnRun run : runs) {
                for (Series series : run.run().series()) {
                    if (series.stage() == stage && series.what().isTransfer()) {
                        return stage;
                    }
                }
            }
        }
        return Stage.PROGRAM;
    }

    private void addHistogram(List<View> views, String heading, boolean time) {
        List<HistogramView.Heap> heaps = new ArrayList<>();
        for (DrawnRun run : runs) {
            Distribution all = time ? run.run().latency() : run.run().sizes();
            for (Stage stage : List.of(Stage.PROGRAM, Stage.SYSTEM)) {
                for (String direction : List.of("read", "written")) {
                    Set<What> whats = DIRECTIONS.get(direction);
                    boolean read = whats.contains(What.READ);
                    String words = read ? "read" : "write";
                    Legend legend = legend(run, stage, words, read);
                    heaps.add(
                            new HistogramView.Heap(
                                    run.index(),
                                    legend,
                                    HistogramView.counts(
                                            all,
                                            index ->
                                                    is(
                                                            run.run().series().get(index),
                                                            stage,
                                                            whats))));
                }
            }
        }
        HistogramView view = new HistogramView(heading, time, heaps);
        if (!view.isEmpty()) {
            views.add(view);
        }
    }
}
