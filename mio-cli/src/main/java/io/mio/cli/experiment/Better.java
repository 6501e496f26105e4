package io.mio.cli.experiment;

/** Which way a figure is to go. */
public enum Better {
    /** Rates. */
    MORE,
    /** Times, and numbers of requests. */
    LESS
}
