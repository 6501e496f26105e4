package io.mio.cli.stats;

/** Names of files and programs from reports, kept short enough for a table in memory. */
final class Names {
    /** Name for a program that did not say its name. */
    static final String UNKNOWN_PROGRAM = "(unknown)";

    /** Name for everything beyond the limits. */
    static final String OTHERS = "(others)";

    /** Most characters of a name; a path on Linux has 4096 bytes at most. */
    private static final int LENGTH_MAX = 4096;

    private static final int EXCERPT_MAX = 60;
    private static final String CUT = "...";

    private Names() {}

    /** Returns the name; if it is too long for a file, only its beginning and its end. */
    static String limited(String name) {
        if (name.length() <= LENGTH_MAX) {
            return name;
        }
        int half = (LENGTH_MAX - CUT.length()) / 2;
        return name.substring(0, half) + CUT + name.substring(name.length() - half);
    }

    /** Returns the beginning of a text, for a message. */
    static String excerpt(String text) {
        return text.length() <= EXCERPT_MAX ? text : text.substring(0, EXCERPT_MAX) + CUT;
    }
}
