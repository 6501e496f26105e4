package io.mio.cli;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Json;
import io.mio.cli.term.NoName;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Terminal;
import io.mio.info.Fact;
import io.mio.info.Facts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mio info}: tells what the machine, a file system and a file offer. */
@Command(
        name = "info",
        description = {
            "Tells what this machine, a file system and a file offer, and how MIO would do I/O"
                    + " there.",
            "",
            "Where something cannot be found out, the reason is shown. Nothing is" + " changed."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio info                       this machine: engine, memory, limits",
            "  mio info /data                 and where files lie: direct I/O, device, free space",
            "  mio info matrix.dat            and of the file: size, extents, what is in memory",
            "  mio info --json matrix.dat | jq .file.resident_share",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:told what there is to tell",
            "1:PATH cannot be looked at",
            "2:wrong arguments"
        })
final class InfoCommand implements Callable<Integer> {
    /** Columns of the labels; the values begin two columns behind them. */
    private static final int LABEL_COLUMNS = 32;

    private static final Map<Fact.Group, String> HEADINGS =
            Map.of(
                    Fact.Group.MACHINE, "Machine",
                    Fact.Group.ENGINE, "Engine",
                    Fact.Group.MEMORY, "Memory and limits",
                    Fact.Group.FILE, "File",
                    Fact.Group.IO, "I/O there",
                    Fact.Group.FILE_SYSTEM, "File system",
                    Fact.Group.DEVICE, "Device");

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description = "A file, a directory or a block device. Default: only the machine.")
    String name;

    @Option(names = "--json", description = "Print JSON instead, bytes in full.")
    boolean json;

    @Override
    public Integer call() throws IOException {
        List<Fact> facts = new ArrayList<>(name == null ? List.of() : factsOf(name));
        facts.addAll(Facts.ofMachine());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.indented().writeValueAsString(tree(facts)));
        } else {
            lines(facts, Terminal.ofProcess()).forEach(out::println);
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private List<Fact> factsOf(String path) {
        if (path.isEmpty()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "PATH is empty");
        }
        try {
            return Facts.of(Path.of(path));
        } catch (InvalidPathException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), NoName.words(path));
        } catch (NoSuchFileException e) {
            throw new CliException(path + ": there is " + NoName.isNotThere(path));
        } catch (AccessDeniedException e) {
            throw new CliException(path + ": a directory on the way may not be searched");
        } catch (FileSystemException e) {
            throw new CliException(path + ": " + e.getReason());
        } catch (IOException e) {
            throw new CliException(path + ": " + e.getMessage());
        }
    }

    /** Returns the facts as text: first what was asked about, then the machine. */
    static List<String> lines(List<Fact> facts, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        Fact.Group group = null;
        for (Fact fact : facts) {
            if (fact.group() != group) {
                if (group != null) {
                    lines.add("");
                }
                group = fact.group();
                lines.add(terminal.styled(Style.HEADING, HEADINGS.get(group)));
            }
            String line =
                    String.format(
                            Locale.ROOT,
                            "  %-" + LABEL_COLUMNS + "s  %s",
                            fact.label(),
                            SafeText.of(words(fact)));
            lines.add(terminal.styled(fact.isKnown() ? Style.PLAIN : Style.FAINT, line));
        }
        return lines;
    }

    private static String words(Fact fact) {
        if (!fact.isKnown()) {
            return "unknown: " + fact.note();
        }
        String value =
                switch (fact.unit()) {
                    case BYTES -> fact.value() instanceof Long bytes ? Amounts.bytes(bytes) : null;
                    case COUNT -> fact.value() instanceof Long count ? Amounts.count(count) : null;
                    case SHARE -> fact.value() instanceof Double d ? Amounts.percent(d) : null;
                    case YES_NO -> Boolean.TRUE.equals(fact.value()) ? "yes" : "no";
                    case TEXT -> null;
                };
        return (value != null ? value : fact.value().toString())
                + (fact.note() == null ? "" : " (" + fact.note() + ")");
    }

    /** Returns an object for each group: values by name, null for unknown ones, and the notes. */
    static Map<String, Map<String, Object>> tree(List<Fact> facts) {
        Map<String, Map<String, Object>> tree = new LinkedHashMap<>();
        for (Fact fact : facts) {
            tree.computeIfAbsent(
                            fact.group().name().toLowerCase(Locale.ROOT),
                            group -> new LinkedHashMap<>())
                    .put(fact.name(), fact.value());
        }
        for (Map.Entry<String, Map<String, Object>> group : tree.entrySet()) {
            Map<String, String> notes = new LinkedHashMap<>();
            for (Fact fact : facts) {
                if (fact.note() != null
                        && fact.group().name().toLowerCase(Locale.ROOT).equals(group.getKey())) {
                    notes.put(fact.name(), fact.note());
                }
            }
            if (!notes.isEmpty()) {
                group.getValue().put("notes", notes);
            }
        }
        return tree;
    }
}
