package io.mio.cli.plot.draw;

import java.util.Arrays;

/** Any number of rectangles and lines of several corners, to be filled or drawn at once. */
final class Outline {
    /** Takes the parts. */
    interface Pen {
        void move(double x, double y);

        void line(double x, double y);

        /** Goes back to where the last move went. */
        void close();

        void rectangle(double x, double y, double width, double height);
    }

    private static final byte MOVE = 0;
    private static final byte LINE = 1;
    private static final byte CLOSE = 2;
    private static final byte RECTANGLE = 3;

    private byte[] verbs = new byte[64];
    private double[] numbers = new double[256];
    private int verbCount;
    private int numberCount;

    Outline move(double x, double y) {
        add(MOVE, x, y);
        return this;
    }

    Outline line(double x, double y) {
        add(LINE, x, y);
        return this;
    }

    Outline close() {
        add(CLOSE);
        return this;
    }

    Outline rectangle(double x, double y, double width, double height) {
        add(RECTANGLE, x, y, width, height);
        return this;
    }

    Outline rectangle(Box box) {
        return rectangle(box.x(), box.y(), box.width(), box.height());
    }

    /** Adds a cross with arms of this length. */
    Outline cross(double x, double y, double arm) {
        move(x - arm, y - arm).line(x + arm, y + arm);
        return move(x - arm, y + arm).line(x + arm, y - arm);
    }

    /** Adds a square that stands on a corner. */
    Outline diamond(double x, double y, double arm) {
        return move(x - arm, y).line(x, y + arm).line(x + arm, y).line(x, y - arm).close();
    }

    boolean isEmpty() {
        return verbCount == 0;
    }

    void draw(Pen pen) {
        int at = 0;
        for (int i = 0; i < verbCount; i++) {
            switch (verbs[i]) {
                case MOVE -> {
                    pen.move(numbers[at], numbers[at + 1]);
                    at += 2;
                }
                case LINE -> {
                    pen.line(numbers[at], numbers[at + 1]);
                    at += 2;
                }
                case CLOSE -> pen.close();
                default -> {
                    pen.rectangle(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
                    at += 4;
                }
            }
        }
    }

    private void add(byte verb, double... values) {
        if (verbCount == verbs.length) {
            verbs = Arrays.copyOf(verbs, 2 * verbCount);
        }
        verbs[verbCount++] = verb;
        if (numberCount + values.length > numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * numbers.length);
        }
        for (double value : values) {
            numbers[numberCount++] = value;
        }
    }
}
