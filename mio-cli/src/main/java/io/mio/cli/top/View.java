package io.mio.cli.top;

/**
 * What the user wants to see.
 *
 * @param files whether each file has a row, not each process
 * @param rates whether growth over the interval is shown, not totals
 * @param sort order of the rows
 * @param paused whether no new reading is taken
 * @param first row at the top, 0-based
 */
public record View(boolean files, boolean rates, SortKey sort, boolean paused, int first) {
    View withFiles(boolean wanted) {
        return new View(wanted, rates, sort, paused, 0);
    }

    View withRates(boolean wanted) {
        return new View(files, wanted, sort, paused, first);
    }

    View withSort(SortKey wanted) {
        return new View(files, rates, wanted, paused, 0);
    }

    View withPaused(boolean wanted) {
        return new View(files, rates, sort, wanted, first);
    }

    /** Returns the view moved by so many rows, within a table of so many. */
    View moved(int rows, int rowCount) {
        int to = Math.max(0, Math.min(rowCount - 1, first + rows));
        return new View(files, rates, sort, paused, to);
    }

    /**
     * Returns the view after a key was pressed.
     *
     * @param rowCount rows of the table
     * @param room rows the screen has room for
     */
    public View after(LiveTerminal.Key key, int rowCount, int room) {
        return switch (key) {
            case PROCESSES -> withFiles(false);
            case FILES -> withFiles(true);
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
