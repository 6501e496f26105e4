package io.mio.cli.experiment;

/** Thrown when an experiment cannot be done here; the message says why, in one line. */
public final class SkippedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SkippedException(String reason) {
        super(reason);
    }
}
