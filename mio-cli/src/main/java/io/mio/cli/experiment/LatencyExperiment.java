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

/** The documents' patterns where each request takes a millisecond, on a mount and on a device. */
final class LatencyExperiment implements Experiment {
    private static final long KB = 1024;
    private static final long MIB = 1 << 20;
    private static final int MICROSECONDS = 1000;

    /** Readahead of disks, in KB, where nobody sets it. */
    private static final int READ_AHEAD_KB = 128;

    private static final String PLAIN = "plain";
    private static final String PF = "pf";
    private static final String DIRECT = "pf_direct";
    private static final String CACHE = "pf/cache=64m/page=2m";

    /** The cache for random reads is this part of the file, so that not all of it fits in. */
    private static final int RANDOM_PART = 4;

    private static String cache(Settings settings, Pattern pattern) {
        return pattern.test() == BenchTest.RANDOM_READ
                ? "pf/cache=" + smallBytes(settings) / RANDOM_PART / KB + "k/page=64k"
                : CACHE;
    }

    /** One row of the tables. */
    private record Pattern(BenchTest test, long recordBytes) {
        String label() {
            return test.id() + " " + Sizes.text(recordBytes);
        }

        /**
         * Returns whether each call takes as long as the storage, so that fewer of them are enough.
         */
        boolean isSlow() {
            return test == BenchTest.RANDOM_READ
                    || (test == BenchTest.BACKWARD && recordBytes < 64 * KB);
        }
    }

    /** Returns a cell with the KB of each request, and the most requests at a time. */
    private static Cell cell(SlowStorage.Counts counts) {
        long kb = counts.reads() == 0 ? 0 : counts.readBytes() / counts.reads() / KB;
        return Cell.text(kb + " / " + counts.inFlight());
    }

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String question() {
        return "What does reading ahead gain where each request takes a millisecond?";
    }

    @Override
    public String document() {
        return "none: what disks of clouds and network file systems are like, with the patterns"
                + " of the others";
    }

    private static long fileBytes(Settings settings) {
        return settings.bytes(4 * MIB, 64 * MIB, 512 * MIB) / MIB * MIB;
    }

