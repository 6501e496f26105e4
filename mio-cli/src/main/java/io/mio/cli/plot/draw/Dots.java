package io.mio.cli.plot.draw;

import java.util.BitSet;

/** Small squares in a grid, each of which is set or not. */
final class Dots {
    private final Box box;
    private final double side;
    private final int columns;
    private final int rows;
    private final BitSet set = new BitSet();

    /**
     * Makes an empty grid.
     *
     * @param side side of a square, in pixels
     */
    Dots(Box box, double side) {
        this.box = box;
        this.side = side;
        this.columns = (int) Math.ceil(box.width() / side) + 1;
        this.rows = (int) Math.ceil(box.height() / side) + 1;
    }

    /** Sets the square at a place; a place beside the grid counts as one at its edge. */
    void add(double x, double y) {
        set.set(row(y) * columns + column(x));
    }

    /** Sets all squares in a rectangle. */
    void add(double left, double top, double right, double bottom) {
        int toRow = row(bottom);
        for (int row = row(top); row <= toRow; row++) {
            set.set(row * columns + column(left), row * columns + column(right) + 1);
        }
    }

    private int column(double x) {
        return (int) Math.max(0, Math.min(columns - 1, Math.floor((x - box.x()) / side)));
    }

    private int row(double y) {
        return (int) Math.max(0, Math.min(rows - 1, Math.floor((y - box.y()) / side)));
    }

    boolean isEmpty() {
        return set.isEmpty();
    }

    /**
     * Returns one rectangle for each row of adjacent squares; of larger squares if there are too
     * many.
     */
    Outline outline(int countMax) {
        Dots dots = this;
        while (dots.runs() > countMax) {
            dots = dots.coarser();
        }
        return dots.outline();
    }

    /** Returns the end of adjacent squares; those of one row do not go on in the next. */
    private int runEnd(int from) {
        return Math.min(set.nextClearBit(from), (from / columns + 1) * columns);
    }

    private int runs() {
        int count = 0;
        for (int from = set.nextSetBit(0); from >= 0; from = set.nextSetBit(runEnd(from))) {
            count++;
        }
        return count;
    }

    private Dots coarser() {
        Dots larger = new Dots(box, 2 * side);
        for (int at = set.nextSetBit(0); at >= 0; at = set.nextSetBit(at + 1)) {
            larger.set.set(at / columns / 2 * larger.columns + at % columns / 2);
        }
        return larger;
    }

    private Outline outline() {
        Outline outline = new Outline();
        for (int from = set.nextSetBit(0); from >= 0; from = set.nextSetBit(runEnd(from))) {
            int row = from / columns;
            int column = from % columns;
            outline.rectangle(
                    box.x() + column * side,
                    box.y() + row * side,
                    (runEnd(from) - from) * side,
                    side);
        }
        return outline;
    }
}
