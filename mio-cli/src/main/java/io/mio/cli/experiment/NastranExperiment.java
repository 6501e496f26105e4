package io.mio.cli.experiment;

import io.mio.cli.bench.BenchOptions.Door;
import io.mio.cli.bench.BenchTest;
import io.mio.cli.bench.Cleanup;
import io.mio.cli.bench.Measured;
import io.mio.cli.bench.Sample;
import io.mio.cli.bench.Sizes;
import io.mio.cli.bench.Spread;
import io.mio.cli.demo.MemoryGroup;
import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.Amounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Several copies of an out-of-core solver at once, each with a scratch file: requests of 128 KB,
 * and passes in the proportions of the document's trace, which are those of {@link
 * BenchTest#SOLVER}.
 */
final class NastranExperiment implements Experiment {
    private static final long MIB = 1 << 20;
    private static final int RECORD_BYTES = 131_072;

    private static final String PLAIN = "plain";
    private static final String SMALL = "pf_small";
    private static final String LARGE = "pf_large";

    /** Passes over a file that is written and read 17 1/3 times. */
    private static final double PASSES = 52.0 / 3;

    /** File size for one byte of cache: the document's 150 pages of 2 MB for 16277 MB. */
    private static final long FILE_PER_SMALL_CACHE = 54;

    private static final long FILE_PER_LARGE_CACHE = 8;

    /**
     * Scratch bytes for one of page cache: the document's 32 GB less 2 GB for each copy, for eight
     * files of 16277 MB.
     */
    private static final long SCRATCH_PER_PAGE_CACHE = 8;

    /** Memory beside files and caches: of a JVM that has all copies, and of each C program. */
    private static final long JVM_BYTES = 160 * MIB;

    private static final long NATIVE_BYTES = 16 * MIB;

    @Override
    public String name() {
        return "nastran";
    }

    @Override
    public String question() {
        return "What do several out-of-core solvers at once gain on their scratch files?";
    }

    @Override
    public String document() {
        return "MSC.Nastran, traced: a scratch file of 16277 MB, 8 copies on 16 processors, 32 GB";
    }

    private static long fileBytes(Settings settings) {
        long bytes = settings.bytes(2 * MIB, 256 * MIB, 16_277 * MIB);
        return Math.max(1, bytes / RECORD_BYTES) * RECORD_BYTES;
    }

