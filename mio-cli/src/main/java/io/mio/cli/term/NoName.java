package io.mio.cli.term;

/** What is said of a text that was given for the name of a file and cannot be one. */
public final class NoName {
    private static final int ASCII_END = 128;

    private NoName() {}

    /** One sentence without a stop at its end. */
    public static String words(String text) {
        // A JVM has the names of files in the character set of the locale, and no others.
        return "'"
                + text
                + "' is no name of a file"
                + (text.chars().allMatch(c -> c < ASCII_END)
                        ? ""
                        : " in this locale; take one with UTF-8, for example LC_ALL=C.UTF-8");
    }
}
