package io.mio.cli.experiment;

import io.mio.cli.bench.BenchOptions.Door;
import io.mio.cli.bench.Cleanup;
import io.mio.cli.bench.Spread;
import io.mio.cli.demo.AlotBuf;
import io.mio.cli.demo.DemoProgram;
import io.mio.cli.demo.DemoRun;
import io.mio.cli.demo.JavaProgram;
import io.mio.cli.demo.NativeProgram;
import io.mio.cli.demo.PageCache;
import io.mio.cli.demo.RunFigures;
import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The original's example: a file is written in records, read forward and read backward, with trace
 * alone and with the cache between two traces.
 */
final class AlotBufExperiment implements Experiment {
    private static final long MIB = 1 << 20;

    /** Passes over the file: it is written once and read twice. */
    private static final int PASSES = 3;

    private static final double KB_PER_MIB = 1024;

    @Override
    public String name() {
        return "alot_buf";
    }

    @Override
    public String question() {
        return "How much faster is a program that writes a large file and reads it both ways?";
    }

    @Override
    public String document() {
        return "the original's configuration example, 2005: 14.3 GB, 512 MB of memory, JFS2";
    }

    private static long fileBytes(Settings settings) {
        long original = AlotBuf.ORIGINAL_RECORDS * AlotBuf.ORIGINAL_RECORD_BYTES;
        long wanted = settings.bytes(8 * MIB, 2048 * MIB, original);
        long records = Math.max(1, wanted / AlotBuf.ORIGINAL_RECORD_BYTES);
        return records * AlotBuf.ORIGINAL_RECORD_BYTES;
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 3, 1);
    }

    @Override
    public Estimate estimate(Settings settings) {
        long bytes = fileBytes(settings);
        int starts = 2 * runs(settings);
        return new Estimate(bytes, bytes * PASSES * starts, starts);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        if (settings.door() == Door.NATIVE && !NativeProgram.isBuilt()) {
            throw new SkippedException("this mio was built without the program in C");
        }
        long bytes = fileBytes(settings);
        PageCache pageCache = PageCache.choose(context.dir(), bytes, AlotBuf.ORIGINAL_RECORD_BYTES);
        Map<DemoRun.Rule, List<RunFigures>> figures = new EnumMap<>(DemoRun.Rule.class);
        Result result = new Result();
        DemoProgram[] program = new DemoProgram[1];
        Cleanup.Action removing =
                () -> {
                    if (program[0] != null) {
                        program[0].close();
                    }
                };
        context.cleanup()
                .begin(
                        () ->
                                program[0] =
                                        settings.door() == Door.NATIVE
                                                ? NativeProgram.unpack(context.dir())
                                                : new JavaProgram(),
                        removing);
        try {
            for (int run = 0; run < runs(settings); run++) {
                // The configurations take turns, and each of them is the first one in turn.
                for (int i = 0; i < 2; i++) {
                    DemoRun.Rule rule = DemoRun.Rule.values()[(run + i) % 2];
                    DemoRun done = one(context, rule, pageCache, program[0], run);
                    figures.computeIfAbsent(rule, key -> new ArrayList<>()).add(done.figures());
                    result.report(rule.label(), done.report());
                }
            }
        } finally {
            context.cleanup().end(removing);
        }
        result.fact("File", Amounts.bytes(bytes) + ", records of 102400 bytes");
        result.fact("Page cache", pageCache.sentence());
        result.fact("Before", figures.get(DemoRun.Rule.TRACE).get(0).layers());
        result.fact("After", figures.get(DemoRun.Rule.PF).get(0).layers());
        fill(result, figures, runs(settings));
        return result;
    }

    private DemoRun one(
            Context context, DemoRun.Rule rule, PageCache pageCache, DemoProgram program, int run)
            throws IOException, InterruptedException {
        long records = fileBytes(context.settings()) / AlotBuf.ORIGINAL_RECORD_BYTES;
        DemoRun demo = new DemoRun(context.dir(), rule, pageCache, program);
        Cleanup.Action removing =
                () -> {
                    demo.stop();
                    demo.deleteFiles();
                };
        context.cleanup().begin(() -> null, removing);
        try (Progress progress = context.progress()) {
            String label =
                    rule.label() + ", run " + (run + 1) + " of " + runs(context.settings()) + ": ";
            progress.show(label + "begins");
            demo.run(
                    AlotBuf.ORIGINAL_RECORD_BYTES,
                    records,
                    pass -> progress.show(label + pass + " done"));
        } finally {
            context.cleanup().end(removing);
        }
        return demo;
    }

    private static void fill(Result result, Map<DemoRun.Rule, List<RunFigures>> figures, int runs) {
        Comparing rows = new Comparing(figures, runs);
        rows.add("elapsed, s", Unit.SECONDS, Better.LESS, RunFigures::elapsedSeconds)
                .document(1685.91, 940.94);
        rows.add(
                        "rate at the program, KB/s",
                        Unit.KB_PER_SECOND,
                        Better.MORE,
                        one -> KB_PER_MIB * one.reportedMibPerSecond())
                .document(27741.92, 54359.71);
        rows.add("write calls, s", Unit.SECONDS, Better.LESS, one -> one.programSeconds("write"))
                .document(238.16, 288.88);
        rows.add("read calls, s", Unit.SECONDS, Better.LESS, one -> one.programSeconds("read"))
                .document(1275.79, 483.75);
        rows.add("write pass, MiB/s", Unit.MIB_PER_SECOND, Better.MORE, one -> one.mibPerSecond(0));
        rows.add(
                "forward pass, MiB/s",
                Unit.MIB_PER_SECOND,
                Better.MORE,
                one -> one.mibPerSecond(1));
        rows.add(
                "backward pass, MiB/s",
                Unit.MIB_PER_SECOND,
                Better.MORE,
                one -> one.mibPerSecond(2));
        rows.add("requests to the system", Unit.COUNT, Better.LESS, one -> (double) one.requests())
                .document(420_000, 6836 + 13_622);
        rows.add("CPU, s", Unit.SECONDS, Better.LESS, RunFigures::cpuSeconds);
        result.table(rows.table());
        result.chart(
                new Chart(
                        "",
                        "alot_buf: trace alone, and pf between two traces",
                        List.of(
                                rows.rates("write pass", 0),
                                rows.rates("forward pass", 1),
                                rows.rates("backward pass", 2),
                                rows.elapsed()),
                        ""));
        result.note("Gain: how many times better with pf; below 1 it is worse.");
        result.note(
                "Every byte that was read was compared, in the time; the program also writes events"
                        + " of every call in both runs.");
        RunFigures first = figures.get(DemoRun.Rule.TRACE).get(0);
        if (first.flushSeconds() > 0) {
            result.note(
                    "The file's pages were written out and dropped between the passes, which is not"
                            + " in the time: without pf the write pass is into memory only.");
        }
    }

    /** Builds the table of both configurations, row by row. */
    private static final class Comparing {
        private final Map<DemoRun.Rule, List<RunFigures>> figures;
        private final int runs;
        private final ResultTable table =
                new ResultTable(
                        "ratios",
                        "Trace alone (before) and pf between two traces (after)",
                        "",
                        "before",
                        "after",
                        "gain",
                        "document before",
                        "document after",
                        "document gain");
        private String name = "";
        private Unit unit = Unit.COUNT;
        private Better better = Better.LESS;
        private List<Cell> open = List.of();

        Comparing(Map<DemoRun.Rule, List<RunFigures>> figures, int runs) {
            this.figures = figures;
            this.runs = runs;
        }

        private Spread spread(DemoRun.Rule rule, ToDoubleFunction<RunFigures> figure) {
            return Spread.of(figures.get(rule).stream().mapToDouble(figure).toArray());
        }

        /**
         * Begins a row, which has no figures of the document until {@link #document} gives them.
         */
        Comparing add(
                String row, Unit counted, Better direction, ToDoubleFunction<RunFigures> figure) {
            flush();
            name = row;
            unit = counted;
            better = direction;
            Spread before = spread(DemoRun.Rule.TRACE, figure);
            Spread after = spread(DemoRun.Rule.PF, figure);
            open =
                    new ArrayList<>(
                            List.of(
                                    Cell.figure(before, unit, runs),
                                    Cell.figure(after, unit, runs),
                                    Cell.gain(after, before, better, runs)));
            return this;
        }

        void document(double before, double after) {
            open.add(Cell.given(before, unit));
            open.add(Cell.given(after, unit));
            open.add(Cell.givenGain(after, before, better));
        }

        private void flush() {
            if (!open.isEmpty()) {
                while (open.size() < table.headings().size() - 1) {
                    open.add(Cell.none());
                }
                table.row(name, open);
            }
            open = List.of();
        }

        ResultTable table() {
            flush();
            return table;
        }

        LineChart.Plot rates(String heading, int pass) {
            return new LineChart.Plot(
                    heading, List.of(""), series(one -> MIB * one.mibPerSecond(pass)));
        }

        LineChart.Plot elapsed() {
            return new LineChart.Plot(
                    "elapsed",
                    List.of(""),
                    series(one -> 1e9 * one.elapsedSeconds()),
                    LineChart.Scale.TIME);
        }

        private List<LineChart.Series> series(ToDoubleFunction<RunFigures> figure) {
            List<LineChart.Series> series = new ArrayList<>();
            for (DemoRun.Rule rule : DemoRun.Rule.values()) {
                series.add(Charts.series(rule.label(), List.of(spread(rule, figure))));
            }
            return series;
        }
    }
}
