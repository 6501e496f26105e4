package io.mio.cli.plot.draw;

import java.util.Arrays;

/**
 * How much of each pixel a shape covers. Edges leave their area in the pixels they pass; the sum
 * along a row from the left is then the covered share. Parts that go round in the same direction
 * unite where they overlap; parts that go round the other way are holes.
 */
final class Coverage {
    /** Takes covered pixels. */
    interface Pixels {
        void blend(int x, int y, double share);
    }

    /** A smaller share of a pixel is not seen, and may come from rounding. */
    private static final double LEAST = 1 / 512.0;

    private final int width;
    private final int height;
    private final double[] areas;
    private int minX;
    private int maxX;
    private int minY;
    private int maxY;
    private double left;
    private double top;
    private double right;
    private double bottom;

    Coverage(int width, int height) {
        this.width = width;
        this.height = height;
        this.areas = new double[(width + 2) * height];
        clip(0, 0, width, height);
        forget();
    }

    /** Limits what is covered to a rectangle, until the next call. */
    void clip(double fromX, double fromY, double toX, double toY) {
        left = Math.max(0, Math.min(width, fromX));
        top = Math.max(0, Math.min(height, fromY));
        right = Math.max(left, Math.min(width, toX));
        bottom = Math.max(top, Math.min(height, toY));
    }

    private void forget() {
        minX = width + 1;
        minY = height;
        maxX = -1;
        maxY = -1;
    }

    /** Adds an edge of the shape. */
    void edge(double x0, double y0, double x1, double y1) {
        if (!(Math.abs(x0) + Math.abs(y0) + Math.abs(x1) + Math.abs(y1) < 1e9) || y0 == y1) {
            return;
        }
        double direction = y0 < y1 ? 1 : -1;
        double upperX = y0 < y1 ? x0 : x1;
        double upperY = Math.min(y0, y1);
        double lowerX = y0 < y1 ? x1 : x0;
        double lowerY = Math.max(y0, y1);
        if (lowerY <= top || upperY >= bottom) {
            return;
        }
        double slope = (lowerX - upperX) / (lowerY - upperY);
        double fromY = Math.max(upperY, top);
        double toY = Math.min(lowerY, bottom);
        double fromX = upperX + (fromY - upperY) * slope;
        double toX = upperX + (toY - upperY) * slope;
        // A part beside the clip covers as much as the clip's edge there does.
        double[] stops = {fromY, crossing(fromX, fromY, slope, left, toY), 0, toY};
        stops[2] = crossing(fromX, fromY, slope, right, toY);
        if (stops[1] > stops[2]) {
            double swapped = stops[1];
            stops[1] = stops[2];
            stops[2] = swapped;
        }
        for (int i = 0; i < 3; i++) {
            if (stops[i + 1] > stops[i]) {
                double a = Math.max(left, Math.min(right, fromX + (stops[i] - fromY) * slope));
                double b = Math.max(left, Math.min(right, fromX + (stops[i + 1] - fromY) * slope));
                rows(a, stops[i], b, stops[i + 1], direction);
            }
        }
        note(Math.min(fromX, toX), Math.max(fromX, toX), fromY, toY);
    }

    private static double crossing(double fromX, double fromY, double slope, double x, double toY) {
        if (slope == 0) {
            return fromY;
        }
        double y = fromY + (x - fromX) / slope;
        return Math.max(fromY, Math.min(toY, y));
    }

    private void note(double fromX, double toX, double fromY, double toY) {
        minX = Math.min(minX, (int) Math.max(left, Math.min(right, fromX)));
        maxX = Math.max(maxX, (int) Math.max(left, Math.min(right, toX)) + 1);
        minY = Math.min(minY, (int) fromY);
        maxY = Math.max(maxY, Math.min(height - 1, (int) toY));
    }

    private void rows(double x0, double y0, double x1, double y1, double direction) {
        double slope = (x1 - x0) / (y1 - y0);
        double x = x0;
        double y = y0;
        for (int row = (int) y0; y < y1 && row < height; row++) {
            double nextY = Math.min(row + 1.0, y1);
            double nextX = nextY == y1 ? x1 : x0 + (nextY - y0) * slope;
            row(row, x, nextX, (nextY - y) * direction);
            x = nextX;
            y = nextY;
        }
    }

    /** Adds a piece of an edge within one row; {@code drop} is its height, with its direction. */
    private void row(int row, double x0, double x1, double drop) {
        int base = row * (width + 2);
        double from = Math.min(x0, x1);
        double to = Math.max(x0, x1);
        int first = (int) from;
        int last = (int) Math.ceil(to);
        if (last <= first + 1) {
            double inside = drop * (1 - ((from + to) / 2 - first));
            areas[base + first] += inside;
            areas[base + first + 1] += drop - inside;
            return;
        }
        double each = drop / (to - from);
        double before = 0;
        for (int column = first; column < last; column++) {
            double enter = Math.max(from, column);
            double leave = Math.min(to, column + 1.0);
            double height = (leave - enter) * each;
            double inside = height * (column + 1 - (enter + leave) / 2);
            areas[base + column] += before + inside;
            before = height - inside;
        }
        areas[base + last] += before;
    }

    /** Hands out the covered pixels, and forgets them. */
    void take(Pixels pixels) {
        for (int y = minY; y <= maxY; y++) {
            int base = y * (width + 2);
            double sum = 0;
            for (int x = minX; x <= maxX && x < width; x++) {
                sum += areas[base + x];
                double share = Math.min(1, Math.abs(sum));
                if (share > LEAST) {
                    pixels.blend(x, y, share);
                }
            }
            Arrays.fill(areas, base + Math.min(minX, width), base + Math.min(maxX, width) + 2, 0);
        }
        forget();
    }
}
