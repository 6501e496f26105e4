package io.mio.cli.experiment;

/** Which direction of a figure is the better one. */
public enum Better {
    /** For rates. */
    MORE,
    /** For times, and numbers of requests. */
    LESS
}
