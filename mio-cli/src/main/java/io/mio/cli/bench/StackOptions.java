package io.mio.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Options of {@code mio bench} that say what is below the workers. */
public final class StackOptions {
    /** Options of pf where none are given, as of {@code mio run}. */
    private static final String PF = "cache=64m/page=1m/direct";

    /** Takes a value only behind {@code =}: without it, the next word is a name of a file. */
    static final class OnlyAttached implements IParameterPreprocessor {
        @Override
        public boolean preprocess(
                Stack<String> words,
                CommandSpec command,
                ArgSpec option,
                Map<String, Object> info) {
            if ("=".equals(info.get("separator"))) {
                return false;
            }
            option.setValue(((OptionSpec) option).fallbackValue());
            return true;
        }
    }

    @Option(
            names = "--config",
            paramLabel = "NAME=RULE",
            description =
                    "A configuration to be measured: RULE is '[ layers ]' for the files, or as in"
                            + " MIO_FILES, or nothing for no MIO. May be repeated; ratios are to"
                            + " the first one. Default: plain=")
    private List<String> configurations = new ArrayList<>();

    @Option(
            names = "--pf",
            arity = "0..1",
            fallbackValue = PF,
            preprocessor = OnlyAttached.class,
            paramLabel = "OPTIONS",
            description =
                    "The same as --config plain= --config 'pf=[ pf/OPTIONS ]'. Default OPTIONS: "
                            + PF)
    private String pf;

    @Option(
            names = "--trace",
            arity = "0..1",
            fallbackValue = "",
            preprocessor = OnlyAttached.class,
            paramLabel = "OPTIONS",
            description = "The same with trace; with --pf a row for each.")
    private String trace;

    /**
     * Returns those of {@code --config}, or one without MIO; then those of the short options.
     *
     * @throws IllegalArgumentException if one is wrong, or two have one name
     */
    List<Configuration> configurations() {
        List<Configuration> stacks = new ArrayList<>();
        for (String text : configurations) {
            stacks.add(Configuration.of(text));
        }
        if (stacks.isEmpty()) {
            stacks.add(new Configuration("plain", ""));
        }
        if (trace != null) {
            stacks.add(Configuration.of("trace", trace));
        }
        if (pf != null) {
            stacks.add(Configuration.of("pf", pf));
        }
        for (Configuration stack : stacks) {
            if (stacks.stream().filter(one -> one.name().equals(stack.name())).count() > 1) {
                throw new IllegalArgumentException(
                        "--config: there are two of the name '" + stack.name() + "'");
            }
        }
        return stacks;
    }
}
