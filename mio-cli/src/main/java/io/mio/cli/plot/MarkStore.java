package io.mio.cli.plot;

import java.util.Arrays;

/**
 * Makes one {@link Level} in bounded memory. As long as they have room, all events are kept as they
 * are. Then steps begin, as small as {@link Scale} says, and are doubled whenever the room is used
 * up, until a quarter of it is free again:
 *
 * <ol>
 *   <li>A transfer that follows another one becomes one {@link Shape#LINE} with it, see {@link
 *       OpenLines}.
 *   <li>What lies in the same cells with its start, end and both offsets becomes one {@link
 *       Shape#BOX}. A cell is half a step. A line is small enough if it touches no more than two
 *       cells that are neighbours: all it stands for is then within a step.
 *   <li>All else stays as it is.
 * </ol>
 *
 * What failed is joined only if it takes more than its share of the room.
 */
final class MarkStore {
    private static final int FAILED_SHARE = 8;
    private static final int EXACT = -1;

    /** Marks that grew are still found where they began; a search among them ends here. */
    private static final int PROBES = 32;

    private final Scale scale;
    private final SeriesTable series;
    private final MarkTable table;
    private int room;
    private int failed;

    private int doublings = EXACT;
    private int timeShift;
    private boolean joinsFailed;
    private OpenLines[] open = new OpenLines[0];

    /** Index + 1 of a mark, by the cells it lay in when it was added. */
    private int[] cells = new int[0];

    private final MarkRow moved = new MarkRow();

    // The cells of the mark looked at last.
    private long startCell;
    private long endCell;
    private long lowCell;
    private long highCell;

    MarkStore(int room, Scale scale, SeriesTable series) {
        this.room = room;
        this.table = new MarkTable(room);
        this.scale = scale;
        this.series = series;
    }

    boolean isExact() {
        return doublings == EXACT;
    }

    /** How often the steps were doubled; stores with the same number hold about the same. */
    int doublings() {
        return doublings;
    }

    void add(MarkRow row) {
        if (series.isFailed(row.series)) {
            failed++;
        }
        if (doublings == EXACT) {
            if (table.size() < room) {
                table.add(row);
                return;
            }
            coarsen();
        }
        if (!join(row)) {
            if (table.size() == room) {
                coarsen();
                if (join(row)) {
                    return;
                }
            }
            append(row);
        }
    }

    private void coarsen() {
        while (table.size() > room - room / 4 && doublings < Scale.BITS) {
            doublings++;
            again();
        }
        if (table.size() > room - room / 4) {
            // Each series has a mark or two left, and there are many series.
            room = table.size() + table.size() / 3 + 1;
            index();
        }
    }

    /** Brings all marks in anew, with the steps as they are now. */
    private void again() {
        table.sort();
        joinsFailed = failed > room / FAILED_SHARE;
        timeShift = scale.timeShift(doublings);
        for (OpenLines lines : open) {
            if (lines != null) {
                lines.clear();
            }
        }
        resetCells();
        int size = table.size();
        table.cut(0);
        failed = 0;
        for (int i = 0; i < size; i++) {
            table.read(i, moved);
            boolean joined = join(moved);
            if (!joined) {
                append(moved);
            }
            if (!joined && series.isFailed(moved.series)) {
                failed++;
            }
        }
    }

    private void append(MarkRow row) {
        int mark = table.add(row);
        if (isFollowed(row)) {
            lines(row.series).open(mark);
        }
        enter(mark);
    }

    /** Lets a mark be found by its cells. What was entered long before may be forgotten for it. */
    private void enter(int mark) {
        if (!isBoxed(table.series(mark)) || !setCells(mark)) {
            return;
        }
        int at = place(table.series(mark));
        for (int i = 1; cells[at] != 0 && i < PROBES; i++) {
            at = at + 1 & cells.length - 1;
        }
        cells[at] = mark + 1;
    }

