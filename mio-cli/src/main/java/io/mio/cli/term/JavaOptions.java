package io.mio.cli.term;

/** How to give the JVM of a command more memory, in words for messages. */
public final class JavaOptions {
    /** The end of a message about too little memory. The launcher reads the variable. */
    public static final String MORE = "give Java more, with MIO_JAVA_OPTIONS=-Xmx4g or the like";

    private JavaOptions() {}
}
