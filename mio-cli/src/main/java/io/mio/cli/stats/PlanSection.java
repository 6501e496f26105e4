package io.mio.cli.stats;

import io.mio.cli.PlanBlock;
import io.mio.cli.term.Amounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows how files went by their plans, file by file, as text for people and as JSON. */
final class PlanSection {
    private PlanSection() {}

    private static List<FileFigures> files(RunStats stats) {
        return stats.files().stream().filter(file -> file.plan() != null).toList();
    }

    /** Returns the text without a heading; empty where no file was to go by a plan. */
    static List<String> lines(RunStats stats, int columnsMax) {
        return Reasons.lines(
                files(stats),
                file -> subject(file.plan()),
                file -> file.plan().reasons(),
                columnsMax);
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
            plan.reasons().putInto(json, "reasons", "state");
            all.add(json);
        }
        return all;
    }
}
