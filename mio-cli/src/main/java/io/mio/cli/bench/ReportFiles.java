package io.mio.cli.bench;

import io.mio.cli.term.OutputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files a benchmark is reported in. They are begun before anything is measured, and get their
 * names at the end.
 */
public final class ReportFiles implements AutoCloseable {
    /** Names of MIO's reports, also of several processes. */
    private static final String REPORT = ".*\\.stats(\\.[0-9]+)?";

    /** A file and the option that names it. */
    private record Named(String what, Path file) {}

    private final Map<Path, OutputFile> open = new LinkedHashMap<>();
    private final Path output;
    private final List<Path> plots;
    private final Path gnuplot;

    private ReportFiles(Path output, List<Path> plots, Path gnuplot) {
        this.output = output;
        this.plots = plots;
        this.gnuplot = gnuplot;
    }

    /** Begins all files that are not null. */
    static ReportFiles open(
            Path output, List<Path> plots, Path gnuplot, List<Path> measured, Path reports) {
        List<Named> named = new ArrayList<>();
        if (output != null) {
            named.add(new Named("-o " + output, output));
        }
        plots.forEach(plot -> named.add(new Named("--plot " + plot, plot)));
        if (gnuplot != null) {
            named.add(new Named("--gnuplot " + gnuplot, gnuplot));
        }
        checkNames(named, measured, reports);
        ReportFiles files = new ReportFiles(output, plots, gnuplot);
        boolean all = false;
        try {
            for (Named one : named) {
                files.open.put(one.file(), OutputFile.create(one.file()));
            }
            all = true;
        } finally {
            if (!all) {
                files.close();
            }
        }
        return files;
    }

    private static void checkNames(List<Named> named, List<Path> measured, Path reports) {
        for (int i = 0; i < named.size(); i++) {
            Named one = named.get(i);
            for (Path data : measured) {
                Checks.check(
                        !FileNames.isSame(one.file(), data),
                        one.what() + ": is the file that is measured; name another one");
            }
            for (Named before : named.subList(0, i)) {
                Checks.check(
                        !FileNames.isSame(one.file(), before.file()),
                        one.what()
                                + ": is the same file as "
                                + before.what()
                                + "; name another one");
            }
            checkReports(one.what(), one.file(), reports);
        }
        measured.forEach(file -> checkReports(file.toString(), file, reports));
    }

    private static void checkReports(String what, Path file, Path reports) {
        Path place = FileNames.place(file);
        Checks.check(
                reports == null
                        || !FileNames.isSame(place.getParent(), reports)
                        || !place.getFileName().toString().matches(REPORT),
                what + ": may be the name of a report of MIO in --reports; name another file");
    }

    /**
     * Writes the report itself.
     *
     * @param failures gets a line if it cannot be written
     * @return false if the report is not in a file yet: it has none, or that could not be written
     */
    public boolean writeReport(String text, List<String> failures) {
        int before = failures.size();
        if (output != null) {
            write(output, out -> out.write(text.getBytes(StandardCharsets.UTF_8)), failures);
        }
        return output != null && failures.size() == before;
    }

    /**
     * Writes pictures and columns. When one of them fails, the others are written nevertheless.
     *
     * @param failures gets a line for each that cannot be written
     */
    public void writeOthers(BenchReport report, List<String> failures) {
        for (Path plot : plots) {
            write(
                    plot,
                    out -> new BenchChart(report).write(BenchChart.form(plot.toString()), out),
                    failures);
        }
        if (gnuplot != null) {
            write(
                    gnuplot,
                    out ->
                            out.write(
                                    new DataReport(report)
                                            .gnuplot()
                                            .getBytes(StandardCharsets.UTF_8)),
                    failures);
        }
    }

    private void write(Path place, OutputFile.Content content, List<String> failures) {
        OutputFile file = open.get(place);
        try {
            OutputStream out = file.stream();
            content.write(out);
            out.flush();
            file.commit();
        } catch (IOException e) {
            failures.add(place + ": cannot be written: " + OutputFile.reason(e));
        } catch (OutOfMemoryError e) {
            failures.add(place + ": cannot be written: not enough memory");
        }
    }

    /** Gives up the files that were not written. */
    @Override
    public void close() {
        for (OutputFile file : open.values()) {
            try {
                file.close();
            } catch (IOException e) {
                // The file is removed when the process ends.
            }
        }
    }
}