    private static int copies(Settings settings) {
        return settings.scale().choose(2, 4, 8);
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 2, 1);
    }

    /** Returns a page size of which at least eight fit into the small cache. */
    private static long pageBytes(Settings settings) {
        long page = 2 * MIB;
        while (page > RECORD_BYTES && fileBytes(settings) / FILE_PER_SMALL_CACHE < 8 * page) {
            page /= 2;
        }
        return page;
    }

    /** Returns whether all copies are in one JVM, where they share a cache. */
    private static boolean isOneProcess(Settings settings) {
        return settings.door() == Door.JVM;
    }

    private static long cacheBytes(Settings settings, long filePerCache) {
        long page = pageBytes(settings);
        long own = Math.max(8, fileBytes(settings) / filePerCache / page) * page;
        return isOneProcess(settings) ? copies(settings) * own : own;
    }

    private static String rule(Settings settings, long filePerCache) {
        return "[ trace/stats | pf/cache="
                + Sizes.text(cacheBytes(settings, filePerCache))
                + "/page="
                + Sizes.text(pageBytes(settings))
                + "/pref=3/direct/stats | trace/stats ]";
    }

    /**
     * Returns a limit that is the same for all configurations; what pf's caches take is lost to the
     * kernel's page cache.
     */
    private static long memoryBytes(Settings settings) {
        long own = isOneProcess(settings) ? JVM_BYTES : copies(settings) * NATIVE_BYTES;
        return own + copies(settings) * fileBytes(settings) / SCRATCH_PER_PAGE_CACHE;
    }

    @Override
    public Estimate estimate(Settings settings) {
        long scratch = copies(settings) * fileBytes(settings);
        int starts = 3 * runs(settings);
        return new Estimate(scratch, (long) (PASSES * scratch * starts), starts * copies(settings));
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        long memory = allowedMemory(settings);
        Path reports = context.dir().resolve("reports");
        Cleanup.Action removing = () -> Reports.remove(reports);
        context.cleanup().begin(() -> Files.createDirectory(reports), removing);
        try {
            Measuring measuring =
                    new Measuring(runs(settings))
                            .tests(BenchTest.SOLVER)
                            .fileBytes(fileBytes(settings))
                            .recordBytes(RECORD_BYTES)
                            .close()
                            .memoryBytes(memory)
                            .reports(reports)
                            .configuration(PLAIN, "")
                            .configuration(SMALL, rule(settings, FILE_PER_SMALL_CACHE))
                            .configuration(LARGE, rule(settings, FILE_PER_LARGE_CACHE));
            List<Measured> rows =
                    context.measure(
                            isOneProcess(settings)
                                    ? measuring.threads(copies(settings))
                                    : measuring.processes(copies(settings)));
            Result result = result(settings, memory, rows, reports);
            new MumpsSolver(context, runs(settings)).addTo(result);
            return result;
        } finally {
            context.cleanup().end(removing);
        }
    }

    /** Returns the limit of memory; 0 where a limit is not allowed. */
    private static long allowedMemory(Settings settings) throws IOException, InterruptedException {
        MemoryGroup group = MemoryGroup.open("mio-bench", memoryBytes(settings));
        if (group == null) {
            return 0;
        }
        group.close();
        return memoryBytes(settings);
    }

    private static Result result(Settings settings, long memory, List<Measured> rows, Path reports)
            throws IOException {
        Result result = new Result();
        result.fact(
                "Files",
                copies(settings)
                        + (isOneProcess(settings) ? " threads of one JVM" : " programs")
                        + " at once, a scratch file of "
                        + Amounts.bytes(fileBytes(settings))
                        + " each, requests of 128 KB");
        result.fact(
                "Memory",
                memory == 0
                        ? "not limited: a memory cgroup is not allowed here"
                        : Amounts.bytes(memory)
                                + " for all copies and their page cache, by a cgroup");
        result.fact(PLAIN, "without MIO");
        result.fact(SMALL, rule(settings, FILE_PER_SMALL_CACHE));
        result.fact(LARGE, rule(settings, FILE_PER_LARGE_CACHE));
        result.table(times(rows));
        result.table(requests(reports));
        result.chart(chart(rows));
        result.report(SMALL, Reports.text(reports, SMALL));
        result.report(LARGE, Reports.text(reports, LARGE));
        result.note("Gain: how many times better than without MIO; below 1 it is worse.");
        result.note(
                "The document gives no time without MIO that can be compared: its chart of gains is"
                        + " a picture without figures. Its rate at the program is of one copy of"
                        + " eight.");
        if (memory == 0) {
            result.note(
                    "Without a limit of memory the scratch files stay in the kernel's page cache,"
                            + " and there is nothing to gain.");
        }
        return result;
    }

    private static ResultTable times(List<Measured> rows) {
        ResultTable table =
                new ResultTable(
                        "times",
                        "All copies, from their beginning to the last close",
                        "",
                        "elapsed, s",
                        "gain",
                        "rate, MiB/s",
                        "CPU, s",
                        "gain of CPU",
                        "from device, MiB",
                        "to device, MiB");
        Spread elapsed = rows.get(0).spread(NastranExperiment::seconds);
        Spread cpu = rows.get(0).spread(NastranExperiment::cpuSeconds);
        for (Measured row : rows) {
            int runs = row.samples().size();
            boolean first = row.configuration().equals(PLAIN);
            Spread own = row.spread(NastranExperiment::seconds);
            Spread ownCpu = row.spread(NastranExperiment::cpuSeconds);
            table.row(
                    row.configuration(),
                    Cell.figure(own, Unit.SECONDS, runs),
                    first ? Cell.none() : Cell.gain(own, elapsed, Better.LESS, runs),
                    Cell.figure(
                            row.spread(one -> one.kbPerSecond() / 1024), Unit.MIB_PER_SECOND, runs),
                    Cell.figure(ownCpu, Unit.SECONDS, runs),
                    first ? Cell.none() : Cell.gain(ownCpu, cpu, Better.LESS, runs),
                    mib(row, Sample::deviceReadBytes),
                    mib(row, Sample::deviceWrittenBytes));
        }
        return table;
    }

    private static double seconds(Sample sample) {
        return sample.elapsedNanos() / 1e9;
    }

    private static double cpuSeconds(Sample sample) {
        return sample.cpuNanos() / 1e9;
    }

    private static Cell mib(Measured row, ToDoubleFunction<Sample> bytes) {
        return Cell.figure(
                row.spread(one -> bytes.applyAsDouble(one) / MIB), Unit.MIB, row.samples().size());
    }

    private static ResultTable requests(Path reports) throws IOException {
        List<Reports.Counts> small = Reports.of(reports, SMALL);
        List<Reports.Counts> large = Reports.of(reports, LARGE);
        ResultTable table =
                new ResultTable(
                        "requests",
                        "What pf made of the requests, all copies; the document's of one file",
                        "",
                        SMALL,
                        LARGE,
                        "document");
        row(
                table,
                small,
                large,
                "requests of the program",
                Reports.Counts::programRequests,
                2_255_569);
        row(table, small, large, "requests to the system", Reports.Counts::systemRequests, 146_510);
        table.row(
                "times fewer",
                Reports.cell(small, Unit.TIMES, NastranExperiment::fewer),
                Reports.cell(large, Unit.TIMES, NastranExperiment::fewer),
                Cell.givenGain(146_510, 2_255_569, Better.LESS));
        table.row(
                "pages read ahead that were used, %",
                Reports.cell(small, Unit.PERCENT, NastranExperiment::usedPercent),
                Reports.cell(large, Unit.PERCENT, NastranExperiment::usedPercent),
                Cell.given(100.0 * 138_316 / 139_754, Unit.PERCENT));
        table.row(
                "fetched of what the program read, %",
                Reports.cell(small, Unit.PERCENT, NastranExperiment::fetchedPercent),
                Reports.cell(large, Unit.PERCENT, NastranExperiment::fetchedPercent),
                Cell.given(100.0 * 217_469 / 222_172, Unit.PERCENT));
        row(table, small, large, "pages written behind", Reports.Counts::writeBehinds, 29_576);
        return table;
    }

    private static void row(
            ResultTable table,
            List<Reports.Counts> small,
            List<Reports.Counts> large,
            String name,
            ToDoubleFunction<Reports.Counts> figure,
            long given) {
        table.row(
                name,
                Reports.cell(small, Unit.COUNT, figure),
                Reports.cell(large, Unit.COUNT, figure),
                Cell.given((double) given, Unit.COUNT));
    }

    private static double fewer(Reports.Counts counts) {
        return (double) counts.programRequests() / Math.max(1, counts.systemRequests());
    }

    private static double usedPercent(Reports.Counts counts) {
        return 100.0
                * (counts.prefetches() - counts.unusedPrefetches())
                / Math.max(1, counts.prefetches());
    }

    private static double fetchedPercent(Reports.Counts counts) {
        return 100.0 * counts.fetchedBytes() / Math.max(1, counts.readBytes());
    }

    private static Chart chart(List<Measured> rows) {
        List<LineChart.Series> elapsed = new ArrayList<>();
        List<LineChart.Series> cpu = new ArrayList<>();
        for (Measured row : rows) {
            elapsed.add(
                    Charts.series(row.configuration(), List.of(row.spread(Sample::elapsedNanos))));
            cpu.add(Charts.series(row.configuration(), List.of(row.spread(Sample::cpuNanos))));
        }
        return new Chart(
                "",
                "nastran: several solvers at once",
                List.of(
                        new LineChart.Plot("elapsed", List.of(""), elapsed, LineChart.Scale.TIME),
                        new LineChart.Plot(
                                "processors, all copies", List.of(""), cpu, LineChart.Scale.TIME)),
                "");
    }
}
