package io.mio.cli.stats;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows what {@code pf/auto} decided, file by file, as text for people and as JSON. */
final class AutoSection {
    /** Most files in the text; the JSON has all. */
    private static final int FILES_MAX = 10;

    /** Most decisions shown for a file in the text. */
    private static final int DECISIONS_MAX = 6;

    private AutoSection() {}

    private static List<FileFigures> files(RunStats stats) {
        return stats.files().stream().filter(file -> file.auto() != null).toList();
    }

    /** Returns the text without a heading; empty where no open was under pf/auto. */
    static List<String> lines(RunStats stats, int columnsMax) {
        List<FileFigures> files = files(stats);
        List<String> lines = new ArrayList<>();
        for (FileFigures file : files.subList(0, Math.min(FILES_MAX, files.size()))) {
            AutoFigures auto = file.auto();
            String subject =
                    file.name()
                            + ": "
                            + auto.state()
                            + " in the end, "
                            + Amounts.count(Math.max(0, auto.hints()))
                            + " hints of "
                            + Amounts.bytes(Math.max(0, auto.hintBytes()))
                            + (auto.opens() > 1
                                    ? ", " + Amounts.count(auto.opens()) + " opens"
                                    : "");
            lines.addAll(TextReport.prose("  ", SafeText.of(subject), columnsMax));
            decisions(lines, auto, columnsMax);
        }
        if (files.size() > FILES_MAX) {
            int more = files.size() - FILES_MAX;
            lines.add("  ... and " + Amounts.count(more) + " more files: --json");
        }
        return lines;
    }

    private static void decisions(List<String> lines, AutoFigures auto, int columnsMax) {
        int shown = 0;
        long left = auto.moreDecisions();
        for (var entry : auto.decisions().entrySet()) {
            if (shown++ >= DECISIONS_MAX) {
                left = Counts.add(left, entry.getValue());
                continue;
            }
            String text = entry.getKey().what() + ": " + entry.getKey().reason();
            if (entry.getValue() > 1) {
                text += " (" + Amounts.count(entry.getValue()) + " times)";
            }
            lines.addAll(TextReport.prose("    ", SafeText.of(text), columnsMax));
        }
        if (left > 0) {
            lines.add("    ... and " + Amounts.count(left) + " more");
        }
    }

    static List<Map<String, Object>> json(RunStats stats) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (FileFigures file : files(stats)) {
            AutoFigures auto = file.auto();
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("file", file.name());
            json.put("program", file.program());
            json.put("opens", auto.opens());
            json.put("state", auto.state());
            putKnown(json, "looks", auto.looks());
            putKnown(json, "hints", auto.hints());
            putKnown(json, "hint_bytes", auto.hintBytes());
            putKnown(json, "cached", auto.cached());
            List<Object> decisions = new ArrayList<>();
            auto.decisions()
                    .forEach(
                            (decision, times) -> {
                                Map<String, Object> one = new LinkedHashMap<>();
                                one.put("what", decision.what());
                                one.put("reason", decision.reason());
                                one.put("times", times);
                                decisions.add(one);
                            });
            json.put("decisions", decisions);
            json.put("more_decisions", auto.moreDecisions());
            all.add(json);
        }
        return all;
    }

    static void putKnown(Map<String, Object> json, String name, long value) {
        if (value >= 0) {
            json.put(name, value);
        }
    }
}
