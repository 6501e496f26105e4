package io.mio.cli.plot.draw;

/** A part of the picture, in pixels from its upper left corner. */
record Box(double x, double y, double width, double height) {
    double right() {
        return x + width;
    }

    double bottom() {
        return y + height;
    }
}
