package io.mio.cli.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an experiment came to. The experiment fills it; after that it is only read. */
public final class Result {
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<ResultTable> tables = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, String> reports = new LinkedHashMap<>();

    /** Adds something that has to be known before the figures mean anything. */
    public Result fact(String label, String text) {
        facts.put(label, text);
        return this;
    }

    public Result table(ResultTable table) {
        tables.add(table);
        return this;
    }

    public Result chart(Chart chart) {
        charts.add(chart);
        return this;
    }

    /** Adds how a figure is to be read, or what is not as in the document: one sentence or two. */
    public Result note(String text) {
        notes.add(text);
        return this;
    }

    /**
     * Adds a report of MIO that is kept.
     *
     * @param name name of the file, behind that of the experiment and a minus
     */
    public Result report(String name, String text) {
        reports.put(name, text);
        return this;
    }

    public Map<String, String> facts() {
        return facts;
    }

    public List<ResultTable> tables() {
        return tables;
    }

    public List<Chart> charts() {
        return charts;
    }

    public List<String> notes() {
        return notes;
    }

    public Map<String, String> reports() {
        return reports;
    }
}
