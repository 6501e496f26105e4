package io.mio.cli.events.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the row of a track for a slice, so that the slices of a row nest (calls: that of the
 * program holds those beneath it) or follow one another (requests). Viewers know no other slices,
 * and draw overlapping ones in wrong places.
 *
 * <p>Row 0 holds nearly everything. Other rows are for requests in flight at one time, for slices
 * that come later than one that began after them, and for times that make no sense.
 */
final class Rows {
    /** Result for a slice that fits in no row. */
    static final int NONE = -1;

    private static final int DEPTH_MAX = 256;

    /** Approximate memory of a row and its track besides the ends, in numbers of eight bytes. */
    private static final int ROOM_OF_ROW = 16;

    private final List<Row> rows = new ArrayList<>();
    private final int most;
    private final boolean nests;
    private final long floor;
    private long lastEnd;
    private int room;

    /**
     * Makes a track without rows.
     *
     * @param most most rows
     * @param nests whether a slice may lie in another one
     * @param floor the earliest start of a slice
     */
    Rows(int most, boolean nests, long floor) {
        this.most = most;
        this.nests = nests;
        this.floor = floor;
        this.lastEnd = floor;
    }

    /** Returns the row, 0-based, or {@link #NONE}. */
    int take(long start, long end) {
        if (start < floor) {
            return NONE;
        }
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            int before = row.ends.length;
            if (row.takes(start, end, nests)) {
                room += row.ends.length - before;
                lastEnd = Math.max(lastEnd, end);
                return i;
            }
        }
        if (rows.size() == most) {
            return NONE;
        }
        Row row = new Row();
        rows.add(row);
        room += ROOM_OF_ROW + row.ends.length;
        row.takes(start, end, nests);
        lastEnd = Math.max(lastEnd, end);
        return rows.size() - 1;
    }

    /** Returns the memory used, in numbers of eight bytes. */
    int room() {
        return room;
    }

    /** Returns the latest end of all slices. */
    long lastEnd() {
        return lastEnd;
    }

    private static final class Row {
        private long[] ends = new long[4];
        private int depth;
        private long lastStart = Long.MIN_VALUE;

        boolean takes(long start, long end, boolean nests) {
            if (start < lastStart) {
                return false;
            }
            int open = depth;
            while (open > 0 && ends[open - 1] <= start) {
                open--;
            }
            if (open > 0 && (!nests || ends[open - 1] < end || open == DEPTH_MAX)) {
                return false;
            }
            if (open == ends.length) {
                ends = Arrays.copyOf(ends, 2 * open);
            }
            ends[open] = end;
            depth = open + 1;
            lastStart = start;
            return true;
        }
    }
}
