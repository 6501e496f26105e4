package io.mio.cli.experiment;

import io.mio.cli.bench.BenchTest;
import io.mio.cli.bench.Measured;
import io.mio.cli.bench.Sizes;
import io.mio.cli.bench.Spread;
import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.Amounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * IOzone's tests 0 and 1 with records of 1 KB to 8 MB on one file: without MIO, without the page
 * cache, and with MIO's cache for requests below a limit only.
 */
final class IozoneExperiment implements Experiment {
    private static final long KB = 1024;
    private static final long MIB = 1 << 20;
    private static final BenchTest[] TESTS = {
        BenchTest.WRITE, BenchTest.REWRITE, BenchTest.READ, BenchTest.REREAD
    };
    private static final String BUFFERED = "buffered";
    private static final String UNBUFFERED = "unbuffered";
    private static final String AT_256K = "pf_256k";
    private static final String AT_64K = "pf_64k";
    private static final String PF = "pf";
    private static final String CACHE = "pf/cache=32m/page=1m/direct";

    /** The document's three tables, by the names of configurations here. */
    private static final Map<String, List<IozoneFigures>> DOCUMENT =
            Map.of(
                    UNBUFFERED, IozoneFigures.UNBUFFERED,
                    BUFFERED, IozoneFigures.BUFFERED,
                    AT_64K, IozoneFigures.AT_64K);

    @Override
    public String name() {
        return "iozone";
    }

    @Override
    public String question() {
        return "Which sizes of requests gain from a cache, and which should go past it?";
    }

    @Override
    public String document() {
        return "IOzone on VxFS, 2010: 64 MB, records of 1 KB to 8 MB, one 36 GB disk";
    }

    private static long fileBytes(Settings settings) {
        return settings.bytes(512 * KB, 64 * MIB, 64 * MIB);
    }

