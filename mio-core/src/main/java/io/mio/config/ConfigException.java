package io.mio.config;

/**
 * A mistake in the configuration. The first line of the message says everything: where the text
 * came from, the column, what is wrong, and what to write instead. Two more lines show the place.
 */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_BEFORE = 50;
    private static final int SHOWN_AFTER = 28;

    private final String origin;
    private final int column;

    ConfigException(String origin, int column, String text, String problem) {
        super(origin + ", column " + column + ": " + problem + shown(text, column));
        this.origin = origin;
        this.column = column;
    }

    ConfigException(String origin, String problem) {
        super(origin + ": " + problem);
        this.origin = origin;
        this.column = 0;
    }

    /** Where the text came from, for example {@code MIO_FILES}; see {@link MioConfig#origin}. */
    public String origin() {
        return origin;
    }

    /** Column of the mistake in that text, 1-based, in characters; 0 if it has no column. */
    public int column() {
        return column;
    }

    private static String shown(String text, int column) {
        int at = column - 1;
        int from = Math.max(0, at - SHOWN_BEFORE);
        from += splitsPair(text, from) ? 1 : 0;
        int to = Math.min(text.length(), at + SHOWN_AFTER);
        to -= splitsPair(text, to) ? 1 : 0;
        StringBuilder shown = new StringBuilder("\n  ");
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            shown.append(c < ' ' ? ' ' : c);
        }
        shown.append("\n  ");
        for (int i = from; i < at; i++) {
            shown.append(' ');
        }
        return shown.append('^').toString();
    }

    /** True if {@code at} is in the middle of a character that Java keeps as two. */
    private static boolean splitsPair(String text, int at) {
        return at > 0
                && at < text.length()
                && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
    }
}
