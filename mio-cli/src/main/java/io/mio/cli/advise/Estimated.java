package io.mio.cli.advise;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mio.cli.stats.FileSum;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Json;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import io.mio.config.NamePattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The advice that reports alone allow: for each file the shape of its requests and their time, the
 * rule that is made for that shape, and how much that rule could gain at most. Nothing can be
 * tried, because reports have no single calls.
 */
final class Estimated {
    private static final List<String> HEADINGS =
            List.of("File", "Gain at most", "Set", "In calls", "Of run", "Read", "Written");

    private static final int SHOWN = 12;
    private static final int FORMAT = 1;

    /** Number of caches that rules can have. */
    private static final int CACHES_MAX = 256;

    private static final String RECORD =
            "Reports have no single calls: what a rule gains is not known, only that it cannot be"
                    + " more than the time in reads. mio run --events, then mio advise, tells.";

    /**
     * The advice for a group of files; {@code rule} is null where nothing is to be set, {@code
     * told} false where the reports do not tell whether a rule helps.
     */
    private record Line(Group group, String rule, boolean told, String why) {
        long mostNanos() {
            return rule == null ? 0 : group.sum().readNanos;
        }
    }

    private final List<String> inputs;
    private final long runNanos;
    private final List<Line> lines;

    /** What of the reports is left out, a line each. */
    private final List<String> left;

    private Estimated(List<String> inputs, long runNanos, List<Line> lines, List<String> left) {
        this.inputs = inputs;
        this.runNanos = runNanos;
        this.lines = lines;
        this.left = left;
    }

    /**
     * @param files templates of the files that are looked at; none: all
     * @param memoryBytes most memory of all caches together
     * @throws CliException if a report cannot be read, or has none of these files
     */
    static Estimated of(
            List<String> inputs, List<String> files, long memoryBytes, Progress progress) {
        List<NamePattern> wanted = files.stream().map(NamePattern::of).toList();
        Map<String, Long> runs = new LinkedHashMap<>();
        Map<String, FileProfile> profiles = new LinkedHashMap<>();
        List<String> left = new ArrayList<>();
        Set<String> paths = new HashSet<>();
        for (FileSum sum : FileSum.of(inputs, progress, left)) {
            runs.put(sum.program(), sum.runNanos());
            paths.add(Typable.ofReport(sum.path()));
            if (wanted.isEmpty() || wanted.stream().anyMatch(one -> one.matches(sum.path()))) {
                profiles.merge(
                        sum.path(),
                        FileProfile.of(sum),
                        (one, two) -> {
                            one.add(two);
                            return one;
                        });
            }
        }
        if (profiles.isEmpty()) {
            throw new CliException(
                    String.join(", ", inputs)
                            + ": has no files that fit "
                            + String.join(", ", files));
        }
        long runNanos = run(runs.values());
        List<Line> lines = new ArrayList<>();
        List<Group> groups = Grouping.of(List.copyOf(profiles.values()), paths);
        groups.sort(Comparator.comparingLong(group -> -group.sum().readNanos));
        long memoryLeft = memoryBytes;
        int caches = 0;
        for (Group group : groups) {
            Line line = line(group, runNanos, caches < CACHES_MAX ? memoryLeft : 0);
            long bytes = Rough.memoryBytes(line.rule());
            memoryLeft -= bytes;
            caches += bytes > 0 ? 1 : 0;
            lines.add(line);
        }
        lines.sort(
                Comparator.comparingLong((Line one) -> -one.mostNanos())
                        .thenComparing(one -> -one.group().sum().ioNanos()));
        return new Estimated(inputs, runNanos, lines, left);
    }

    private static Line line(Group group, long runNanos, long memoryBytes) {
        FileProfile sum = group.sum();
        String rule = group.isNamed() ? Rough.rule(sum, runNanos, memoryBytes) : null;
        return new Line(
                group,
                rule,
                Rough.untold(sum, runNanos) == null,
                rule == null ? Rough.alone(group, runNanos) : Rough.why(rule));
    }

    /** Time of all programs together, in nanoseconds; unknown if that of one is. */
    private static long run(Collection<Long> runs) {
        return runs.contains(FileSum.UNKNOWN)
                ? FileSum.UNKNOWN
                : runs.stream().mapToLong(Long::longValue).sum();
    }

    /** The value of {@code MIO_FILES}. Each rule with pages has a cache of its own. */
    String line() {
        List<String> rules = new ArrayList<>();
        int caches = 0;
        for (Line each : lines) {
            if (each.rule() == null) {
                continue;
            }
            String rule = each.rule();
            if (Rough.memoryBytes(rule) > 0) {
                rule += caches == 0 ? "" : "/global=" + caches;
                caches++;
            }
            rules.add(each.group().typed() + " [ " + Advisor.layers(rule) + " ]");
        }
        return String.join(" ", rules);
    }