    /** Returns the bytes for patterns in which each call waits. */
    private static long smallBytes(Settings settings) {
        return Math.max(MIB, fileBytes(settings) / 8 / MIB * MIB);
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 3, 5);
    }

    private static List<Pattern> patterns(Settings settings) {
        List<Pattern> patterns = new ArrayList<>();
        List<Long> records =
                settings.scale() == Scale.SMALL
                        ? List.of(100 * KB)
                        : List.of(4 * KB, 100 * KB, MIB);
        for (BenchTest test : List.of(BenchTest.READ, BenchTest.BACKWARD, BenchTest.RANDOM_READ)) {
            records.forEach(record -> patterns.add(new Pattern(test, record)));
        }
        return patterns;
    }

    @Override
    public Estimate estimate(Settings settings) {
        int starts = 2 * 3 * runs(settings) * patterns(settings).size();
        long bytes = fileBytes(settings) + smallBytes(settings);
        return new Estimate(3 * bytes + 64 * MIB, fileBytes(settings) * starts, starts);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        Result result = new Result();
        result.fact("Latency", MICROSECONDS + " us for each read or write, which overlap");
        result.fact(
                "Files",
                Amounts.bytes(fileBytes(settings))
                        + "; random, and backward in small records: "
                        + Amounts.bytes(smallBytes(settings)));
        try (Scope scope = new Scope(context)) {
            SlowStorage storage = SlowStorage.mount(scope, MICROSECONDS);
            measureDevice(context, result, storage);
            measure(context, result, storage, storage.directory(), "mount", "A mount with latency");
        }
        result.fact(PF, "[ " + CACHE + " ]");
        result.fact(
                "pf, random",
                "[ " + cache(settings, new Pattern(BenchTest.RANDOM_READ, KB)) + " ]");
        result.note("Gain: rate as multiple of " + PLAIN + ".");
        result.note(
                "KB / in flight: of the last run, mean size of the reads that came to the storage"
                        + " and the most of them at a time.");
        result.note(
                "On the mount, a FUSE file system, MIO uses threads and the kernel's cache; "
                        + DIRECT
                        + " is buffered there.");
        return result;
    }

    private void measureDevice(Context context, Result result, SlowStorage storage)
            throws IOException, InterruptedException {
        Settings settings = context.settings();
        try (Scope scope = new Scope(context)) {
            Path disk =
                    storage.device(
                            scope, fileBytes(settings) + smallBytes(settings), READ_AHEAD_KB);
            measure(
                    context,
                    result,
                    storage,
                    disk,
                    "device",
                    "ext4 on a block device with latency");
            result.fact("Read-ahead", "the kernel's: " + READ_AHEAD_KB + " KB on the block device");
        } catch (SkippedException e) {
            result.note("Without a block device with latency: " + e.getMessage() + ".");
        }
    }

    private void measure(
            Context context,
            Result result,
            SlowStorage storage,
            Path place,
            String id,
            String title)
            throws IOException, InterruptedException {
        try (Scope scope = new Scope(context)) {
            Path large =
                    Scratch.file(scope, place.resolve("large.dat"), fileBytes(context.settings()));
            Path small =
                    Scratch.file(scope, place.resolve("small.dat"), smallBytes(context.settings()));
            measure(context, result, storage, large, small, id, title);
        }
    }

    private void measure(
            Context context,
            Result result,
            SlowStorage storage,
            Path large,
            Path small,
            String id,
            String title)
            throws IOException, InterruptedException {
        Settings settings = context.settings();
        ResultTable table =
                new ResultTable(
                        id,
                        title + ": MiB/s",
                        "",
                        PLAIN,
                        PF,
                        DIRECT,
                        "gain " + PF,
                        "gain " + DIRECT,
                        "KB / in flight " + PLAIN,
                        "KB / in flight " + PF,
                        "KB / in flight " + DIRECT);
        List<String> labels = new ArrayList<>();
        Map<String, List<Spread>> lines = new LinkedHashMap<>();
        for (Pattern pattern : patterns(settings)) {
            List<Entrant> entrants =
                    entrants(cache(settings, pattern), List.of(pattern.isSlow() ? small : large));
            Map<String, List<Sample>> samples =
                    new Turns(context, runs(settings))
                            .read(pattern.test(), pattern.recordBytes(), entrants, storage);
            List<Cell> cells = new ArrayList<>();
            List<Spread> rates = new ArrayList<>();
            for (Entrant entrant : entrants) {
                Spread rate = Turns.spread(samples.get(entrant.name()), Turns::mibPerSecond);
                rates.add(rate);
                cells.add(Cell.figure(rate, Unit.MIB_PER_SECOND, runs(settings)));
                lines.computeIfAbsent(entrant.name(), name -> new ArrayList<>()).add(rate);
            }
            for (Spread rate : rates.subList(1, rates.size())) {
                cells.add(Cell.gain(rate, rates.get(0), Better.MORE, runs(settings)));
            }
            for (Entrant entrant : entrants) {
                List<Sample> own = samples.get(entrant.name());
                cells.add(cell(storage.during(own.get(own.size() - 1))));
            }
            table.row(pattern.label(), cells);
            labels.add(pattern.label());
        }
        result.table(table);
        List<LineChart.Plot> plots = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            List<LineChart.Series> bars = new ArrayList<>();
            for (Map.Entry<String, List<Spread>> line : lines.entrySet()) {
                bars.add(Charts.series(line.getKey(), List.of(line.getValue().get(i)), MIB));
            }
            plots.add(new LineChart.Plot(labels.get(i), List.of(""), bars));
        }
        result.chart(new Chart(id, "latency: " + title, plots, ""));
    }

    private static List<Entrant> entrants(String cache, List<Path> files) {
        return List.of(
                new Entrant(PLAIN, "", false, files),
                new Entrant(PF, "[ " + cache + " ]", false, files),
                new Entrant(DIRECT, "[ " + cache + "/direct ]", false, files));
    }
}
