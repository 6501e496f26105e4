package io.mio.cli.plot.draw;

import java.util.HashSet;
import java.util.Set;

/**
 * Marks of one colour in a panel, no more of them than can be told apart. A small mark becomes a
 * dot in a grid. A large one is drawn as it is, unless an equal one is there already, and is
 * painted into the grid if there are too many. So a picture stays small whatever the number of
 * events.
 */
final class Thinned {
    /** Most large shapes, of all that share a panel. */
    private static final int SHAPES_MAX = 16_000;

    /** Most rows of adjacent dots, of all that share a panel. */
    private static final int RUNS_MAX = 36_000;

    private final Box box;
    private final double least;
    private final int shapesMax;
    private final int runsMax;
    private final Outline areas = new Outline();
    private final Outline lines = new Outline();
    private final Set<Long> seen = new HashSet<>();
    private final Dots dots;

    /**
     * Makes an empty set.
     *
     * @param least side of a dot, and least width of a shape, in pixels
     * @param sharers number of such sets that share the panel
     */
    Thinned(Box box, double least, int sharers) {
        this.box = box;
        this.least = least;
        this.shapesMax = SHAPES_MAX / sharers;
        this.runsMax = RUNS_MAX / sharers;
        this.dots = new Dots(box, least);
    }

    /** Adds a rectangle with these corners, at least as large as a dot. */
    void area(double x0, double y0, double x1, double y1) {
        double width = Math.abs(x1 - x0);
        double height = Math.abs(y1 - y0);
        double left = Math.min(x0, x1);
        double top = Math.min(y0, y1);
        if (isOutside(left, top, left + width, top + height)) {
            return;
        }
        if (isSmall(width, height)) {
            dots.add(left + width / 2, top + height / 2);
        } else if (seen.size() >= shapesMax) {
            dots.add(left, top, left + width, top + height);
        } else if (isNew(x0, y0, x1, y1)) {
            double drawnWidth = Math.max(width, least);
            double drawnHeight = Math.max(height, least);
            areas.rectangle(
                    left + (width - drawnWidth) / 2,
                    top + (height - drawnHeight) / 2,
                    drawnWidth,
                    drawnHeight);
        }
    }

    /** Adds a line between these points. */
    void line(double x0, double y0, double x1, double y1) {
        double width = Math.abs(x1 - x0);
        double height = Math.abs(y1 - y0);
        if (isOutside(Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1))) {
            return;
        }
        if (isSmall(width, height)) {
            dots.add((x0 + x1) / 2, (y0 + y1) / 2);
        } else if (seen.size() >= shapesMax) {
            int steps = (int) Math.min(20_000, Math.ceil(Math.max(width, height) / least));
            for (int i = 0; i <= steps; i++) {
                dots.add(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
            }
        } else if (isNew(x0, y0, x1, y1)) {
            lines.move(x0, y0).line(x1, y1);
        }
    }

    /** Adds a point, as a dot. */
    void point(double x, double y) {
        if (!isOutside(x, y, x, y)) {
            dots.add(x, y);
        }
    }

    private boolean isOutside(double left, double top, double right, double bottom) {
        return !(right >= box.x()
                && left <= box.right()
                && bottom >= box.y()
                && top <= box.bottom());
    }

    private boolean isSmall(double width, double height) {
        return width <= least * 1.3 && height <= least * 1.3;
    }

    /** Returns whether no equal shape was drawn; half a pixel makes no difference. */
    private boolean isNew(double x0, double y0, double x1, double y1) {
        return seen.add(half(x0) << 48 | half(y0) << 32 | half(x1) << 16 | half(y1));
    }

    private static long half(double pixel) {
        return Math.round(Math.max(-1000, Math.min(31_000, pixel)) * 2) & 0xffff;
    }

    /** Returns the rectangles, to be filled. */
    Outline areas() {
        return areas;
    }

    /** Returns the lines, to be drawn. */
    Outline lines() {
        return lines;
    }

    /** Returns the dots, to be filled; larger ones if there are too many. */
    Outline dots() {
        return dots.outline(runsMax);
    }

    boolean isEmpty() {
        return areas.isEmpty() && lines.isEmpty() && dots.isEmpty();
    }
}
