package io.mio.cli.experiment;

import io.mio.cli.bench.BenchTest;
import io.mio.cli.bench.Sample;
import io.mio.cli.bench.Sizes;
import io.mio.cli.bench.Spread;
import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.Amounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a byte costs the processors through the page cache, with direct I/O, and on a block device.
 */
final class DirectExperiment implements Experiment {
    private static final long KB = 1024;
    private static final long MIB = 1 << 20;
    private static final String BUFFERED = "buffered";
    private static final String DIRECT = "direct";
    private static final String PF = "pf_direct";
    private static final String RAW = "raw";
    private static final String PF_RULE = "[ pf/cache=32m/page=1m/direct ]";

    /** Random reads take this part of the file, which is enough for a figure. */
    private static final int RANDOM_PART = 4;

    /** One kind of reading. */
    private record Kind(BenchTest test, long recordBytes) {
        String label() {
            return (test == BenchTest.READ ? "sequential " : "random ") + Sizes.text(recordBytes);
        }
    }

    private static final List<Kind> KINDS =
            List.of(
                    new Kind(BenchTest.READ, MIB),
                    new Kind(BenchTest.READ, 100 * KB),
                    new Kind(BenchTest.RANDOM_READ, 4 * KB));

    @Override
    public String name() {
        return "direct";
    }

    @Override
    public String question() {
        return "What do bytes cost the processors, buffered, direct, through pf and raw?";
    }

    @Override
    public String document() {
        return "JFS on AIX 4.3, 1999: sequential reads saturate one processor below 20 MB/s; direct"
                + " and raw take 15 % of it at that rate";
    }

    private static long fileBytes(Settings settings) {
        return Math.max(MIB, settings.bytes(4 * MIB, 256 * MIB, 2048 * MIB) / MIB * MIB);
    }

