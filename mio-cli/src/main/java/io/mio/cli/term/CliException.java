package io.mio.cli.term;

/**
 * Thrown for something that a command cannot do. The message is one line that says what to do: the
 * user sees it, and no stack trace. Wrong arguments are {@link
 * picocli.CommandLine.ParameterException}s.
 */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitStatus;

    /** Makes an exception with exit status 1. */
    public CliException(String message) {
        this(1, message);
    }

    public CliException(int exitStatus, String message) {
        super(message);
        this.exitStatus = exitStatus;
    }

    public int exitStatus() {
        return exitStatus;
    }
}
