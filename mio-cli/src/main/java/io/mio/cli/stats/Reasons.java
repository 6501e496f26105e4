package io.mio.cli.stats;

import io.mio.cli.AutoBlock.Decision;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.Prose;
import io.mio.cli.term.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Words with their reasons, and how often each was said of a file, in the order of the input.
 * Reasons contain figures, so there can be many: only so many different ones are kept.
 */
final class Reasons {
    private static final int KEPT_MAX = 16;

    /** Most reasons of a file, and most files, in the text; the JSON has all. */
    private static final int SHOWN_MAX = 6;

    private static final int FILES_MAX = 10;

    private final Map<Decision, Long> times = new LinkedHashMap<>(4);
    private long more;

    void add(Decision reason) {
        add(reason, 1);
    }

    void add(Reasons other) {
        other.times.forEach(this::add);
        addMore(other.more);
    }

    /** Counts reasons whose words are not known. */
    void addMore(long count) {
        more = Counts.add(more, count);
    }

    private void add(Decision reason, long count) {
        if (times.containsKey(reason) || times.size() < KEPT_MAX) {
            times.merge(reason, count, Long::sum);
        } else {
            addMore(count);
        }
    }

    /**
     * Returns files with their reasons, as text for people.
     *
     * @param subject what is said of a file, behind its name
     */
    static List<String> lines(
            List<FileFigures> files,
            Function<FileFigures, String> subject,
            Function<FileFigures, Reasons> reasons,
            int columnsMax) {
        List<String> lines = new ArrayList<>();
        for (FileFigures file : files.subList(0, Math.min(FILES_MAX, files.size()))) {
            String text = SafeText.of(file.name() + ": " + subject.apply(file));
            lines.addAll(Prose.lines("  ", text, columnsMax));
            reasons.apply(file).addLines(lines, columnsMax);
        }
        if (files.size() > FILES_MAX) {
            int left = files.size() - FILES_MAX;
            lines.add("  ... and " + Amounts.count(left) + " more files: --json");
        }
        return lines;
    }

    private void addLines(List<String> lines, int columnsMax) {
        int shown = 0;
        long left = more;
        for (Map.Entry<Decision, Long> entry : times.entrySet()) {
            if (shown++ >= SHOWN_MAX) {
                left = Counts.add(left, entry.getValue());
                continue;
            }
            String text = entry.getKey().what() + ": " + entry.getKey().reason();
            if (entry.getValue() > 1) {
                text += " (" + Amounts.count(entry.getValue()) + " times)";
            }
            lines.addAll(Prose.lines("    ", SafeText.of(text), columnsMax));
        }
        if (left > 0) {
            lines.add("    ... and " + Amounts.count(left) + " more");
        }
    }

    /**
     * Adds the reasons to a JSON object, and how many others there were.
     *
     * @param name of the member, in the plural
     * @param word name of the member for the word
     */
    void putInto(Map<String, Object> json, String name, String word) {
        List<Object> all = new ArrayList<>();
        times.forEach(
                (reason, count) -> {
                    Map<String, Object> one = new LinkedHashMap<>();
                    one.put(word, reason.what());
                    one.put("reason", reason.reason());
                    one.put("times", count);
                    all.add(one);
                });
        json.put(name, all);
        json.put("more_" + name, more);
    }
}
