package io.mio.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A manual page in the macros of man(7), written from what picocli knows of a command. It says what
 * {@code --help} says, with the sections of a manual. In header and footer, a line at the left
 * margin that ends with a colon is the heading of a section, and the lines below it are printed as
 * they are.
 */
final class ManPage {
    private final CommandSpec spec;
    private final String version;
    private final String date;
    private final StringBuilder page = new StringBuilder(4096);

    private ManPage(CommandSpec spec, String version, String date) {
        this.spec = spec;
        this.version = version;
        this.date = date;
    }

    /**
     * Writes the page of one command.
     *
     * @param version as {@code mio 0.1.0}, for the foot of the page
     * @param date as {@code 2026-11-21}
     */
    static String of(CommandLine command, String version, String date) {
        return new ManPage(command.getCommandSpec(), version, date).write(command);
    }

    /** Returns the name of the page, for example {@code mio-demo}. */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    private String write(CommandLine command) {
        String name = spec.qualifiedName("-");
        List<String> description = lines(spec.usageMessage().description());
        page.append(".TH ").append(quoted(name.toUpperCase(Locale.ROOT))).append(" 1 ");
        page.append(quoted(date)).append(' ').append(quoted(version)).append('\n');
        section("NAME");
        String summary = description.isEmpty() ? "" : description.get(0);
        page.append(escape(name)).append(" \\- ").append(escape(withoutStop(summary)));
        page.append('\n');
        section("SYNOPSIS");
        page.append(".nf\n");
        verbatim(new Help(spec, Help.defaultColorScheme(Ansi.OFF)).synopsis(0).stripTrailing());
        page.append(".fi\n");
        section("DESCRIPTION");
        description.forEach(this::paragraph);
        options();
        commands(command);
        exitStatus();
        asTyped(lines(spec.usageMessage().header()));
        List<String> footer = new ArrayList<>(lines(spec.usageMessage().footerHeading()));
        footer.addAll(lines(spec.usageMessage().footer()));
        asTyped(footer);
        return page.toString();
    }

    private void options() {
        List<PositionalParamSpec> parameters =
                spec.positionalParameters().stream().filter(one -> !one.hidden()).toList();
        List<OptionSpec> options =
                spec.options().stream().filter(option -> !option.hidden()).toList();
        if (!options.isEmpty() || !parameters.isEmpty()) {
            section("OPTIONS");
        }
        for (PositionalParamSpec parameter : parameters) {
            entry("\\fI" + escape(parameter.paramLabel()) + "\\fR", parameter.description());
        }
        for (OptionSpec option : options) {
            entry(head(option), option.description());
        }
    }

    private static String head(OptionSpec option) {
        List<String> names = new ArrayList<>();
        for (String name : option.names()) {
            names.add("\\fB" + escape(name) + "\\fR");
        }
        String head = String.join(", ", names);
        if (option.arity().max() == 0) {
            return head;
        }
        String label = "\\fI" + escape(option.paramLabel()) + "\\fR";
        String joined = option.splitRegex().isEmpty() ? "=" + label : "=" + label + "...";
        return head + (option.arity().min() == 0 ? "[" + joined + "]" : joined);
    }

    private void commands(CommandLine command) {
        if (command.getSubcommands().isEmpty()) {
            return;
        }
        section("COMMANDS");
        for (CommandLine sub : command.getSubcommands().values()) {
            if (!sub.getCommandSpec().usageMessage().hidden()) {
                List<String> text = lines(sub.getCommandSpec().usageMessage().description());
                entry(
                        "\\fB" + escape(sub.getCommandName()) + "\\fR",
                        text.isEmpty() ? new String[0] : new String[] {text.get(0)});
            }
        }
    }

    private void exitStatus() {
        if (!spec.usageMessage().exitCodeList().isEmpty()) {
            section("EXIT STATUS");
        }
        spec.usageMessage()
                .exitCodeList()
                .forEach((code, text) -> entry(escape(code.strip()), new String[] {text}));
    }

    private void asTyped(List<String> lines) {
        boolean open = false;
        boolean begun = false;
        for (String line : lines) {
            boolean heading = !line.isBlank() && line.charAt(0) != ' ' && line.endsWith(":");
            if (heading) {
                page.append(open ? ".fi\n" : "");
                section(line.substring(0, line.length() - 1).toUpperCase(Locale.ROOT));
                page.append(".nf\n");
                open = true;
                begun = false;
            } else if (open && (begun || !line.isBlank())) {
                begun = true;
                verbatim(line);
            } else if (!open && !line.isBlank()) {
                paragraph(line);
            }
        }
        page.append(open ? ".fi\n" : "");
    }

    private void section(String title) {
        page.append(".SH ").append(quoted(title)).append('\n');
    }

    private void entry(String head, String[] text) {
        page.append(".TP\n").append(head.isEmpty() ? "\\&" : head).append('\n');
        String all = String.join(" ", lines(text)).strip();
        page.append(all.isEmpty() ? "\\&" : escape(all)).append('\n');
    }

    private void paragraph(String text) {
        page.append(text.isBlank() ? "" : ".PP\n" + escape(text.strip()) + "\n");
    }

    private void verbatim(String text) {
        for (String line : text.split("\n", -1)) {
            page.append(line.isEmpty() ? "\\&" : escape(line)).append('\n');
        }
    }

    /** Returns the text as picocli shows it: with formats filled in, one element for each line. */
    private static List<String> lines(String... text) {
        List<String> lines = new ArrayList<>();
        for (String one : text) {
            String shown = String.format(Locale.ROOT, one);
            lines.addAll(List.of(Ansi.OFF.string(shown).split("\n", -1)));
        }
        return lines;
    }

    private static String withoutStop(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    private static String quoted(String text) {
        return '"' + escape(text).replace("\"", "\\(dq") + '"';
    }

    /** Returns text that troff prints as it is; a dash is printed as one that can be pasted. */
    private static String escape(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