    private boolean join(MarkRow row) {
        if (isFollowed(row)) {
            int offsetShift = scale.offsetShift(series.file(row.series), doublings);
            if (lines(row.series).join(table, row, timeShift, offsetShift)) {
                return true;
            }
        }
        return isBoxed(row.series) && box(row);
    }

    private boolean isFollowed(MarkRow row) {
        return row.shape != Shape.BOX && row.offset >= 0 && series.hasLines(row.series);
    }

    private boolean isBoxed(int index) {
        return joinsFailed || !series.isFailed(index);
    }

    private OpenLines lines(int index) {
        if (index >= open.length) {
            open = Arrays.copyOf(open, Math.max(index + 1, 2 * open.length));
        }
        if (open[index] == null) {
            open[index] = new OpenLines();
        }
        return open[index];
    }

    // ---- cells

    private boolean box(MarkRow row) {
        if (!setCells(
                row.series,
                row.shape == Shape.LINE,
                row.startNanos,
                row.endNanos,
                row.lowOffset(),
                row.highOffset())) {
            return false;
        }
        long start = startCell;
        long end = endCell;
        long low = lowCell;
        long high = highCell;
        int at = place(row.series);
        for (int i = 0; cells[at] != 0 && i < PROBES; i++, at = at + 1 & cells.length - 1) {
            int mark = cells[at] - 1;
            if (table.series(mark) == row.series
                    && setCells(mark)
                    && startCell == start
                    && endCell == end
                    && lowCell == low
                    && highCell == high) {
                table.join(
                        mark,
                        row,
                        Shape.BOX,
                        Math.min(table.start(mark), row.startNanos),
                        Math.max(table.end(mark), row.endNanos),
                        Math.min(low(mark), row.lowOffset()),
                        Math.max(high(mark), row.highOffset()));
                return true;
            }
        }
        return false;
    }

    private long low(int mark) {
        return Math.min(table.offset(mark), table.offsetEnd(mark));
    }

    private long high(int mark) {
        return Math.max(table.offset(mark), table.offsetEnd(mark));
    }

    private boolean setCells(int mark) {
        return setCells(
                table.series(mark),
                table.isLine(mark),
                table.start(mark),
                table.end(mark),
                low(mark),
                high(mark));
    }

    /** Finds the cells of a mark; false if it is a line that is too long for a box. */
    private boolean setCells(int index, boolean line, long start, long end, long low, long high) {
        int offsetShift = scale.offsetShift(series.file(index), doublings);
        startCell = start - scale.beginNanos() >> timeShift;
        endCell = end - scale.beginNanos() >> timeShift;
        lowCell = low >> offsetShift;
        highCell = high >> offsetShift;
        return !line || (endCell - startCell <= 1 && highCell - lowCell <= 1);
    }

    private int place(int index) {
        long hash = index;
        hash = hash * 0x9e3779b97f4a7c15L + startCell;
        hash = hash * 0x9e3779b97f4a7c15L + endCell;
        hash = hash * 0x9e3779b97f4a7c15L + lowCell;
        hash = hash * 0x9e3779b97f4a7c15L + highCell;
        hash ^= hash >>> 32;
        hash *= 0x9e3779b97f4a7c15L;
        return (int) (hash >>> 32) & cells.length - 1;
    }

    private void resetCells() {
        int length = Integer.highestOneBit(Math.max(16, room)) * 4;
        if (cells.length == length) {
            Arrays.fill(cells, 0);
        } else {
            cells = new int[length];
        }
    }

    /** The marks are found again in a table of another size. */
    private void index() {
        resetCells();
        for (int mark = 0; mark < table.size(); mark++) {
            enter(mark);
        }
    }

    // ---- the end

    /** No more events. */
    Level level() {
        open = new OpenLines[0];
        cells = new int[0];
        table.finish();
        return isExact()
                ? new Level(0, 0, table)
                : new Level(2L << timeShift, 2L << scale.offsetShiftMax(doublings), table);
    }
}
