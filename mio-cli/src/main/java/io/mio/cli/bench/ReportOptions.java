package io.mio.cli.bench;

import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of {@code mio bench} that say in which form it is reported, and where to. */
public final class ReportOptions {
    @Option(
            names = {"-O", "--operations"},
            description = "Tables show calls per second instead of KB per second.")
    private boolean operations;

    @Option(names = "--json", description = "Print JSON instead, every run in full.")
    private boolean json;

    @Option(names = "--csv", description = "Print CSV instead.")
    private boolean csv;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the report there, not to standard output.")
    private Path output;

    @Option(
            names = "--gnuplot",
            paramLabel = "FILE",
            description = "Write columns for gnuplot as well.")
    private Path gnuplot;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Draw rates by record as well: FILE.svg, FILE.png or FILE.html. May be"
                            + " repeated.")
    private List<Path> plots = new ArrayList<>();

    /**
     * Checks that the options go together.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    void check() {
        Checks.check(!(json && csv), "--json and --csv exclude each other");
        for (Path plot : plots) {
            Checks.check(
                    BenchChart.form(plot.toString()) != null,
                    "--plot: " + plot + ": name a file that ends in .svg, .png or .html");
        }
    }

    /**
     * Begins the files that are asked for, so that a file that cannot be written is known before
     * anything is measured.
     *
     * @param measured files that are measured
     * @param reports directory of MIO's reports; null for none
     * @throws IllegalArgumentException if two are one file
     * @throws io.mio.cli.term.CliException if one cannot be written
     */
    public ReportFiles open(List<Path> measured, Path reports) {
        return ReportFiles.open(output, plots, gnuplot, measured, reports);
    }

    /** Returns the report in the form that is asked for. */
    public String text(BenchReport report) throws IOException {
        DataReport data = new DataReport(report);
        if (json) {
            return data.json() + "\n";
        }
        if (csv) {
            return data.csv();
        }
        Terminal terminal = output == null ? Terminal.ofProcess() : Terminal.NONE;
        return String.join("\n", new TextReport(report, operations, terminal).lines()) + "\n";
    }
}
