package io.mio.cli.experiment;

import io.mio.cli.ClassicReport;
import io.mio.cli.PfBlock;
import io.mio.cli.bench.Spread;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MIO's reports of a measurement, by configuration and run; several programs of one run are added
 * up. For rules whose first and last layers are {@code trace/stats}.
 */
public final class Reports {
    /** Part of the names of files on which a JVM is warmed up: they are not measured. */
    private static final String WARM_UP = "/warm-up/";

    /**
     * End of the names that {@code BenchRun} gives: the run comes last, with a number behind it if
     * there are several programs.
     */
    private static final Pattern RUN = Pattern.compile("-(\\d+)\\.stats(\\.\\d+)?$");

    private static final Set<String> LAST_LAYER = Set.of("os", "aix", "posix");

    /**
     * What the programs of one run did, and what of it reached the system.
     *
     * @param programRequests reads and writes of the programs
     * @param systemRequests reads and writes that reached the system
     * @param prefetches pages read ahead
     * @param writeBehinds pages written without waiting
     * @param readBytes bytes that the programs read
     * @param fetchedBytes bytes that pf read for them
     */
    public record Counts(
            long programRequests,
            long systemRequests,
            long prefetches,
            long unusedPrefetches,
            long writeBehinds,
            long readBytes,
            long fetchedBytes) {
        private static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

        private Counts plus(Counts other) {
            return new Counts(
                    programRequests + other.programRequests,
                    systemRequests + other.systemRequests,
                    prefetches + other.prefetches,
                    unusedPrefetches + other.unusedPrefetches,
                    writeBehinds + other.writeBehinds,
                    readBytes + other.readBytes,
                    fetchedBytes + other.fetchedBytes);
        }
    }

    private Reports() {}

    /**
     * Reads the reports of a configuration.
     *
     * @param dir of {@link Measuring#reports}
     * @return the counts of each run, in their order
     * @throws IOException if there is none, or it is no report
     */
    public static List<Counts> of(Path dir, String configuration) throws IOException {
        TreeMap<Integer, Counts> runs = new TreeMap<>();
        for (Path file : files(dir)) {
            String name = file.getFileName().toString();
            Matcher run = RUN.matcher(name);
            if (name.startsWith(configuration + "-") && run.find()) {
                Counts counts = counts(Files.readString(file));
                runs.merge(Integer.valueOf(run.group(1)), counts, Counts::plus);
            }
        }
        if (runs.isEmpty()) {
            throw new IOException(configuration + ": MIO left no report");
        }
        return List.copyOf(runs.values());
    }

    /** Returns the text of the first report of a configuration. */
    public static String text(Path dir, String configuration) throws IOException {
        for (Path file : files(dir)) {
            if (file.getFileName().toString().startsWith(configuration + "-")) {
                return Files.readString(file);
            }
        }
        throw new IOException(configuration + ": MIO left no report");
    }

    /** Removes all reports. */
    public static void remove(Path dir) throws IOException {
        for (Path file : files(dir)) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(dir);
    }

    private static List<Path> files(Path dir) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(dir)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(dir)) {
                found.forEach(files::add);
            }
        }
        files.sort(Comparator.naturalOrder());
        return files;
    }

    static Counts counts(String text) throws IOException {
        ClassicReport report = ClassicReport.parse(text);
        Counts sum = Counts.NONE;
        for (ClassicReport.Block block : report.blocks()) {
            if (block.file().contains(WARM_UP)) {
                continue;
            }
            long requests = 0;
            for (String row : List.of("write", "awrite", "read", "aread")) {
                ClassicReport.Row found = block.rows().get(row);
                requests += found == null ? 0 : found.count();
            }
            boolean top = "program".equals(block.above());
            boolean bottom = LAST_LAYER.contains(block.below());
            sum = sum.plus(new Counts(top ? requests : 0, bottom ? requests : 0, 0, 0, 0, 0, 0));
        }
        for (PfBlock block : report.pfBlocks()) {
            if (block.isOfFile() && !block.of().contains(WARM_UP)) {
                sum =
                        sum.plus(
                                new Counts(
                                        0,
                                        0,
                                        block.prefetches(),
                                        block.unusedPrefetches(),
                                        block.writeBehinds(),
                                        block.programReads().amount(),
                                        block.pageReads().amount()));
            }
        }
        if (sum.programRequests() == 0) {
            throw new IOException("a report without a trace next to the program");
        }
        return sum;
    }

    /** Returns a cell with a figure of all runs. */
    public static Cell cell(List<Counts> runs, Unit unit, ToDoubleFunction<Counts> figure) {
        return Cell.figure(
                Spread.of(runs.stream().mapToDouble(figure).toArray()), unit, runs.size());
    }
}
