package io.mio.cli.stats;

import io.mio.cli.stats.StatsOptions.Format;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import io.mio.config.NamePattern;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reads the reports of a run, or of two, and shows what they say. */
public final class StatsReport {
    /** Exit status: all of the input was read. */
    public static final int OK = 0;

    /** Exit status: there was nothing in the input to show. */
    public static final int NOTHING = 1;

    /** Exit status: there is a report, but a part of the input is missing in it. */
    public static final int DAMAGED = 3;

    private static final int WARNINGS_MAX = 20;

    private final StatsOptions options;
    private final Terminal terminal;
    private final InputStream stdin;
    private final PrintWriter out;
    private final PrintWriter err;
    private int warnings;
    private boolean damaged;

    /**
     * Makes a report.
     *
     * @param stdin read where an input is {@code -}
     */
    public StatsReport(
            StatsOptions options,
            Terminal terminal,
            InputStream stdin,
            PrintWriter out,
            PrintWriter err) {
        this.options = options;
        this.terminal = terminal;
        this.stdin = stdin;
        this.out = out;
        this.err = err;
    }

    /** What was read of one run. */
    private record Run(RunStats stats, List<InputReport> inputs) {}

    /**
     * Shows one run.
     *
     * @return exit status
     */
    public int show(List<String> names, Format format) {
        Run run = read(names);
        if (run.stats().files().isEmpty()) {
            return nothing(run, names);
        }
        List<Note> notes =
                options.notes() && (format == Format.TABLE || format == Format.JSON)
                        ? Notes.of(run.stats().files())
                        : List.of();
        switch (format) {
            case TABLE -> print(TextReport.lines(run.stats(), options, notes, terminal));
            case CSV -> print(CsvReport.lines(Rows.of(run.stats(), options), options.by()));
            case OPENMETRICS ->
                    print(OpenMetrics.lines(Rows.of(run.stats(), options), options.by()));
            case JSON ->
                    out.println(
                            JsonReport.text(
                                    JsonReport.of(run.stats(), options, notes, run.inputs())));
        }
        out.flush();
        return damaged ? DAMAGED : OK;
    }

    /**
     * Shows what changed from one run to the other.
     *
     * @param format all but {@link Format#OPENMETRICS}
     * @return exit status
     */
    public int compare(List<String> before, List<String> after, Format format) {
        Run first = read(before);
        Run second = read(after);
        if (first.stats().files().isEmpty()) {
            return nothing(first, before);
        }
        if (second.stats().files().isEmpty()) {
            return nothing(second, after);
        }
        Comparison comparison = Comparison.of(first.stats(), second.stats(), options);
        switch (format) {
            case CSV -> print(CompareReport.csv(comparison, options.top()));
            case JSON ->
                    out.println(
                            JsonReport.text(
                                    CompareReport.json(
                                            comparison,
                                            options.top(),
                                            first.inputs(),
                                            second.inputs())));
            default -> print(CompareReport.lines(comparison, options.top(), terminal));
        }
        out.flush();
        return damaged ? DAMAGED : OK;
    }

    private Run read(List<String> names) {
        RunStats stats =
                new RunStats(
                        options.namesMax(),
                        wanted(options.files()),
                        options.by() == StatsOptions.By.PROCESS);
        List<InputReport> inputs;
        try (Progress progress = new Progress(err, terminal, "mio stats")) {
            InputReader reader = new InputReader(stats, stdin, progress);
            names.forEach(reader::read);
            inputs = reader.reports();
        }
        inputs.forEach(this::warn);
        return new Run(stats, inputs);
    }

    private static Predicate<String> wanted(List<String> patterns) {
        if (patterns.isEmpty()) {
            return name -> true;
        }
        List<NamePattern> all = new ArrayList<>();
        patterns.forEach(pattern -> all.add(NamePattern.of(pattern)));
        return name -> all.stream().anyMatch(pattern -> pattern.matches(name));
    }

    private void warn(InputReport input) {
        if (input.failure() != null) {
            warn(input.name() + ": " + input.failure() + "; " + rest(input));
        }
        if (input.mistakes() > 0) {
            warn(input.mistakesInWords());
        }
        if (input.failure() == null && input.mistakes() == 0 && isEmpty(input)) {
            warn(input.name() + ": no report of MIO in it");
        }
    }

    private static String rest(InputReport input) {
        return isEmpty(input) ? "left out" : "what comes before counts";
    }

    private static boolean isEmpty(InputReport input) {
        return input.headers() == 0 && input.blocks() == 0;
    }

    private void warn(String text) {
        damaged = true;
        warnings++;
        if (warnings <= WARNINGS_MAX) {
            err.println("mio stats: " + SafeText.shorten(SafeText.of(text), LINE_MAX));
        } else if (warnings == WARNINGS_MAX + 1) {
            err.println("mio stats: more inputs with mistakes; see --json, inputs");
        }
        err.flush();
    }

    private static final int LINE_MAX = 300;

    private int nothing(Run run, List<String> names) {
        long blocks = run.stats().blocks();
        String why =
                blocks > 0 && !options.files().isEmpty()
                        ? "no file in the report fits --files " + String.join(" ", options.files())
                        : "no report of a file in "
                                + String.join(" ", names)
                                + "; reports are where MIO_STATS said, see docs/Stats.md";
        err.println("mio stats: " + SafeText.shorten(SafeText.of(why), LINE_MAX));
        err.flush();
        return NOTHING;
    }

    private void print(List<String> lines) {
        for (String line : lines) {
            // Not println, which would end the line as the platform does.
            out.print(line);
            out.print('\n');
        }
    }
}
