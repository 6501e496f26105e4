package io.mio.cli.bench;

import java.io.IOException;

/** Thrown when a byte of a file is not what was written there. */
public final class WrongContentException extends IOException {
    private static final long serialVersionUID = 1;

    WrongContentException(String message) {
        super(message);
    }
}
