package io.mio.cli.term;

/** Messages about a text that was given as the name of a file and cannot be one. */
public final class NoName {
    private static final int ASCII_END = 128;

    /** Character that a JVM makes of bytes that are not a character. */
    private static final char UNKNOWN = 0xfffd;

    private NoName() {}

    /** Returns one sentence without a stop at its end. */
    public static String words(String text) {
        // A JVM knows names of files in the character set of the locale only.
        return "'"
                + text
                + "' is no name of a file"
                + (text.chars().allMatch(c -> c < ASCII_END)
                        ? ""
                        : " in this locale; take one with UTF-8, for example LC_ALL=C.UTF-8");
    }

    /** Says, without the name, that no file has this name. */
    public static String isNotThere(String name) {
        return "no such file or directory"
                + (name == null || name.indexOf(UNKNOWN) < 0
                        ? ""
                        : "; a name that is not UTF-8 cannot be given here");
    }
}
