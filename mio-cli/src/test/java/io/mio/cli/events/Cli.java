package io.mio.cli.events;

import io.mio.cli.term.CliException;
import io.mio.cli.term.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/** Runs {@code mio events} as the command does, and keeps what it prints. */
final class Cli {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final StringWriter err = new StringWriter();
    EventsOptions.Form form = EventsOptions.Form.TEXT;
    boolean summary;
    boolean json;
    boolean anonymize;
    boolean keepExtensions;
    Path output;
    long limit = Long.MAX_VALUE;
    int namesMax = 10_000;
    int top = Integer.MAX_VALUE;

    /**
     * Runs the command.
     *
     * @param filter options that choose events
     * @return exit status
     */
    int run(List<String> inputs, String... filter) {
        FilterOptions options = new FilterOptions();
        new CommandLine(new Holder())
                .addMixin("filter", options)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(filter);
        try {
            return new EventsRun(
                            new EventsOptions(
                                    options,
                                    form,
                                    summary,
                                    json,
                                    output,
                                    limit,
                                    namesMax,
                                    top,
                                    anonymize,
                                    keepExtensions),
                            Terminal.NONE,
                            new PrintStream(out, true, StandardCharsets.UTF_8),
                            new PrintWriter(err, true))
                    .run(inputs);
        } catch (CliException e) {
            err.append(e.getMessage());
            return e.exitStatus();
        }
    }

    int run(Path input, String... filter) {
        return run(List.of(input.toString()), filter);
    }

    String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** The lines of events: all that are no comments. */
    List<String> lines() {
        return text().lines().filter(line -> !line.startsWith("#")).toList();
    }

    @CommandLine.Command
    private static final class Holder {}
}
