package io.mio.cli.stats;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.mio.cli.term.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole report as one JSON object; docs/commands/stats.md describes the members. The text is
 * ASCII only and has no characters with a meaning in HTML, so that it can be shown on a terminal
 * and put into a page.
 */
final class JsonReport {
    private static final int FORMAT = 1;

    private JsonReport() {}

    static String text(Object value) {
        try {
            return Json.indented().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static Map<String, Object> of(
            RunStats stats, StatsOptions options, List<Note> notes, List<InputReport> inputs) {
        Map<String, Object> json = run(stats, options, inputs);
        if (options.notes()) {
            json.put("notes", notes.stream().map(JsonReport::note).toList());
        }
        return json;
    }

    private static Map<String, Object> run(
            RunStats stats, StatsOptions options, List<InputReport> inputs) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "mio_stats");
        json.put("format", FORMAT);
        json.put("inputs", inputs.stream().map(InputReport::json).toList());
        json.put("folded_blocks", stats.folded());
        json.put("total", figures(Rows.total(stats)));
        Rows rows = Rows.of(stats, options);
        json.put("by", options.by().toString());
        List<Object> all = new ArrayList<>();
        rows.shown().forEach(row -> all.add(figures(row)));
        json.put("rows", all);
        json.put("rows_left_out", rows.left());
        List<Map<String, Object>> auto = AutoSection.json(stats);
        if (!auto.isEmpty()) {
            json.put("auto", auto);
        }
        List<Map<String, Object>> plans = PlanSection.json(stats);
        if (!plans.isEmpty()) {
            json.put("plans", plans);
        }
        return json;
    }

    /** Returns the labels, then the figures that are known. */
    static Map<String, Object> figures(Row row) {
        Map<String, Object> json = new LinkedHashMap<>(row.labels());
        for (Figure figure : Figure.ALL) {
            Number value = figure.value().apply(row);
            if (value != null) {
                json.put(figure.name(), value);
            }
        }
        json.put("exact", row.top().isExact() && (row.pf() == null || row.pf().isExact()));
        List<String> rough =
                Figure.ALL.stream()
                        .filter(figure -> json.containsKey(figure.name()))
                        .filter(figure -> figure.rough().test(row))
                        .map(Figure::name)
                        .toList();
        if (!rough.isEmpty()) {
            json.put("approximate", rough);
        }
        if (row.top().errorKinds() != null) {
            json.put("errors_by_kind", row.top().errorKinds());
        }
        for (int i = 0; i < Counts.HISTOGRAMS.length; i++) {
            if (row.top().histogram(i) != null) {
                json.put(Counts.HISTOGRAMS[i], row.top().histogram(i));
            }
        }
        return json;
    }

    private static Map<String, Object> note(Note note) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", note.kind().label());
        json.put("file", note.file());
        json.put("program", note.program());
        json.put("text", note.text());
        json.put("advice", note.kind().advice());
        return json;
    }
}
