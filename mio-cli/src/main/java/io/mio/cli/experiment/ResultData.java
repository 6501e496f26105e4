package io.mio.cli.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.mio.cli.term.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A result for programs: one JSON object, or CSV with a line for each cell that is a number. */
final class ResultData {
    private static final int FORMAT = 1;

    private final Finished finished;

    ResultData(Finished finished) {
        this.finished = finished;
    }

    /** Returns the object, for {@link Json}. */
    Map<String, Object> object() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("type", "mio_experiment");
        all.put("format", FORMAT);
        all.put("experiment", finished.experiment().name());
        all.put("question", finished.experiment().question());
        all.put("document", finished.experiment().document());
        all.put("command", finished.command());
        all.put("began", finished.began().toString());
        all.put("elapsed_ns", finished.nanos());
        all.put("machine", finished.machine());
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("scale", finished.settings().scale().id());
        settings.put("size_bytes", zeroIsNull(finished.settings().sizeBytes()));
        settings.put("runs", zeroIsNull(finished.settings().runs()));
        settings.put("door", finished.door());
        all.put("settings", settings);
        all.put("facts", finished.result().facts());
        all.put("tables", finished.result().tables().stream().map(ResultData::table).toList());
        all.put("notes", finished.result().notes());
        return all;
    }

    private static Long zeroIsNull(long number) {
        return number == 0 ? null : (Long) number;
    }

    String json() throws JsonProcessingException {
        return Json.indented().writeValueAsString(object()) + "\n";
    }

    private static Map<String, Object> table(ResultTable table) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("id", table.id());
        one.put("caption", table.caption());
        one.put("columns", table.headings());
        List<List<Map<String, Object>>> rows = new ArrayList<>();
        for (List<Cell> row : table.rows()) {
            rows.add(row.stream().map(ResultData::cell).toList());
        }
        one.put("rows", rows);
        return one;
    }

    /** Returns the members of a cell, always the same for one kind of cell. */
    private static Map<String, Object> cell(Cell cell) {
        Map<String, Object> one = new LinkedHashMap<>();
        if (cell instanceof Cell.Figure figure) {
            one.put("kind", "measured");
            one.put("median", finite(figure.spread().median()));
            one.put("least", finite(figure.spread().least()));
            one.put("most", finite(figure.spread().most()));
            one.put("runs", figure.runs());
            one.put("unit", figure.unit().label());
        } else if (cell instanceof Cell.Ratio ratio) {
            one.put("kind", "gain");
            one.put("times", finite(ratio.gain().times()));
            one.put("may_be_chance", ratio.gain().mayBeChance());
        } else if (cell instanceof Cell.Given given) {
            one.put("kind", "document");
            one.put("figure", finite(given.figure()));
            one.put("unit", given.unit().label());
        } else if (cell instanceof Cell.GivenRatio given) {
            one.put("kind", "document_gain");
            one.put("times", finite(given.times()));
        } else if (cell instanceof Cell.Text text) {
            one.put("kind", "text");
            one.put("text", text.shown());
        } else {
            one.put("kind", "none");
        }
        return one;
    }

    /** Returns null for a figure that is not finite, as JSON has no such numbers. */
    private static Double finite(double figure) {
        return Double.isFinite(figure) ? (Double) figure : null;
    }

    String csv() {
        StringBuilder text =
                new StringBuilder(
                        "experiment,table,row,column,kind,unit,figure,least,most,runs,"
                                + "may_be_chance\n");
        for (ResultTable table : finished.result().tables()) {
            for (List<Cell> row : table.rows()) {
                for (int i = 1; i < row.size(); i++) {
                    line(text, table, row, i);
                }
            }
        }
        return text.toString();
    }

    private void line(StringBuilder text, ResultTable table, List<Cell> row, int column) {
        Map<String, Object> cell = cell(row.get(column));
        Object figure = cell.getOrDefault("median", cell.getOrDefault("times", cell.get("figure")));
        if (figure == null) {
            return;
        }
        List<Object> fields = new ArrayList<>();
        fields.add(finished.experiment().name());
        fields.add(table.id());
        fields.add(row.get(0).shown());
        fields.add(table.headings().get(column));
        fields.add(cell.get("kind"));
        fields.add(cell.get("unit"));
        fields.add(figure);
        for (String key : List.of("least", "most", "runs", "may_be_chance")) {
            fields.add(cell.get(key));
        }
        text.append(String.join(",", fields.stream().map(ResultData::field).toList())).append('\n');
    }

    private static String field(Object value) {
        if (value == null) {
            return "";
        }
        String text =
                value instanceof Double number
                        ? String.format(Locale.ROOT, "%.6g", number)
                        : value.toString();
        return text.matches("[^\",\n\r]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
