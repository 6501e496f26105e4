package io.mio.cli;

import io.mio.cli.events.EventsRun;
import io.mio.cli.events.FilterOptions;
import io.mio.cli.plot.Labels;
import io.mio.cli.plot.PlotOptions;
import io.mio.cli.plot.PlotWriter;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunReader;
import io.mio.cli.plot.draw.PictureOptions;
import io.mio.cli.plot.draw.PngWriter;
import io.mio.cli.plot.draw.SvgWriter;
import io.mio.cli.plot.html.PageOptions;
import io.mio.cli.plot.html.PlotPage;
import io.mio.cli.plot.term.TermWriter;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.Choice;
import io.mio.cli.term.CliException;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mio plot}: draws pictures of events. */
@Command(
        name = "plot",
        description = {
            "Draws what a program did with its files, over time: offsets, bandwidth, requests in"
                    + " flight, pages of the cache, latency and sizes.",
            "",
            "Reads the files that trace/events=FILE and mio run --events write. The page needs a"
                + " browser and no network; docs/Plots.md tells how to read it. Of several FILEs"
                + " each is a run, as before and after."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio plot run.events                     a page: run.html",
            "  mio plot before.events after.events -o both.html",
            "  mio plot run.events --term              a quick look, in the terminal",
            "  mio plot run.events --files '*.dat' --from 2s --to 2.5s -o part.html",
            "  mio plot run.events -o run.svg --panels activity,bandwidth --theme dark",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the plot was made",
            "1:an events file could not be read, or the plot could not be written",
            "2:wrong arguments",
            "3:the plot was made, but a part of an events file could not be read; it is named on"
                    + " stderr"
        })
final class PlotCommand implements Callable<Integer> {
    /** The form of the picture. */
    private enum Form {
        HTML,
        SVG,
        PNG,
        TERM
    }

