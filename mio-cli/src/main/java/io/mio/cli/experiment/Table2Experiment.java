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
import java.util.List;
import java.util.Map;

/**
 * A file read from end to end in requests of 1 byte, 4 KB and 10 MB: cached, direct, and through
 * pf.
 */
final class Table2Experiment implements Experiment {
    private static final long KB = 1024;
    private static final long MIB = 1 << 20;
    private static final double NANOS = 1e9;
    private static final String CACHED = "cached";
    private static final String DIRECT = "direct";
    private static final String PF = "pf";
    private static final String PF_RULE = "[ pf/cache=64m/page=2m/direct ]";

    /** Bytes that a program without a cache reads for a single byte: a block. */
    private static final long BLOCK_BYTES = 4 * KB;

    /** A row of the document's table: seconds, and KB that were read from the disks. */
    private record Row(
            long increment,
            double cachedSeconds,
            double cachedKb,
            double directSeconds,
            double directKb) {}

    private static final List<Row> DOCUMENT =
            List.of(
                    new Row(1, 1.59, 1036, 185.27, 4_194_320),
                    new Row(4 * KB, 21.18, 1_045_982, 104.31, 1_045_986),
                    new Row(10 * MIB, 20.59, 1_048_592, 6.81, 1_048_596));

    @Override
    public String name() {
        return "table2";
    }

    @Override
    public String question() {
        return "Which sizes of reads does direct I/O help, and which does it harm?";
    }

    @Override
    public String document() {
        return "JFS2 on AIX 5.2, 2003: 1 MB by 1 byte, 1 GB by 4 KB and by 10 MB; read-ahead of 2"
                + " to 8 pages";
    }

    private static long fileBytes(Settings settings) {
        return Math.max(1, settings.bytes(10 * MIB, 100 * MIB, 1000 * MIB) / (10 * MIB)) * 10 * MIB;
    }

    /**
     * Returns the size of the file that is read byte by byte: the document's thousandth of the
     * other file, or less, as each byte is a request.
     */
    private static long bytewise(Settings settings) {
        long part = settings.scale() == Scale.FULL ? 1000 : 4000;
        return Math.max(BLOCK_BYTES, fileBytes(settings) / part / BLOCK_BYTES * BLOCK_BYTES);
    }

    private static int runs(Settings settings) {
        return settings.runs(1, 3, 5);
    }

    @Override
    public Estimate estimate(Settings settings) {
        int starts = 9 * runs(settings);
        long bytes = fileBytes(settings) + bytewise(settings) * (1 + BLOCK_BYTES);
        return new Estimate(bytes, 3L * runs(settings) * (fileBytes(settings) + bytes), starts);
    }

    @Override
    public Result run(Context context) throws IOException, InterruptedException {
        Settings settings = context.settings();
        Result result = new Result();
        result.fact("File", Amounts.bytes(fileBytes(settings)));
        result.fact("By byte", "a file of " + Amounts.bytes(bytewise(settings)));
        result.fact(CACHED, "without MIO");
        result.fact(DIRECT, "without MIO, opened with O_DIRECT");
        result.fact(PF, PF_RULE);
        ResultTable seconds =
                new ResultTable(
                        "elapsed",
                        "Elapsed time in seconds, and how many times better than " + CACHED,
                        "increment",
                        CACHED,
                        DIRECT,
                        PF,
                        "gain " + DIRECT,
                        "gain " + PF,
                        "document " + CACHED,
                        "document " + DIRECT,
                        "document gain " + DIRECT);
        ResultTable amounts =
                new ResultTable(
                        "device",
                        "KB read from the device, and times what the program asked for",
                        "increment",
                        CACHED,
                        DIRECT,
                        PF,
                        CACHED + ", times",
                        DIRECT + ", times",
                        PF + ", times",
                        "document " + CACHED + ", times",
                        "document " + DIRECT + ", times");
        List<LineChart.Plot> plots = new ArrayList<>();
        try (Scope scope = new Scope(context)) {
            Path large = Scratch.file(scope, scope.dir().resolve("large.dat"), fileBytes(settings));
            for (Row row : DOCUMENT) {
                List<List<Sample>> samples =
                        row.increment() == 1
                                ? byByte(context)
                                : byRecord(context, large, row.increment());
                long bytes = row.increment() == 1 ? bytewise(settings) : fileBytes(settings);
                add(seconds, amounts, row, samples, bytes, runs(settings));
                plots.add(plot(row.increment(), samples));
            }
        }
        result.table(seconds).table(amounts);
        result.chart(new Chart("", "table2: from end to end", plots, ""));
        result.note(
                "By 1 byte: Linux refuses a direct read of a byte (EINVAL), where JFS2 read a block"
                        + " of 4 KB for each and dropped it. So here "
                        + DIRECT
                        + " is what a program has to do then: a direct read of 4 KB for each byte"
                        + " of the file, of blocks side by side.");
        result.note(
                "The document's files were 1 MB (by 1 byte) and 1 GB; its ratios stand beside those"
                        + " of the sizes above.");
        return result;
    }

