package io.mio.cli.experiment;

import io.mio.cli.bench.Spread;
import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A database's updates of a few files by many threads: which of them wait for the lock of a file?
 */
final class CioExperiment implements Experiment {
    private static final long MIB = 1 << 20;
    private static final int RECORD_BYTES = 4096;
    private static final int UPDATE_PERCENT = 80;
    private static final int FILES = 2;
    private static final String BUFFERED = "buffered";
    private static final String EXCLUSIVE = "direct_exclusive";
    private static final String DIRECT = "direct";
    private static final String PF = "pf";
    private static final String PF_CIO = "pf_cio";
    private static final String RAW = "raw";

    /**
     * What the document gives for the configurations here: transactions and response in seconds.
     */
    private static final Map<String, double[]> DOCUMENT =
            Map.of(
                    EXCLUSIVE, new double[] {219.69, 0.12},
                    DIRECT, new double[] {652.12, 0.07},
                    RAW, new double[] {710.19, 0.06});

    @Override
    public String name() {
        return "cio";
    }

    @Override
    public String question() {
        return "What do many updating threads lose to the lock of a file?";
    }

    @Override
    public String document() {
        return "Oracle9i on JFS2, 2003: 500 GB, 420 disks, 51 files or 193 raw volumes, 4"
                + " processors";
    }

    private static long fileBytes(Settings settings) {
        return Math.max(MIB, settings.bytes(MIB, 64 * MIB, 1024 * MIB) / MIB * MIB);
    }

