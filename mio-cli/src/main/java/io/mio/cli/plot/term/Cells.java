package io.mio.cli.plot.term;

import io.mio.cli.term.Style;
import io.mio.cli.term.Terminal;

/**
 * Part of a terminal to draw in. Where there are colours and more than ASCII a character has two by
 * four dots; else a letter says what is there.
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

    /** Dots from left to right. */
    int width() {
        return dotted ? 2 * columns : columns;
    }

    /** Dots from top to bottom. */
    int height() {
        return dotted ? 4 * rows : rows;
    }

    /** A line between two places, as shares of width and height from the lower left corner. */
    void line(double x0, double y0, double x1, double y1, Kind kind) {
        double across = (x1 - x0) * width();
        double up = (y1 - y0) * height();
        int steps = (int) Math.ceil(Math.min(100_000, Math.max(Math.abs(across), Math.abs(up))));
        for (int i = 0; i <= steps; i++) {
            double share = steps == 0 ? 0 : (double) i / steps;
            dot(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, kind);
        }
    }

    /** A rectangle between two corners, likewise. */
    void area(double x0, double y0, double x1, double y1, Kind kind) {
        double up = Math.abs(y1 - y0) * height();
        int steps = (int) Math.ceil(Math.min(height(), up));
        for (int i = 0; i <= steps; i++) {
            double y = y0 + (y1 - y0) * (steps == 0 ? 0 : (double) i / steps);
            line(x0, y, x1, y, kind);
        }
    }

    private void dot(double x, double y, Kind kind) {
        if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) {
            return;
        }
        int dotX = Math.min(width() - 1, (int) (x * width()));
        int dotY = Math.min(height() - 1, (int) ((1 - y) * height()));
        int cell = dotted ? dotY / 4 * columns + dotX / 2 : dotY * columns + dotX;
        kinds[cell] |= kind.bit;
        dots[cell] |= DOTS[dotY % 4][dotX % 2];
    }

    /** A row of characters, 0 the uppermost; without blanks at its end. */
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
