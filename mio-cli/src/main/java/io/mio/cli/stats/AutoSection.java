package io.mio.cli.stats;

import io.mio.cli.term.Amounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows what {@code pf/auto} decided, file by file, as text for people and as JSON. */
final class AutoSection {
    private AutoSection() {}

    private static List<FileFigures> files(RunStats stats) {
        return stats.files().stream().filter(file -> file.auto() != null).toList();
    }

    /** Returns the text without a heading; empty where no open was under pf/auto. */
    static List<String> lines(RunStats stats, int columnsMax) {
        return Reasons.lines(
                files(stats),
                file -> subject(file.auto()),
                file -> file.auto().decisions(),
                columnsMax);
    }

    private static String subject(AutoFigures auto) {
        return auto.state()
                + " in the end, "
                + Amounts.count(Math.max(0, auto.hints()))
                + " hints of "
                + Amounts.bytes(Math.max(0, auto.hintBytes()))
                + (auto.opens() > 1 ? ", " + Amounts.count(auto.opens()) + " opens" : "");
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
            auto.decisions().putInto(json, "decisions", "what");
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
