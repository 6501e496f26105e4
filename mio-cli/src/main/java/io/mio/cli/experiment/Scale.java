package io.mio.cli.experiment;

import java.util.Locale;

/** How much data an experiment moves. */
public enum Scale {
    /** Seconds, and figures that mean nothing: for tests. */
    SMALL,
    /** Minutes; all experiments together take less than half an hour on two processors. */
    DEFAULT,
    /** As much as the document. */
    FULL;

    /** Returns the name for options and files. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the one of three values that belongs to this scale. */
    public <T> T choose(T small, T usual, T full) {
        return switch (this) {
            case SMALL -> small;
            case DEFAULT -> usual;
            case FULL -> full;
        };
    }
}
