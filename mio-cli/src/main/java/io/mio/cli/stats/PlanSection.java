package io.mio.cli.stats;

import io.mio.cli.PlanBlock;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows how files went by their plans, file by file, as text for people and as JSON. */
final class PlanSection {
    /** Most files in the text; the JSON has all. */
    private static final int FILES_MAX = 10;

    /** Most reasons shown for a file in the text. */
    private static final int REASONS_MAX = 6;

    private PlanSection() {}

    private static List<FileFigures> files(RunStats stats) {
        return stats.files().stream().filter(file -> file.plan() != null).toList();
    }

    /** Returns the text without a heading; empty where no file was to go by a plan. */
    static List<String> lines(RunStats stats, int columnsMax) {
        List<FileFigures> files = files(stats);
        List<String> lines = new ArrayList<>();
        for (FileFigures file : files.subList(0, Math.min(FILES_MAX, files.size()))) {
            PlanFigures plan = file.plan();
            String subject = file.name() + ": " + subject(plan);
            lines.addAll(TextReport.prose("  ", SafeText.of(subject), columnsMax));
            reasons(lines, plan, columnsMax);
        }
        if (files.size() > FILES_MAX) {
            int more = files.size() - FILES_MAX;
            lines.add("  ... and " + Amounts.count(more) + " more files: --json");
        }
        return lines;
    }

    private static String subject(PlanFigures plan) {
        PlanBlock last = plan.last();
        StringBuilder text = new StringBuilder();
        boolean isNone = last.state().equals(PlanBlock.NONE);
        text.append(isNone ? "no plan" : last.state() + " in the end");
        if (plan.requests() > 0 || !isNone) {
            text.append(", ").append(Amounts.count(Math.max(0, plan.followed())));
            text.append(" of ").append(Amounts.count(Math.max(0, plan.requests())));
            text.append(" requests by the plan");
        }
        if (!isNone) {
            text.append(", at place ").append(Amounts.count(Math.max(0, last.place())));
            text.append(" of ").append(Amounts.count(Math.max(0, last.pages())));
        }
        if (plan.opens() > 1) {
            text.append(", ").append(Amounts.count(plan.opens())).append(" opens");
        }
        return text.toString();
    }

    private static void reasons(List<String> lines, PlanFigures plan, int columnsMax) {
        int shown = 0;
        long left = plan.moreReasons();
        for (var entry : plan.reasons().entrySet()) {
            if (shown++ >= REASONS_MAX) {
                left = Counts.add(left, entry.getValue());
                continue;
            }
            String text = entry.getKey().state() + ": " + entry.getKey().words();
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
            PlanFigures plan = file.plan();
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("file", file.name());
            json.put("program", file.program());
            json.put("opens", plan.opens());
            json.put("state", plan.last().state());
            AutoSection.putKnown(json, "pages", plan.last().pages());
            AutoSection.putKnown(json, "place", plan.last().place());
            AutoSection.putKnown(json, "requests", plan.requests());
            AutoSection.putKnown(json, "followed", plan.followed());
            AutoSection.putKnown(json, "left", plan.left());
            List<Object> reasons = new ArrayList<>();
            plan.reasons()
                    .forEach(
                            (reason, times) -> {
                                Map<String, Object> one = new LinkedHashMap<>();
                                one.put("state", reason.state());
                                one.put("reason", reason.words());
                                one.put("times", times);
                                reasons.add(one);
                            });
            json.put("reasons", reasons);
            json.put("more_reasons", plan.moreReasons());
            all.add(json);
        }
        return all;
    }
}
