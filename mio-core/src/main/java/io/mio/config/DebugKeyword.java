package io.mio.config;

/** Words of MIO_DEBUG (reference 2.3). */
public enum DebugKeyword {
    /** All the others but {@link #ABORT}. */
    ALL,
    /** Which rule and which name matched. */
    ENV,
    /** Every file that is opened. */
    OPEN,
    /** The layers of every file that is opened, with all options. */
    MODULES,
    /** The time before each entry. */
    TIMESTAMP,
    /** The option tables of the layers. */
    DEF,
    /** Accepted and shown in the header; the original prints nothing for it. */
    MATCH,
    /** A mistake in the configuration ends a program under the preload library. */
    ABORT
}
