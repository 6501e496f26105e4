package io.mio.cli;

import io.mio.cli.plot.PlotOptions;
import io.mio.cli.plot.PlotWriter;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunReader;
import io.mio.cli.plot.draw.PictureOptions;
import io.mio.cli.plot.html.PageOptions;
import io.mio.cli.plot.html.PlotPage;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.SafeText;
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
        sortOptions = false)
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
        if (!term && !STANDARD_OUTPUT.equals(String.valueOf(output))) {
            Path file = output == null ? pageOfFirst() : output;
            OutputFile.write(file, out -> writer.write(runs, out));
            say(file);
            return CommandLine.ExitCode.OK;
        }
        try {
            writer.write(runs, System.out);
        } catch (IOException e) {
            throw new CliException("standard output: " + e.getMessage());
        }
        return CommandLine.ExitCode.OK;
    }

    /** Beside the directory's other files, and not beside the input, which others may own. */
    private Path pageOfFirst() {
        String name = String.valueOf(inputs.get(0).getFileName());
        int dot = name.lastIndexOf('.');
        return Path.of((dot > 0 ? name.substring(0, dot) : name) + ".html");
    }

    /** Where it is, and how large. */
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
        if (form == Form.HTML) {
            PageOptions options =
                    new PageOptions(
                            picture.title(),
                            spec.commandLine().getParseResult().hasMatchedOption("--theme")
                                    ? picture.theme().toString()
                                    : null,
                            picture.layout().toString());
            return (runs, out) -> PlotPage.write(runs, options, out);
        }
        throw new CliException(form.name().toLowerCase(Locale.ROOT) + ": not yet");
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
