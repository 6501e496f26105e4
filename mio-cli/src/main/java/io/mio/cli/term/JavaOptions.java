package io.mio.cli.term;

/** How to give the JVM of a command more memory, in words for messages. */
public final class JavaOptions {
    /** The end of a message about too little memory. The launcher reads the variable. */
    public static final String MORE = "give Java more, with MIO_JAVA_OPTIONS=-Xmx4g or the like";

    /** The same of a command that holds something for each file of a recording. */
    public static final String TOO_MANY_FILES =
            "not enough memory for so many files; use --file, or " + MORE;

    private JavaOptions() {}
}
