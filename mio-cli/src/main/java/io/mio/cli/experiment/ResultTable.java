package io.mio.cli.experiment;

import java.util.ArrayList;
import java.util.List;

/** A table of a result. The first column has the names of the rows. */
public final class ResultTable {
    private final String id;
    private final String caption;
    private final List<String> headings;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * Makes an empty table.
     *
     * @param id name in JSON and CSV: small letters, digits and {@code _}
     * @param caption what is in it, with the unit if all cells have the same
     * @param headings one for each column
     */
    public ResultTable(String id, String caption, String... headings) {
        this.id = id;
        this.caption = caption;
        this.headings = List.of(headings);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if it does not have a cell for each column
     */
    public ResultTable row(String name, Cell... cells) {
        return row(name, List.of(cells));
    }

    /** Adds a row as {@link #row(String, Cell...)} does. */
    public ResultTable row(String name, List<Cell> cells) {
        if (cells.size() + 1 != headings.size()) {
            throw new IllegalArgumentException(
                    id + ": " + cells.size() + " cells for " + (headings.size() - 1));
        }
        List<Cell> row = new ArrayList<>();
        row.add(Cell.text(name));
        row.addAll(cells);
        rows.add(row);
        return this;
    }

    public String id() {
        return id;
    }

    public String caption() {
        return caption;
    }

    public List<String> headings() {
        return headings;
    }

    /** Returns the rows, each with its name first. */
    public List<List<Cell>> rows() {
        return rows;
    }

    /** Returns true if a ratio in the table is marked. */
    boolean hasChance() {
        return rows.stream()
                .flatMap(List::stream)
                .anyMatch(cell -> cell instanceof Cell.Ratio ratio && ratio.gain().mayBeChance());
    }
}
