package io.mio.cli.plot.term;

import io.mio.cli.term.Style;
import io.mio.cli.term.Terminal;

/**
 * A part of a terminal to draw in. Where there are colours and more than ASCII, a character has two
 * by four dots; else a letter says what is there.
 */
final class Cells {
    /** What may be in a character. */
    enum Kind {
        READ(1),
        WRITE(2),
        FAILED(4);

        private final int bit;

        Kind(int bit) {
            this.bit = bit;
        }
    }

    private static final int FAILED = Kind.FAILED.bit;
    private static final int BOTH = Kind.READ.bit | Kind.WRITE.bit;

    /** Bits of a braille character, by row and column of its dots. */
    private static final int[][] DOTS = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

    private static final int BRAILLE = 0x2800;

    private final Terminal terminal;
    private final boolean dotted;
    private final int columns;
    private final int rows;
    private final int[] kinds;
    private final int[] dots;

    Cells(Terminal terminal, int columns, int rows) {
        this.terminal = terminal;
        this.dotted = terminal.colours() && terminal.utf8();
        this.columns = columns;
        this.rows = rows;
        this.kinds = new int[columns * rows];
        this.dots = new int[columns * rows];
    }

    /** Returns the number of dots from left to right. */
    int width() {
        return dotted ? 2 * columns : columns;
    }

    /** Returns the number of dots from top to bottom. */
    int height() {
        return dotted ? 4 * rows : rows;
    }

    /**
     * Draws a line between two places, as shares of width and height from the lower left corner.
     * All dots that it goes through are set, so that it has no gaps; what lies outside is left out.
     */
    void line(double x0, double y0, double x1, double y1, Kind kind) {
        double[] ends = {0, 1};
        boolean inside = cut(ends, x0, x1) && cut(ends, y0, y1);
        if (!inside) {
            return;
        }
        int x = dotX(x0 + (x1 - x0) * ends[0]);
        int y = dotY(y0 + (y1 - y0) * ends[0]);
        int toX = dotX(x0 + (x1 - x0) * ends[1]);
        int toY = dotY(y0 + (y1 - y0) * ends[1]);
        // Bresenham's algorithm: whole steps need no rounding.
        int across = Math.abs(toX - x);
        int up = Math.abs(toY - y);
        int error = across - up;
        while (x != toX || y != toY) {
            dot(x, y, kind);
            int twice = 2 * error;
            if (twice > -up) {
                error -= up;
                x += toX > x ? 1 : -1;
            }
            if (twice < across) {
                error += across;
                y += toY > y ? 1 : -1;
            }
        }
        dot(x, y, kind);
    }

    /**
     * Narrows the shares of a way between which it lies within 0 and 1; returns false if nowhere.
     */
    private static boolean cut(double[] ends, double from, double to) {
        double way = to - from;
        if (!(Math.abs(way) > 0)) {
            return from >= 0 && from <= 1;
        }
        double one = -from / way;
        double other = (1 - from) / way;
        ends[0] = Math.max(ends[0], Math.min(one, other));
        ends[1] = Math.min(ends[1], Math.max(one, other));
        return ends[0] <= ends[1];
    }

    /** Draws a rectangle between two corners, given like those of a line. */
    void area(double x0, double y0, double x1, double y1, Kind kind) {
        double[] high = {0, 1};
        double[] wide = {0, 1};
        if (!cut(high, y0, y1) || !cut(wide, x0, x1)) {
            return;
        }
        int from = dotY(y0 + (y1 - y0) * high[0]);
        int to = dotY(y0 + (y1 - y0) * high[1]);
        int left = dotX(x0 + (x1 - x0) * wide[0]);
        int right = dotX(x0 + (x1 - x0) * wide[1]);
        for (int y = Math.min(from, to); y <= Math.max(from, to); y++) {
            for (int x = Math.min(left, right); x <= Math.max(left, right); x++) {
                dot(x, y, kind);
            }
        }
    }

    private int dotX(double x) {
        return Math.max(0, Math.min(width() - 1, (int) (x * width())));
    }

    /** Returns the row of dots, counted from the top. */
    private int dotY(double y) {
        return Math.max(0, Math.min(height() - 1, (int) ((1 - y) * height())));
    }

    private void dot(int x, int y, Kind kind) {
        int cell = dotted ? y / 4 * columns + x / 2 : y * columns + x;
        kinds[cell] |= kind.bit;
        dots[cell] |= DOTS[y % 4][x % 2];
    }

    /** Returns a row of characters, 0 the uppermost, without blanks at its end. */
    String row(int row) {
        int end = columns;
        while (end > 0 && kinds[row * columns + end - 1] == 0) {
            end--;
        }
        StringBuilder text = new StringBuilder();
        StringBuilder piece = new StringBuilder();
        Style style = Style.PLAIN;
        for (int column = 0; column < end; column++) {
            int cell = row * columns + column;
            Style own = style(kinds[cell]);
            if (own != style) {
                text.append(terminal.styled(style, piece.toString()));
                piece.setLength(0);
                style = own;
            }
            piece.append(character(cell));
        }
        return text.append(terminal.styled(style, piece.toString())).toString();
    }

    private char character(int cell) {
        int kind = kinds[cell];
        if (kind == 0) {
            return ' ';
        }
        if (dotted) {
            return (char) (BRAILLE | dots[cell]);
        }
        return (kind & FAILED) != 0 ? 'x' : kind == BOTH ? '*' : kind == Kind.READ.bit ? 'r' : 'w';
    }

    private static Style style(int kind) {
        if ((kind & FAILED) != 0) {
            return Style.BAD;
        }
        if (kind == BOTH) {
            return Style.HEADING;
        }
        return kind == 0 ? Style.PLAIN : kind == Kind.READ.bit ? Style.READ : Style.WRITE;
    }
}