    private static Updates.Load load(Settings settings) {
        return new Updates.Load(
                RECORD_BYTES,
                settings.scale().choose(4, 16, 32),
                settings.scale().choose(300L, 4000L, 30_000L),
                UPDATE_PERCENT);
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 3, 3);
    }

    /** Returns a cache for a quarter of the files, in pages of one record. */
    private static String cache(Settings settings) {
        long bytes = FILES * fileBytes(settings) / 4;
        return "pf/cache=" + bytes / 1024 + "k/page=4k/direct/through";
    }

    @Override
    public Estimate estimate(Settings settings) {
        int starts = 6 * runs(settings);
        long seconds = starts * load(settings).millis() / 1000;
        // The time is converted to bytes, as if they were moved all the time.
        return new Estimate(
                2 * FILES * fileBytes(settings), Math.max(1, seconds) * 400_000_000, starts);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        Result result = new Result();
        Map<String, List<Updates.Run>> runs = new LinkedHashMap<>();
        try (Scope scope = new Scope(context)) {
            Updates.unpack(scope);
            List<Updates.Setup> setups = setups(context, scope, result);
            setups.forEach(one -> runs.put(one.name(), new ArrayList<>()));
            Updates updates = new Updates(context, load(settings));
            try (Progress progress = context.progress()) {
                for (int run = 0; run < runs(settings); run++) {
                    for (int i = 0; i < setups.size(); i++) {
                        Updates.Setup setup = setups.get((run + i) % setups.size());
                        progress.show(
                                String.format(
                                        Locale.ROOT,
                                        "%s, run %d of %d",
                                        setup.name(),
                                        run + 1,
                                        runs(settings)));
                        runs.get(setup.name()).add(updates.run(setup));
                    }
                }
            }
        }
        describe(result, settings);
        result.table(rates(context, runs)).table(waits(context, runs));
        result.chart(chart(runs));
        notes(result);
        return result;
    }

    private static List<Updates.Setup> setups(Context context, Scope scope, Result result)
            throws IOException, InterruptedException {
        Settings settings = context.settings();
        List<Path> files = zeros(context, scope, "data");
        String cache = cache(settings);
        List<Updates.Setup> setups = new ArrayList<>();
        setups.add(new Updates.Setup(BUFFERED, "", false, false, files));
        setups.add(new Updates.Setup(EXCLUSIVE, "", true, true, files));
        setups.add(new Updates.Setup(DIRECT, "", true, false, files));
        setups.add(new Updates.Setup(PF, "[ " + cache + " ]", false, false, files));
        setups.add(new Updates.Setup(PF_CIO, "[ mio/cio | " + cache + " ]", false, false, files));
        try {
            List<Path> devices = new ArrayList<>();
            for (Path file : zeros(context, scope, "raw")) {
                devices.add(LoopDevice.over(scope, file).device());
            }
            setups.add(new Updates.Setup(RAW, "", true, false, devices));
            result.fact(RAW, "loop devices over files of the same file system, with O_DIRECT");
        } catch (SkippedException e) {
            result.note("Without " + RAW + ": " + e.getMessage() + ".");
        }
        return setups;
    }

    private static List<Path> zeros(Context context, Scope scope, String name)
            throws IOException, InterruptedException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            Path file = scope.dir().resolve(name + i + ".dat");
            files.add(Scratch.zeros(scope, file, fileBytes(context.settings())));
        }
        return files;
    }

    private static void describe(Result result, Settings settings) {
        Updates.Load load = load(settings);
        result.fact(
                "Load",
                load.threads()
                        + " threads, "
                        + load.millis() / 1000.0
                        + " s; a transaction reads a record of 4 KB, and "
                        + UPDATE_PERCENT
                        + " of 100 write it back");
        result.fact("Program", "updater, in C through either door; MIO as preload library");
        result.fact(
                "Files", FILES + " of " + Amounts.bytes(fileBytes(settings)) + ", written before");
        result.fact(BUFFERED, "without MIO, through the page cache: writes wait for nothing");
        result.fact(EXCLUSIVE, "O_DIRECT, and in the program a lock of each file as JFS2's was");
        result.fact(DIRECT, "O_DIRECT");
        result.fact(PF, "[ " + cache(settings) + " ]");
        result.fact(PF_CIO, "[ mio/cio | " + cache(settings) + " ]");
    }

    private static Cell cell(
            List<Updates.Run> runs, Unit unit, ToDoubleFunction<Updates.Run> figure) {
        return Cell.figure(spread(runs, figure), unit, runs.size());
    }

    private static Spread spread(List<Updates.Run> runs, ToDoubleFunction<Updates.Run> figure) {
        return Spread.of(runs.stream().mapToDouble(figure).toArray());
    }

    private static ResultTable rates(Context context, Map<String, List<Updates.Run>> runs) {
        ResultTable table =
                new ResultTable(
                        "transactions",
                        "Transactions per second",
                        "",
                        "1/s",
                        "gain to " + EXCLUSIVE,
                        "machine idle, %",
                        "document 1/s",
                        "document gain");
        double base = DOCUMENT.get(EXCLUSIVE)[0];
        Spread exclusive = spread(runs.get(EXCLUSIVE), Updates.Run::perSecond);
        long processors =
                context.machine().processors() == null ? 1 : context.machine().processors();
        runs.forEach(
                (name, own) -> {
                    double[] given = DOCUMENT.get(name);
                    Spread rate = spread(own, Updates.Run::perSecond);
                    table.row(
                            name,
                            Cell.figure(rate, Unit.PER_SECOND, own.size()),
                            name.equals(EXCLUSIVE)
                                    ? Cell.none()
                                    : Cell.gain(rate, exclusive, Better.MORE, own.size()),
                            cell(own, Unit.PERCENT, one -> one.idlePercent(processors)),
                            given == null ? Cell.none() : Cell.given(given[0], Unit.PER_SECOND),
                            given == null || name.equals(EXCLUSIVE)
                                    ? Cell.none()
                                    : Cell.givenGain(given[0], base, Better.MORE));
                });
        return table;
    }

    private static ResultTable waits(Context context, Map<String, List<Updates.Run>> runs) {
        ResultTable table =
                new ResultTable(
                        "response",
                        "Time of a transaction in us, and of it what was lost in locks",
                        "",
                        "p50",
                        "p99",
                        "max",
                        "in locks, % of all threads' time",
                        "p50 beyond " + RAW + ", us",
                        "document, us");
        int threads = load(context.settings()).threads();
        Spread raw = runs.containsKey(RAW) ? micros(runs.get(RAW), 0) : null;
        runs.forEach(
                (name, own) -> {
                    double[] given = DOCUMENT.get(name);
                    boolean counted = own.get(0).lockNanos() >= 0;
                    double beyond = raw == null ? 0 : micros(own, 0).median() - raw.median();
                    table.row(
                            name,
                            Cell.figure(micros(own, 0), Unit.MICROSECONDS, own.size()),
                            Cell.figure(micros(own, 1), Unit.MICROSECONDS, own.size()),
                            Cell.figure(micros(own, 2), Unit.MICROSECONDS, own.size()),
                            counted
                                    ? cell(own, Unit.PERCENT, one -> one.lockPercent(threads))
                                    : Cell.none(),
                            raw == null || name.equals(RAW)
                                    ? Cell.none()
                                    : Cell.figure(beyond, Unit.MICROSECONDS),
                            given == null
                                    ? Cell.none()
                                    : Cell.given(given[1] * 1e6, Unit.MICROSECONDS));
                });
        return table;
    }

    /** Returns the median time, the 99th percentile, or the longest time. */
    private static Spread micros(List<Updates.Run> runs, int which) {
        return spread(
                runs,
                one ->
                        switch (which) {
                            case 0 -> one.medianNanos() / 1e3;
                            case 1 -> one.p99Nanos() / 1e3;
                            default -> one.mostNanos() / 1e3;
                        });
    }

    /** Returns the throughput over time, and the median time of a transaction, of all runs. */
    private static Chart chart(Map<String, List<Updates.Run>> runs) {
        List<String> times = new ArrayList<>();
        int ticks =
                runs.values().stream()
                        .flatMap(List::stream)
                        .mapToInt(one -> one.ticks().size())
                        .min()
                        .orElse(0);
        int step = Math.max(1, ticks / 20);
        for (int tick = 0; tick + step <= ticks; tick += step) {
            times.add(String.format(Locale.ROOT, "%.1f", (tick + step) * Updates.SECONDS_PER_TICK));
        }
        List<LineChart.Series> lines = new ArrayList<>();
        List<LineChart.Series> response = new ArrayList<>();
        runs.forEach(
                (name, own) -> {
                    if (!name.equals(BUFFERED)) {
                        lines.add(Charts.series(name, overTime(own, step, times.size())));
                        response.add(
                                Charts.series(
                                        name, List.of(spread(own, one -> one.medianNanos()))));
                    }
                });
        return new Chart(
                "",
                "cio: many threads update few files",
                List.of(
                        new LineChart.Plot(
                                "transactions per second, over seconds",
                                times,
                                lines,
                                LineChart.Scale.COUNT),
                        new LineChart.Plot(
                                "median time of a transaction",
                                List.of(""),
                                response,
                                LineChart.Scale.TIME)),
                "");
    }

    /** Returns the transactions per second in each part of the time. */
    static List<Spread> overTime(List<Updates.Run> runs, int step, int parts) {
        List<Spread> spreads = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            int from = part * step;
            spreads.add(
                    spread(
                            runs,
                            one ->
                                    one.ticks().subList(from, from + step).stream()
                                                    .mapToLong(Long::longValue)
                                                    .sum()
                                            / (step * Updates.SECONDS_PER_TICK)));
        }
        return spreads;
    }

    private static void notes(Result result) {
        result.note(
                "The document's direct I/O had JFS2's lock: many readers, or one writer of a file."
                    + " Linux no longer takes it so for direct writes over what is there, so that"
                    + " lock is the program's own here ("
                        + EXCLUSIVE
                        + "), and "
                        + DIRECT
                        + " stands beside the document's concurrent I/O.");
        result.note(
                "In locks: "
                        + EXCLUSIVE
                        + " measures its own; pf counts the waits for the lock of the file"
                        + " (gate_wait_ns); what the kernel's cost cannot be known from outside."
                        + " What a transaction takes beyond the raw device's is the most it can"
                        + " be.");
        result.note(
                "Each record has one thread: none of the requests overlap. That the number in a"
                        + " record is the last one written was checked at each read.");
        result.note(
                RAW
                        + " is a loop device: below it is the same file system, and a thread of the"
                        + " kernel; a disk of its own would be faster.");
    }
}