    private static List<Entrant> entrants(Path file) {
        return List.of(
                new Entrant(CACHED, "", false, List.of(file)),
                new Entrant(DIRECT, "", true, List.of(file)),
                new Entrant(PF, PF_RULE, false, List.of(file)));
    }

    private static List<List<Sample>> byRecord(Context context, Path file, long record)
            throws IOException, InterruptedException {
        Map<String, List<Sample>> samples =
                new Turns(context, runs(context.settings()))
                        .read(BenchTest.READ, record, entrants(file));
        return List.of(samples.get(CACHED), samples.get(DIRECT), samples.get(PF));
    }

    private static List<List<Sample>> byByte(Context context)
            throws IOException, InterruptedException {
        long bytes = bytewise(context.settings());
        try (Scope scope = new Scope(context)) {
            Path small = Scratch.file(scope, scope.dir().resolve("small.dat"), bytes);
            Path blocks = scope.dir().resolve("blocks.dat");
            Scratch.file(scope, blocks, bytes * BLOCK_BYTES);
            Turns turns = new Turns(context, runs(context.settings()));
            Map<String, List<Sample>> byByte =
                    turns.read(
                            BenchTest.READ,
                            1,
                            List.of(entrants(small).get(0), entrants(small).get(2)));
            Map<String, List<Sample>> byBlock =
                    turns.read(BenchTest.READ, BLOCK_BYTES, List.of(entrants(blocks).get(1)));
            return List.of(byByte.get(CACHED), byBlock.get(DIRECT), byByte.get(PF));
        }
    }

    /** Adds a row to both tables. The samples are those of cached, direct and pf. */
    private static void add(
            ResultTable seconds,
            ResultTable amounts,
            Row row,
            List<List<Sample>> samples,
            long bytes,
            int runs) {
        List<Cell> times = new ArrayList<>();
        List<Cell> gains = new ArrayList<>();
        List<Cell> kilobytes = new ArrayList<>();
        List<Cell> shares = new ArrayList<>();
        Spread cached = Turns.spread(samples.get(0), one -> one.elapsedNanos() / NANOS);
        for (List<Sample> one : samples) {
            Spread took = Turns.spread(one, sample -> sample.elapsedNanos() / NANOS);
            times.add(Cell.figure(took, Unit.SECONDS, runs));
            if (!gains.isEmpty() || one != samples.get(0)) {
                gains.add(Cell.gain(took, cached, Better.LESS, runs));
            }
            Spread read = Turns.spread(one, sample -> (double) sample.deviceReadBytes() / KB);
            kilobytes.add(Cell.figure(read, Unit.COUNT, runs));
            shares.add(Cell.figure(times(read, bytes), Unit.SECONDS, runs));
        }
        times.addAll(gains);
        times.add(Cell.given(row.cachedSeconds(), Unit.SECONDS));
        times.add(Cell.given(row.directSeconds(), Unit.SECONDS));
        times.add(Cell.givenGain(row.directSeconds(), row.cachedSeconds(), Better.LESS));
        seconds.row(Sizes.text(row.increment()), times);
        kilobytes.addAll(shares);
        double asked = row.increment() == 1 ? KB : MIB;
        kilobytes.add(Cell.given(row.cachedKb() / asked, Unit.SECONDS));
        kilobytes.add(Cell.given(row.directKb() / asked, Unit.SECONDS));
        amounts.row(Sizes.text(row.increment()), kilobytes);
    }

    private static Spread times(Spread kilobytes, long bytes) {
        double asked = (double) bytes / KB;
        return new Spread(
                kilobytes.median() / asked, kilobytes.least() / asked, kilobytes.most() / asked);
    }

    private static LineChart.Plot plot(long increment, List<List<Sample>> samples) {
        List<LineChart.Series> bars = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            Spread took = Turns.spread(samples.get(i), Sample::elapsedNanos);
            bars.add(Charts.series(List.of(CACHED, DIRECT, PF).get(i), List.of(took)));
        }
        return new LineChart.Plot(
                "elapsed, by " + Sizes.text(increment), List.of(""), bars, LineChart.Scale.TIME);
    }
}
