package io.mio.cli.term;

/**
 * How a piece of text is meant; what it looks like is the terminal's matter. Never the only sign.
 */
public enum Style {
    PLAIN(""),
    HEADING("1"),
    GOOD("32"),
    WARNING("33"),
    BAD("31"),
    FAINT("2"),
    /** What was read; {@link #WRITE} is told from it by everybody. */
    READ("36"),
    WRITE("33");

    private final String sgr;

    Style(String sgr) {
        this.sgr = sgr;
    }

    /** Parameters of ANSI's SGR sequence; empty for none. */
    String sgr() {
        return sgr;
    }
}