    private static List<Integer> fileCounts(Settings settings) {
        return settings.scale().choose(List.of(2), List.of(1, 4), List.of(1, 2, 4, 8));
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 3, 5);
    }

    private static long bytes(Settings settings, int count, Kind kind) {
        long each = Math.max(MIB, fileBytes(settings) / count / MIB * MIB);
        return kind.test() == BenchTest.READ ? each : Math.max(MIB, each / RANDOM_PART);
    }

    @Override
    public Estimate estimate(Settings settings) {
        int starts = 4 * KINDS.size() * fileCounts(settings).size() * runs(settings);
        return new Estimate(2 * fileBytes(settings), fileBytes(settings) * starts, starts);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        Result result = new Result();
        result.fact("Files", Amounts.bytes(fileBytes(settings)) + " together; random: a quarter");
        result.fact(BUFFERED, "without MIO");
        result.fact(DIRECT, "without MIO, opened with O_DIRECT");
        result.fact(PF, PF_RULE);
        List<LineChart.Plot> plots = new ArrayList<>();
        for (Kind kind : KINDS) {
            measure(context, result, plots, kind);
        }
        result.chart(new Chart("", "direct: rates, and processors for them", plots, "files"));
        try (Scope scope = new Scope(context)) {
            FunctionTable.add(result, scope);
        }
        result.note(
                "CPU, %: of one processor, of the reading program and the kernel on its account, at"
                        + " the rate beside it. CPU s/GB is the same for a rate that all have.");
        result.note(
                "The document's sequential reads had 32 KB (raw: 128 KB), a disk for each file, and"
                        + " its figures are read off its text: at 20 MB/s below 100 % and at most"
                        + " 15 %, so at least 6.7 times less. Random 4 KB gained less there.");
        result.note(
                RAW
                        + " is a loop device: below it is the same file system, and a thread of the"
                        + " kernel whose time is not in the program's.");
        return result;
    }

    private void measure(Context context, Result result, List<LineChart.Plot> plots, Kind kind)
            throws IOException, InterruptedException {
        Settings settings = context.settings();
        int runs = runs(settings);
        ResultTable table =
                new ResultTable(
                        kind.label().replace(' ', '_'),
                        kind.label(),
                        "files",
                        "MiB/s",
                        "rate, gain",
                        "CPU, %",
                        "CPU s/GB",
                        "CPU, gain",
                        "document CPU, gain");
        Map<String, List<Spread>> rates = new LinkedHashMap<>();
        Map<String, List<Spread>> costs = new LinkedHashMap<>();
        List<String> counts = new ArrayList<>();
        for (int count : fileCounts(settings)) {
            counts.add(Integer.toString(count));
            Map<String, List<Sample>> samples = samples(context, result, kind, count);
            Spread baseRate = Turns.spread(samples.get(BUFFERED), Turns::mibPerSecond);
            Spread baseCost = Turns.spread(samples.get(BUFFERED), Sample::cpuSecondsPerGb);
            samples.forEach(
                    (name, own) -> {
                        boolean base = name.equals(BUFFERED);
                        Spread rate = Turns.spread(own, Turns::mibPerSecond);
                        Spread cost = Turns.spread(own, Sample::cpuSecondsPerGb);
                        Spread percent = Turns.spread(own, Turns::processorPercent);
                        boolean given =
                                kind.test() == BenchTest.READ
                                        && (name.equals(DIRECT) || name.equals(RAW));
                        table.row(
                                count + " " + name,
                                Cell.figure(rate, Unit.MIB_PER_SECOND, runs),
                                base ? Cell.none() : Cell.gain(rate, baseRate, Better.MORE, runs),
                                Cell.figure(percent, Unit.PERCENT, runs),
                                Cell.figure(cost, Unit.CPU_SECONDS_PER_GB, runs),
                                base ? Cell.none() : Cell.gain(cost, baseCost, Better.LESS, runs),
                                given ? Cell.givenGain(15, 100, Better.LESS) : Cell.none());
                        rates.computeIfAbsent(name, key -> new ArrayList<>()).add(rate);
                        costs.computeIfAbsent(name, key -> new ArrayList<>()).add(cost);
                    });
        }
        result.table(table);
        List<LineChart.Series> rateLines = new ArrayList<>();
        List<LineChart.Series> costLines = new ArrayList<>();
        rates.forEach((name, spreads) -> rateLines.add(Charts.series(name, spreads, MIB)));
        costs.forEach((name, spreads) -> costLines.add(Charts.series(name, spreads, 1e9)));
        plots.add(new LineChart.Plot(kind.label() + ", rate", counts, rateLines));
        plots.add(
                new LineChart.Plot(
                        kind.label() + ", processors for a GB",
                        counts,
                        costLines,
                        LineChart.Scale.TIME));
    }

    private Map<String, List<Sample>> samples(Context context, Result result, Kind kind, int count)
            throws IOException, InterruptedException {
        Settings settings = context.settings();
        try (Scope scope = new Scope(context)) {
            List<Path> files = new ArrayList<>();
            List<Path> images = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long bytes = bytes(settings, count, kind);
                files.add(Scratch.file(scope, scope.dir().resolve("file" + i + ".dat"), bytes));
                images.add(Scratch.file(scope, scope.dir().resolve("raw" + i + ".dat"), bytes));
            }
            List<Entrant> entrants = new ArrayList<>();
            entrants.add(new Entrant(BUFFERED, "", false, files));
            entrants.add(new Entrant(DIRECT, "", true, files));
            entrants.add(new Entrant(PF, PF_RULE, false, files));
            try {
                List<Path> devices = new ArrayList<>();
                for (Path image : images) {
                    devices.add(LoopDevice.over(scope, image).device());
                }
                entrants.add(new Entrant(RAW, "", true, devices));
                result.fact(RAW, "loop devices over files of the same file system, with O_DIRECT");
            } catch (SkippedException e) {
                result.fact(RAW, "left out: " + e.getMessage());
            }
            return new Turns(context, runs(settings))
                    .read(kind.test(), kind.recordBytes(), entrants);
        }
    }
}