    /** What a reader has to know beside the {@link #line}, a line each. */
    List<String> notes() {
        List<String> notes = new ArrayList<>(left);
        long untold = lines.stream().filter(each -> !each.told()).count();
        if (untold > 0) {
            notes.add(
                    "whether a rule helps, reports do not tell of "
                            + Amounts.count(untold)
                            + (untold == 1 ? " file or template" : " files or templates")
                            + ": without --line it is said why");
        }
        return notes;
    }

    /** Whether something of the reports is left out; the notes say what. */
    boolean isDamaged() {
        return !left.isEmpty();
    }

    /** The advice for people, in lines. */
    List<String> lines(Terminal terminal) {
        List<String> text = new ArrayList<>();
        List<Line> shown = lines.subList(0, Math.min(SHOWN, lines.size()));
        text.addAll(Table.fitting(terminal, HEADINGS.size(), columns -> table(shown, columns)));
        if (shown.size() < lines.size()) {
            text.add("... and " + Amounts.count(lines.size() - shown.size()) + " more (--json)");
        }
        for (Line each : shown) {
            text.add("");
            text.add(terminal.styled(Style.HEADING, SafeText.of(each.group().shown())));
            text.add("  does  " + Words.does(each.group().sum(), runNanos));
            boolean alone = each.rule() == null && each.told();
            text.add("  set   " + (alone ? "nothing: leave this file alone" : set(each)));
            text.add("  why   " + each.why());
        }
        text.add("");
        if (line().isEmpty()) {
            text.add(
                    lines.stream().allMatch(Line::told)
                            ? "MIO cannot help here, as far as reports show: leave all files alone."
                            : "Whether MIO can help here, these reports do not tell.");
        } else {
            text.add(
                    terminal.styled(
                            Style.HEADING, "MIO_FILES=" + AdviceText.quoted(SafeText.of(line()))));
            text.add("memory " + Amounts.bytes(memoryBytes()));
        }
        text.add(RECORD);
        left.forEach(each -> text.add("Note: " + SafeText.of(each)));
        return text;
    }

    private Table table(List<Line> shown, int columns) {
        Table table = Words.headings(HEADINGS.subList(0, columns));
        for (Line each : shown) {
            FileProfile sum = each.group().sum();
            String[] cells = {
                each.group().shown(),
                each.rule() == null ? null : Amounts.time(each.mostNanos()),
                set(each),
                Words.inCalls(sum),
                Words.ofRun(sum, runNanos),
                sum.counted ? Amounts.bytes(sum.readBytes) : null,
                sum.counted ? Amounts.bytes(sum.writtenBytes) : null
            };
            table.row(Arrays.copyOf(cells, columns));
        }
        return table;
    }

    private static String set(Line line) {
        if (line.rule() != null) {
            return line.rule();
        }
        return line.told() ? "nothing" : "not known";
    }

    private long memoryBytes() {
        return lines.stream().mapToLong(each -> Rough.memoryBytes(each.rule())).sum();
    }

    private static Long known(boolean isKnown, long figure) {
        return isKnown ? figure : null;
    }

    /** The advice for programs: one JSON object on several lines. */
    String json() {
        ObjectNode json = Json.line().createObjectNode();
        json.put("type", "mio_advise_reports").put("format", FORMAT);
        inputs.forEach(json.putArray("reports")::add);
        json.put("run_ns", known(runNanos > 0, runNanos));
        json.put("mio_files", line());
        json.put("memory_bytes", memoryBytes());
        json.putArray("files");
        for (Line each : lines) {
            FileProfile sum = each.group().sum();
            ObjectNode node = json.withArray("/files").addObject();
            each.group().names().forEach(node.putArray("names")::add);
            node.put("rule", each.rule());
            node.put("told", each.told());
            node.put("gain_at_most_ns", each.mostNanos());
            node.put("does", Words.does(sum, runNanos));
            node.put("why", each.why());
            node.put("reads", known(sum.counted, sum.reads));
            node.put("writes", known(sum.counted, sum.writes));
            node.put("read_bytes", known(sum.counted, sum.readBytes));
            node.put("written_bytes", known(sum.counted, sum.writtenBytes));
            node.put("read_ns", known(sum.timed, sum.readNanos));
            node.put("write_ns", known(sum.timed, sum.writeNanos));
        }
        left.forEach(json.putArray("notes")::add);
        try {
            return Json.indented().writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
