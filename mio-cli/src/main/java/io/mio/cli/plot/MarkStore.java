package io.mio.cli.plot;

import java.util.Arrays;

/**
 * Makes one {@link Level} in bounded memory. As long as there is room, all events are kept as they
 * are. Then steps begin, as small as {@link Scale} says, and are doubled whenever the room is used
 * up, until a quarter of it is free again:
 *
 * <ol>
 *   <li>A transfer that follows another one becomes one {@link Shape#LINE} with it, see {@link
 *       OpenLines}.
 *   <li>Marks whose start, end and both offsets lie in the same cells become one {@link Shape#BOX}.
 *       A cell is half a step. A line is small enough for a box if it touches no more than two
 *       cells that are neighbours: all events it stands for are then within a step.
 *   <li>All other marks stay as they are.
 * </ol>
 *
 * Failed events are joined only if they take more than their share of the room.
 */
final class MarkStore {
    private static final int FAILED_SHARE = 8;
    private static final int EXACT = -1;

    /**
     * Most places that a search looks at. Marks that grew into other cells keep the places of those
     * in which they began, so that many may lie in its way.
     */
    private static final int PROBES = 32;

    private static final long TAG = 0xffffffffL << 32;

    private final Scale scale;
    private final SeriesTable series;
    private final MarkTable table;
    private int room;
    private final int failedMost;
    private int failed;

    private int doublings = EXACT;
    private int timeShift;
    private boolean joinsFailed;
    private OpenLines[] open = new OpenLines[0];

    /**
     * Index + 1 of a mark, by the cells it lay in when it was added. The upper 32 bits are those of
     * the cells' hash: they tell most marks apart without a look at the mark itself, which would
     * miss the processor's cache.
     */
    private long[] cells = new long[0];

    private final MarkRow moved = new MarkRow();

    // The cells of the mark looked at last.
    private long startCell;
    private long endCell;
    private long lowCell;
    private long highCell;

    MarkStore(int room, Scale scale, SeriesTable series) {
        this.room = room;
        this.failedMost = room / FAILED_SHARE;
        this.table = new MarkTable(room);
        this.scale = scale;
        this.series = series;
    }

    boolean isExact() {
        return doublings == EXACT;
    }

    /**
     * Returns how often the steps were doubled; stores with the same number hold about the same.
     */
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
        int more = 1;
        while (table.size() > room - room / 4 && doublings < Scale.DOUBLINGS) {
            int before = table.size();
            doublings = Math.min(Scale.DOUBLINGS, doublings + more);
            again();
            // Where steps are much too small, a pass for each doubling would be in vain.
            more = table.size() > before - before / 50 ? 2 : 1;
        }
        if (table.size() > room - room / 4 && failed > failedMost && !joinsFailed) {
            // The steps cannot grow any more, but too many failed events have come since they did.
            again();
        }
        if (table.size() > room - room / 4) {
            // Each series has only a mark or two left, and there are many series.
            room = table.size() + table.size() / 3 + 1;
            index();
        }
    }

    /** Adds all marks anew, with the current steps. */
    private void again() {
        table.sort();
        joinsFailed = failed > failedMost;
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

    /**
     * Lets a mark be found by its cells. A mark that was entered long before may be forgotten for
     * it.
     */
    private void enter(int mark) {
        if (!isBoxed(table.series(mark)) || !setCells(mark)) {
            return;
        }
        long hash = hash(table.series(mark));
        int at = (int) hash & cells.length - 1;
        for (int i = 1; cells[at] != 0 && i < PROBES; i++) {
            at = at + 1 & cells.length - 1;
        }
        cells[at] = hash & TAG | (mark + 1);
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
        long hash = hash(row.series);
        int at = (int) hash & cells.length - 1;
        for (int i = 0; cells[at] != 0 && i < PROBES; i++, at = at + 1 & cells.length - 1) {
            if ((cells[at] & TAG) != (hash & TAG)) {
                continue;
            }
            int mark = (int) cells[at] - 1;
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

    /** Finds the cells of a mark; returns false if it is a line that is too long for a box. */
    private boolean setCells(int index, boolean line, long start, long end, long low, long high) {
        int offsetShift = scale.offsetShift(series.file(index), doublings);
        startCell = start - scale.beginNanos() >> timeShift;
        endCell = end - scale.beginNanos() >> timeShift;
        lowCell = low >> offsetShift;
        highCell = high >> offsetShift;
        return !line || (endCell - startCell <= 1 && highCell - lowCell <= 1);
    }

    /**
     * Returns a hash of a series and the cells found last. Its low bits are the place in the table,
     * its high bits are stored there.
     */
    private long hash(int index) {
        long hash = index;
        hash = hash * 0x9e3779b97f4a7c15L + startCell;
        hash = hash * 0x9e3779b97f4a7c15L + endCell;
        hash = hash * 0x9e3779b97f4a7c15L + lowCell;
        hash = hash * 0x9e3779b97f4a7c15L + highCell;
        hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
        return hash ^ hash >>> 32;
    }

    private void resetCells() {
        int length = Integer.highestOneBit(Math.max(16, room)) * 4;
        if (cells.length == length) {
            Arrays.fill(cells, 0);
        } else {
            cells = new long[length];
        }
    }

    /** Enters all marks into a table of another size. */
    private void index() {
        resetCells();
        for (int mark = 0; mark < table.size(); mark++) {
            enter(mark);
        }
    }

    // ---- the end

    /** Returns the level; there are no more events. */
    Level level() {
        open = new OpenLines[0];
        cells = new long[0];
        table.finish();
        return isExact()
                ? new Level(0, 0, table)
                : new Level(2L << timeShift, 2L << scale.offsetShiftMax(doublings), table);
    }
}