    private static List<Long> records(Settings settings) {
        return settings.scale() == Scale.SMALL
                ? List.of(32 * KB, 64 * KB, 128 * KB, 256 * KB)
                : Sizes.doubling(KB, Math.min(8 * MIB, fileBytes(settings)));
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 2, 5);
    }

    private static Map<String, String> configurations() {
        Map<String, String> rules = new LinkedHashMap<>();
        rules.put(BUFFERED, "");
        rules.put(UNBUFFERED, "[ mio/direct ]");
        rules.put(AT_256K, "[ " + CACHE + "/discovered_direct=256k ]");
        rules.put(AT_64K, "[ " + CACHE + "/discovered_direct=64k ]");
        rules.put(PF, "[ " + CACHE + " ]");
        return rules;
    }

    @Override
    public Estimate estimate(Settings settings) {
        int starts = configurations().size() * records(settings).size() * runs(settings);
        return new Estimate(
                fileBytes(settings), TESTS.length * fileBytes(settings) * starts, starts);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        Measuring measuring =
                new Measuring(runs(settings))
                        .tests(TESTS)
                        .fileBytes(fileBytes(settings))
                        .recordBytes(
                                records(settings).stream().mapToLong(Long::longValue).toArray())
                        .flush();
        Result result = new Result();
        result.fact("File", Amounts.bytes(fileBytes(settings)) + ", the time includes fsync");
        configurations()
                .forEach(
                        (name, rule) -> {
                            measuring.configuration(name, rule);
                            result.fact(name, rule.isEmpty() ? "without MIO" : rule);
                        });
        Rows rows = new Rows(context.measure(measuring), records(settings), runs(settings));
        for (BenchTest test : TESTS) {
            result.table(rows.rates(test));
        }
        for (BenchTest test : TESTS) {
            result.table(rows.ratios(test));
        }
        result.table(rows.limits());
        result.chart(rows.byConfiguration());
        result.chart(rows.byTest());
        result.note(
                "The document's files were in memory when they were read, in all three of its"
                        + " tables: its rates are many times those of one disk. Here read is cold,"
                        + " which is enforced, and reread is right after it.");
        result.note(
                "VxFS sends requests of a size past its cache; discovered_direct does that in MIO's"
                        + " cache. The document's buffered table has a limit of 256 KB as well:"
                        + " there is nothing like it in Linux, so that here "
                        + BUFFERED
                        + " is the page cache for all sizes.");
        result.note(
                "MIO's cache lives as long as the file is open, and each test opens it anew: a"
                        + " reread through it is a second cold read.");
        return result;
    }

    /** The measured rows, and tables of them. */
    private static final class Rows {
        private final List<Measured> rows;
        private final List<Long> records;
        private final int runs;

        Rows(List<Measured> rows, List<Long> records, int runs) {
            this.rows = rows;
            this.records = records;
            this.runs = runs;
        }

        /** Returns the rate in MiB per second; null if the test did not run. */
        private Spread spread(String configuration, BenchTest test, long record) {
            for (Measured row : rows) {
                if (row.configuration().equals(configuration)
                        && row.test() == test
                        && row.recordBytes() == record) {
                    return row.spread(one -> one.kbPerSecond() / KB);
                }
            }
            return null;
        }

        private Cell figure(String configuration, BenchTest test, long record) {
            Spread spread = spread(configuration, test, record);
            return spread == null ? Cell.none() : Cell.figure(spread, Unit.MIB_PER_SECOND, runs);
        }

        ResultTable rates(BenchTest test) {
            List<String> headings = new ArrayList<>(List.of("record"));
            headings.addAll(configurations().keySet());
            ResultTable table =
                    new ResultTable(
                            test.id(), test.id() + ", MiB/s", headings.toArray(String[]::new));
            for (long record : records) {
                List<Cell> cells = new ArrayList<>();
                for (String one : configurations().keySet()) {
                    cells.add(figure(one, test, record));
                }
                table.row(Sizes.text(record), cells);
            }
            return table;
        }

        ResultTable ratios(BenchTest test) {
            ResultTable table =
                    new ResultTable(
                            test.id() + "_ratios",
                            test.id() + ": rates as multiples of " + BUFFERED,
                            "record",
                            UNBUFFERED,
                            AT_256K,
                            AT_64K,
                            PF,
                            "document unbuffered",
                            "document limit 64k");
            for (long record : records) {
                List<Cell> cells = new ArrayList<>();
                for (String one : List.of(UNBUFFERED, AT_256K, AT_64K, PF)) {
                    cells.add(gain(one, record, BUFFERED, record, test));
                }
                for (String one : List.of(UNBUFFERED, AT_64K)) {
                    cells.add(given(one, record, BUFFERED, record, test));
                }
                table.row(Sizes.text(record), cells);
            }
            return table;
        }

        private Cell gain(
                String own, long ownRecord, String base, long baseRecord, BenchTest test) {
            Spread above = spread(own, test, ownRecord);
            Spread below = spread(base, test, baseRecord);
            return above == null || below == null
                    ? Cell.none()
                    : Cell.gain(above, below, Better.MORE, runs);
        }

        private static Cell given(
                String own, long ownRecord, String base, long baseRecord, BenchTest test) {
            Double above = IozoneFigures.of(DOCUMENT.get(own), ownRecord, test);
            Double below = IozoneFigures.of(DOCUMENT.get(base), baseRecord, test);
            return above == null || below == null
                    ? Cell.none()
                    : Cell.givenGain(above, below, Better.MORE);
        }

        /** Returns a table of what doubling the record does, at the sizes where the limits are. */
        ResultTable limits() {
            ResultTable table =
                    new ResultTable(
                            "limits",
                            "From one size of records to twice of it: rates as multiples of the"
                                    + " smaller one's",
                            "",
                            BUFFERED,
                            UNBUFFERED,
                            AT_256K,
                            AT_64K,
                            PF,
                            "document limit 256k",
                            "document unbuffered",
                            "document limit 64k");
            for (BenchTest test : TESTS) {
                for (long record : List.of(64 * KB, 256 * KB)) {
                    List<Cell> cells = new ArrayList<>();
                    for (String one : configurations().keySet()) {
                        cells.add(gain(one, record, one, record / 2, test));
                    }
                    for (String one : List.of(BUFFERED, UNBUFFERED, AT_64K)) {
                        cells.add(given(one, record, one, record / 2, test));
                    }
                    table.row(
                            test.id() + ", " + Sizes.text(record / 2) + " to " + Sizes.text(record),
                            cells);
                }
            }
            return table;
        }

        private LineChart.Series series(String label, String configuration, BenchTest test) {
            List<Spread> spreads = new ArrayList<>();
            records.forEach(record -> spreads.add(spread(configuration, test, record)));
            return Charts.series(label, spreads, MIB);
        }

        private List<String> categories() {
            return records.stream().map(Sizes::text).toList();
        }

        /**
         * Returns a chart like the document's: a picture of each configuration, with a line for
         * each test.
         */
        Chart byConfiguration() {
            List<LineChart.Plot> plots = new ArrayList<>();
            for (String one : configurations().keySet()) {
                List<LineChart.Series> lines = new ArrayList<>();
                for (BenchTest test : TESTS) {
                    lines.add(series(test.id(), one, test));
                }
                plots.add(new LineChart.Plot(one, categories(), lines));
            }
            return new Chart("", "iozone: rates by record", plots, "record");
        }

        Chart byTest() {
            List<LineChart.Plot> plots = new ArrayList<>();
            for (BenchTest test : TESTS) {
                List<LineChart.Series> lines = new ArrayList<>();
                for (String one : configurations().keySet()) {
                    lines.add(series(one, one, test));
                }
                plots.add(new LineChart.Plot(test.id(), categories(), lines));
            }
            return new Chart("tests", "iozone: rates by record and test", plots, "record");
        }
    }
}
