package io.mio.cli;

import io.mio.cli.plot.PlotOptions;
import io.mio.cli.plot.PlotWriter;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunReader;
import io.mio.cli.plot.draw.PictureOptions;
import io.mio.cli.plot.draw.PngWriter;
import io.mio.cli.plot.draw.SvgWriter;
import io.mio.cli.plot.term.TermWriter;
import io.mio.cli.term.CliException;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.nio.file.Files;
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

/** {@code mio plot}: pictures of events. */
@Command(
        name = "plot",
        description = "Draws what a program did with its files, over time.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio plot run.events",
            "  mio plot run.events --term",
            "  mio plot before.events after.events -o both.svg",
            "  mio plot run.events -o run.png --theme dark --panels activity,pages --width 800",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:it is made",
            "1:an input could not be read, or the output not written",
            "2:wrong arguments"
        })
final class PlotCommand implements Callable<Integer> {
    /** What is made. */
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
                    "Where to: x.html is an interactive page, x.svg and x.png are pictures, '-' is"
                            + " the page on standard output. Default: name of the first FILE with"
                            + " .html")
    Path output;

    @Option(names = "--term", description = "A quick look, in the terminal.")
    boolean term;

    @Mixin PictureOptions picture;

    @Override
    public Integer call() {
        Form form = form();
        PlotWriter writer = writer(form);
        List<RunPlot> runs = runs();
        if (output != null && !output.toString().equals(STANDARD_OUTPUT)) {
            OutputFile.write(output, out -> writer.write(runs, out));
            return CommandLine.ExitCode.OK;
        }
        try {
            writer.write(runs, System.out);
        } catch (IOException e) {
            throw new CliException("standard output: " + e.getMessage());
        }
        return CommandLine.ExitCode.OK;
    }

    private PlotWriter writer(Form form) {
        return switch (form) {
            case SVG -> new SvgWriter(picture);
            case PNG -> new PngWriter(picture);
            case TERM -> new TermWriter(picture, Terminal.ofProcess());
            default -> throw new CliException(form.name().toLowerCase(Locale.ROOT) + ": not yet");
        };
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

    private List<RunPlot> runs() {
        List<RunPlot> runs = new ArrayList<>();
        for (Path input : inputs) {
            try {
                runs.add(RunReader.read(input, label(input), PlotOptions.usual()));
            } catch (IOException e) {
                throw new CliException(
                        Files.exists(input)
                                ? String.valueOf(e.getMessage())
                                : input + ": no such file");
            }
        }
        return runs;
    }

    /** The name of the file; all of its path if another one is called the same. */
    private String label(Path input) {
        Path name = input.getFileName();
        boolean alone =
                inputs.stream().filter(other -> other.endsWith(String.valueOf(name))).count() == 1;
        return name != null && alone ? name.toString() : input.toString();
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