    private static final String STANDARD_OUTPUT = "-";

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Events files, one for each run.")
    List<Path> inputs;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "Where the plot goes: x.html is an interactive page, x.svg and x.png"
                            + " are pictures, '-' is the page on standard output. Default: the name"
                            + " of the first FILE with .html; a file of that name is replaced only"
                            + " if mio plot made it")
    Path output;

    @Option(names = "--term", description = "A quick look, in the terminal.")
    boolean term;

    @Option(
            names = "--detail",
            paramLabel = "N",
            converter = Choice.Small.class,
            defaultValue = "" + PlotOptions.MARKS_MAX,
            description =
                    "Marks that all runs have at the finest level. More events than that are"
                            + " merged, which is said; more marks make a larger page. Default:"
                            + " ${DEFAULT-VALUE}")
    int detail;

    @Mixin PictureOptions picture;

    @Mixin FilterOptions filter;

    @Override
    public Integer call() {
        try {
            return plot();
        } catch (OutOfMemoryError e) {
            throw new CliException(
                    "not enough memory for so many events; use --from and --to, or a smaller"
                            + " --detail than "
                            + detail);
        }
    }

    private int plot() {
        Form form = form();
        PlotWriter writer = writer(form);
        boolean isFile = !term && !STANDARD_OUTPUT.equals(String.valueOf(output));
        Path file = output == null ? pageOfFirst() : output;
        checkArguments(isFile ? file : null);
        List<RunPlot> runs = runs();
        for (RunPlot run : runs) {
            if (run.events() == 0) {
                sayEmpty(run);
            }
        }
        if (isFile) {
            OutputFile.write(file, out -> writer.write(runs, out));
            say(file);
            return status(runs);
        }
        try {
            writer.write(runs, System.out);
        } catch (IOException e) {
            throw new CliException("standard output: " + e.getMessage());
        }
        return status(runs);
    }

    /**
     * Returns the exit status, and prints a line for each input that could not be read completely.
     */
    private int status(List<RunPlot> runs) {
        int status = EventsRun.OK;
        for (RunPlot run : runs) {
            if (!run.unread().isEmpty()) {
                status = EventsRun.DAMAGED;
                sayOf(run, String.join("; ", run.unread()));
            }
        }
        return status;
    }

    /**
     * Returns the usual place of the page, named after the first input. It is in the working
     * directory, not in that of the input, which may belong to others.
     */
    private Path pageOfFirst() {
        String name = String.valueOf(inputs.get(0).getFileName());
        int dot = name.lastIndexOf('.');
        return Path.of((dot > 0 ? name.substring(0, dot) : name) + ".html");
    }

    private void sayEmpty(RunPlot run) {
        sayOf(
                run,
                run.losses().isEmpty()
                        ? "no event fits; see mio events FILE --summary"
                        : "no event fits, and some could not be recorded; see mio events FILE"
                                + " --summary");
    }

    private void sayOf(RunPlot run, String words) {
        String line = spec.qualifiedName() + ": " + SafeText.of(run.source() + ": " + words);
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }

    /** Prints where the file is, and how large. */
    private void say(Path file) {
        try {
            spec.commandLine()
                    .getOut()
                    .println(SafeText.of(file + " (" + Amounts.bytes(Files.size(file)) + ")"));
        } catch (IOException e) {
            throw new CliException(file + ": " + e.getMessage());
        }
    }

    private PlotWriter writer(Form form) {
        return switch (form) {
            case HTML -> page();
            case SVG -> new SvgWriter(picture);
            case PNG -> new PngWriter(picture);
            case TERM -> new TermWriter(picture, Terminal.ofProcess());
        };
    }

    private PlotWriter page() {
        PageOptions options =
                new PageOptions(
                        picture.title(),
                        spec.commandLine().getParseResult().hasMatchedOption("--theme")
                                ? picture.theme().toString()
                                : null,
                        picture.layout().toString(),
                        filter.inWordsButTimes(spec.commandLine().getParseResult()));
        return (runs, out) -> PlotPage.write(runs, options, out);
    }

    private Form form() {
        if (term && output != null) {
            throw wrong("--term and --output exclude each other");
        }
        if (term) {
            return Form.TERM;
        }
        if (output == null || output.toString().equals(STANDARD_OUTPUT)) {
            return Form.HTML;
        }
        String name = output.toString().toLowerCase(Locale.ROOT);
        for (Form form : List.of(Form.HTML, Form.SVG, Form.PNG)) {
            if (name.endsWith("." + form.name().toLowerCase(Locale.ROOT))) {
                return form;
            }
        }
        throw wrong(
                "--output: the name ends in .html, .svg or .png, which '" + output + "' does not");
    }

    private void checkArguments(Path file) {
        filter.check(spec.commandLine());
        if (detail < PlotOptions.MARKS_LEAST * inputs.size()) {
            throw wrong("--detail: at least " + PlotOptions.MARKS_LEAST + " for each run");
        }
        if (detail > PlotOptions.MARKS_MOST) {
            throw wrong("--detail: at most " + PlotOptions.MARKS_MOST);
        }
        for (Path input : inputs) {
            if (file != null && OutputFile.isSame(file, input.toString())) {
                throw wrong(
                        output == null
                                ? file
                                        + ": the page would replace this events file; name the"
                                        + " output with -o"
                                : "--output: " + file + " is an events file that is to be drawn");
            }
        }
        // The user has not typed this name, so that a file of this name may be something else.
        if (file != null
                && output == null
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && !PlotPage.isOne(file)) {
            throw new CliException(
                    file + ": is there and was not made by mio plot; name the output with -o");
        }
    }

    private List<RunPlot> runs() {
        List<RunPlot> runs = new ArrayList<>();
        String filtered = filter.inWords(spec.commandLine().getParseResult());
        try (Progress progress =
                new Progress(
                        spec.commandLine().getErr(), Terminal.ofProcess(), spec.qualifiedName())) {
            List<String> labels = Labels.of(inputs);
            for (int i = 0; i < inputs.size(); i++) {
                Path input = inputs.get(i);
                PlotOptions options =
                        new PlotOptions(
                                detail / inputs.size(),
                                PlotOptions.FILES_MAX,
                                filter::filter,
                                filtered,
                                read -> progress.show(input + ": " + read + " events read"));
                runs.add(RunReader.read(input, labels.get(i), options));
            }
        } catch (IOException e) {
            throw new CliException(String.valueOf(e.getMessage()));
        }
        return runs;
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
