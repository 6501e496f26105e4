package io.mio.cli.top;

/**
 * What the user wants to see.
 *
 * @param rows what has a row
 * @param rates whether growth over the interval is shown, not totals
 * @param sort order of the rows
 * @param paused whether no new reading is taken
 * @param first row at the top, 0-based
 */
public record View(Rows rows, boolean rates, SortKey sort, boolean paused, int first) {
    /** What has a row of its own. */
    public enum Rows {
        PROCESSES,
        FILES,
        /** Decisions of {@code pf/auto}, the last one first. */
        DECISIONS
    }

    View withRows(Rows wanted) {
        return new View(wanted, rates, sort, paused, 0);
    }

    View withRates(boolean wanted) {
        return new View(rows, wanted, sort, paused, first);
    }

    View withSort(SortKey wanted) {
        return new View(rows, rates, wanted, paused, 0);
    }

    View withPaused(boolean wanted) {
        return new View(rows, rates, sort, wanted, first);
    }

    /** Returns the view moved by so many rows, within a table of so many. */
    View moved(int by, int rowCount) {
        int to = Math.max(0, Math.min(rowCount - 1, first + by));
        return new View(rows, rates, sort, paused, to);
    }

    /**
     * Returns the view after a key was pressed.
     *
     * @param rowCount rows of the table
     * @param room rows the screen has room for
     */
    public View after(LiveTerminal.Key key, int rowCount, int room) {
        return switch (key) {
            case PROCESSES -> withRows(Rows.PROCESSES);
            case FILES -> withRows(Rows.FILES);
            case DECISIONS -> withRows(Rows.DECISIONS);
            case SORT -> withSort(sort.next());
            case TOTALS -> withRates(!rates);
            case PAUSE -> withPaused(!paused);
            case UP -> moved(-1, rowCount);
            case DOWN -> moved(1, rowCount);
            case PAGE_UP -> moved(-room, rowCount);
            case PAGE_DOWN -> moved(room, rowCount);
            case QUIT -> this;
        };
    }
}
