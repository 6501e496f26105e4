package io.mio.cli.term;

/** What is said of a text that was given for the name of a file and cannot be that. */
public final class NoName {
    private static final int ASCII_END = 128;

    /** What a JVM makes of bytes that are no character. */
    private static final char UNKNOWN = 0xfffd;

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

    /** Nothing there has this name. In words, without it. */
    public static String isNotThere(String name) {
        return "no such file or directory"
                + (name == null || name.indexOf(UNKNOWN) < 0
                        ? ""
                        : "; a name that is not UTF-8 cannot be given here");
    }
}
