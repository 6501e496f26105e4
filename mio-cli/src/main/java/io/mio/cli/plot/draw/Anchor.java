package io.mio.cli.plot.draw;

import java.util.Locale;

/** Which end of a text lies at the given point. */
enum Anchor {
    START(0),
    MIDDLE(0.5),
    END(1);

    private final double share;

    Anchor(double share) {
        this.share = share;
    }

    /** Returns the share of the width that lies before the point. */
    double share() {
        return share;
    }

    /** Returns the name that SVG uses. */
    String svg() {
        return name().toLowerCase(Locale.ROOT);
    }
}
