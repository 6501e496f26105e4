package io.mio.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.mio.cli.check.CheckJson;
import io.mio.cli.check.CheckText;
import io.mio.cli.check.Explanation;
import io.mio.cli.check.MachineMemory;
import io.mio.cli.check.Mistake;
import io.mio.cli.check.Warning;
import io.mio.cli.check.Warnings;
import io.mio.cli.term.Json;
import io.mio.cli.term.Terminal;
import io.mio.config.ConfigException;
import io.mio.config.ConfigKey;
import io.mio.config.MioConfig;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mio check}: shows what a program would get from the configuration, before it runs. */
@Command(
        name = "check",
        description = {
            "Checks the configuration and shows what a program would get from it.",
            "",
            "Reads the settings as a program started here would: files, then MIO_*"
                    + " variables; options replace variables. Shows every setting and where it"
                    + " comes from, the rules, what a file of a given name gets, and what is"
                    + " allowed but probably not meant."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio check",
            "  mio check --explain /scratch/run7/matrix.dat",
            "  mio check --files '*.dat [ trace | pf/cache=100m/page=2m ]' --stats run.stats",
            "  mio check --config mio.conf --json | jq .warnings",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the configuration can be used; there may be warnings",
            "1:there is a mistake in it",
            "2:wrong arguments"
        })
final class CheckCommand implements Callable<Integer> {
    private static final String CONFIG_VARIABLE = "MIO_CONFIG";

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--explain",
            paramLabel = "PATH",
            description =
                    "Show which rule matches a file of this name, which ones before it do not, and"
                            + " every option of its layers. Names are taken as a program gives"
                            + " them; the file need not exist. May be repeated.")
    List<String> explain = List.of();

    @Option(names = "--files", paramLabel = "SPEC", description = "Rules, instead of MIO_FILES.")
    String files;

    @Option(
            names = "--defaults",
            paramLabel = "SPEC",
            description = "Other defaults, instead of MIO_DEFAULTS.")
    String defaults;

    @Option(names = "--stats", paramLabel = "FILE", description = "Instead of MIO_STATS.")
    String stats;

    @Option(names = "--debug", paramLabel = "WORDS", description = "Instead of MIO_DEBUG.")
    String debug;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration file, instead of MIO_CONFIG.")
    String config;

    @Option(names = "--json", description = "Print everything as JSON instead.")
    boolean json;

    @Override
    public Integer call() throws JsonProcessingException {
        PrintWriter out = spec.commandLine().getOut();
        Mistake mistake = show(out);
        if (mistake != null) {
            if (json) {
                out.println(Json.indented().writeValueAsString(CheckJson.of(mistake)));
            }
            PrintWriter err = spec.commandLine().getErr();
            mistake.lines().forEach(err::println);
            err.flush();
        }
        out.flush();
        return mistake == null ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Shows the configuration. Returns null if it can be used. */
    private Mistake show(PrintWriter out) throws JsonProcessingException {
        try {
            MioConfig loaded = load();
            List<Explanation> explanations =
                    explain.stream().map(path -> Explanation.of(loaded, path)).toList();
            List<Warning> warnings = Warnings.of(loaded, MachineMemory.ofProcess());
            if (json) {
                CheckJson all = CheckJson.of(loaded, explanations, warnings);
                out.println(Json.indented().writeValueAsString(all));
            } else {
                CheckText text = new CheckText(Terminal.ofProcess());
                text.configuration(loaded);
                explanations.forEach(text::explanation);
                text.warnings(warnings);
                text.lines().forEach(out::println);
            }
            return null;
        } catch (ConfigException e) {
            return Mistake.of(e, config == null ? null : "--config");
        }
    }

    private MioConfig load() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (config != null) {
            environment.put(CONFIG_VARIABLE, config);
        }
        Map<String, String> options = new HashMap<>();
        put(options, ConfigKey.FILES, files);
        put(options, ConfigKey.DEFAULTS, defaults);
        put(options, ConfigKey.STATS, stats);
        put(options, ConfigKey.DEBUG, debug);
        MioConfig loaded = MioConfig.load(options, environment);
        loaded.checkAvailable();
        return loaded;
    }

    private static void put(Map<String, String> options, ConfigKey key, String text) {
        if (text != null) {
            options.put(key.id(), text);
        }
    }
}
