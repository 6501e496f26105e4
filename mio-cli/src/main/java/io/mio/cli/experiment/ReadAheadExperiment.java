package io.mio.cli.experiment;

import io.mio.cli.bench.BenchTest;
import io.mio.cli.bench.Delivered;
import io.mio.cli.bench.Sample;
import io.mio.cli.bench.Sizes;
import io.mio.cli.bench.Spread;
import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.Amounts;
import io.mio.info.Fact;
import io.mio.info.Facts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Distances of readahead: fixed, doubling from one to another, and as pf finds them itself. */
final class ReadAheadExperiment implements Experiment {
    private static final long KB = 1024;
    private static final long MIB = 1 << 20;
    private static final String KERNEL = "kernel";

    /** Microseconds of a request, as on disks in a cloud. */
    private static final int MICROSECONDS = 1000;

    @Override
    public String name() {
        return "readahead";
    }

    @Override
    public String question() {
        return "How far should a sequential reader be read ahead, fixed or doubling?";
    }

    @Override
    public String document() {
        return "JFS2 on AIX 5.2, 2003: from 2 pages of 4 KB, doubling to 8; no figures of its own"
                + " beside those of table2";
    }

    private static long fileBytes(Settings settings) {
        return Math.max(1, settings.bytes(10 * MIB, 100 * MIB, 1000 * MIB) / (10 * MIB)) * 10 * MIB;
    }

    /** Returns the size of the file on the slow storage, where each request waits. */
    private static long slowBytes(Settings settings) {
        return Math.max(10 * MIB, fileBytes(settings) / 10 / MIB * MIB);
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 3, 5);
    }

    /**
     * Returns rules with their distances in pages: first JFS2's, then others of its page size, then
     * larger pages.
     */
    private static Map<String, String> rules() {
        Map<String, String> rules = new LinkedHashMap<>();
        rules.put(KERNEL, "");
        rules.put("4k_2:8", "[ pf/cache=8m/page=4k/direct/pref=2:8 ]");
        rules.put("4k_8", "[ pf/cache=8m/page=4k/direct/pref=8 ]");
        rules.put("4k_2:256", "[ pf/cache=8m/page=4k/direct/pref=2:256 ]");
        rules.put("256k_1", "[ pf/cache=32m/page=256k/direct/pref=1 ]");
        rules.put("256k_1:32", "[ pf/cache=32m/page=256k/direct/pref=1:32 ]");
        rules.put("256k_32", "[ pf/cache=32m/page=256k/direct/pref=32 ]");
        rules.put("256k_auto", "[ pf/cache=32m/page=256k/direct ]");
        return rules;
    }

    @Override
    public Estimate estimate(Settings settings) {
        int starts = 4 * rules().size() * runs(settings);
        return new Estimate(
                fileBytes(settings) + 2 * slowBytes(settings),
                fileBytes(settings) * starts / 2,
                starts);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        Result result = new Result();
        result.fact("File", Amounts.bytes(fileBytes(settings)));
        rules().forEach((name, rule) -> result.fact(name, rule.isEmpty() ? "without MIO" : rule));
        result.fact("Kernel reads", kernelReadAhead(context.dir()));
        List<LineChart.Plot> plots = new ArrayList<>();
        try (Scope scope = new Scope(context)) {
            Path file = Scratch.file(scope, scope.dir().resolve("file.dat"), fileBytes(settings));
            measure(context, result, plots, file, Delivered.BY_DEVICE, "local", "On this storage");
        }
        try (Scope scope = new Scope(context)) {
            SlowStorage storage = SlowStorage.mount(scope, MICROSECONDS);
            Path file =
                    Scratch.file(
                            scope, storage.directory().resolve("file.dat"), slowBytes(settings));
            String title =
                    "On a mount whose requests take 1 ms, " + Amounts.bytes(slowBytes(settings));
            measure(context, result, plots, file, storage, "latency", title);
        } catch (SkippedException e) {
            result.note("Without storage with latency: " + e.getMessage() + ".");
        }
        result.chart(new Chart("", "readahead: a file from end to end", plots, ""));
        result.note(
                "Names: size of pages, then how many are read ahead: fixed, from:to (doubling), or"
                        + " as pf finds it out. 4k_2:8 are the defaults of JFS2.");
        result.note(
                "Gain: rate as multiple of " + KERNEL + ", the page cache's own reading ahead.");
        return result;
    }

    /** Returns the kernel's readahead in words; the kernel tells the most that it reads ahead. */
    static String kernelReadAhead(Path dir) throws IOException {
        for (Fact fact : Facts.of(dir)) {
            if (fact.name().startsWith("read_ahead") && fact.value() instanceof Long bytes) {
                return "at most " + Amounts.bytes(bytes) + " ahead (read_ahead_kb)";
            }
        }
        return "ahead as far as it likes; this device does not tell";
    }

    private static void measure(
            Context context,
            Result result,
            List<LineChart.Plot> plots,
            Path file,
            Delivered delivered,
            String id,
            String title)
            throws IOException, InterruptedException {
        int runs = runs(context.settings());
        List<Entrant> entrants = new ArrayList<>();
        rules().forEach(
                        (name, rule) ->
                                entrants.add(new Entrant(name, rule, false, List.of(file))));
        List<List<Cell>> rows = new ArrayList<>();
        entrants.forEach(one -> rows.add(new ArrayList<>()));
        for (long record : List.of(4 * KB, 10 * MIB)) {
            Map<String, List<Sample>> samples =
                    new Turns(context, runs).read(BenchTest.READ, record, entrants, delivered);
            Spread base = Turns.spread(samples.get(KERNEL), Turns::mibPerSecond);
            List<LineChart.Series> bars = new ArrayList<>();
            for (int i = 0; i < entrants.size(); i++) {
                List<Sample> own = samples.get(entrants.get(i).name());
                Spread rate = Turns.spread(own, Turns::mibPerSecond);
                rows.get(i).add(Cell.figure(rate, Unit.MIB_PER_SECOND, runs));
                rows.get(i).add(i == 0 ? Cell.none() : Cell.gain(rate, base, Better.MORE, runs));
                rows.get(i)
                        .add(
                                Cell.figure(
                                        Turns.spread(own, Sample::cpuSecondsPerGb),
                                        Unit.CPU_SECONDS_PER_GB,
                                        runs));
                bars.add(Charts.series(entrants.get(i).name(), List.of(rate), MIB));
            }
            plots.add(new LineChart.Plot(id + ", by " + Sizes.text(record), List.of(""), bars));
        }
        ResultTable table =
                new ResultTable(
                        id,
                        title + ": a file from end to end",
                        "",
                        "4k, MiB/s",
                        "4k, gain",
                        "4k, CPU s/GB",
                        "10m, MiB/s",
                        "10m, gain",
                        "10m, CPU s/GB");
        for (int i = 0; i < entrants.size(); i++) {
            table.row(entrants.get(i).name(), rows.get(i));
        }
        result.table(table);
    }
}
