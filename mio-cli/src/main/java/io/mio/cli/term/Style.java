package io.mio.cli.term;

/**
 * The meaning of a piece of text; the terminal decides what it looks like. A style is never the
 * only sign of something.
 */
public enum Style {
    PLAIN(""),
    HEADING("1"),
    GOOD("32"),
    WARNING("33"),
    BAD("31"),
    FAINT("2"),
    /** Data that was read; everybody can tell this from {@link #WRITE}. */
    READ("36"),
    WRITE("33");

    private final String sgr;

    Style(String sgr) {
        this.sgr = sgr;
    }

    /** Returns the parameters of ANSI's SGR sequence; empty for none. */
    String sgr() {
        return sgr;
    }
}
