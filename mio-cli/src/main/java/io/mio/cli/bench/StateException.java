package io.mio.cli.bench;

import java.io.IOException;

/**
 * Thrown when a file is not as cold or as warm as it has to be, so that something else would be
 * measured.
 */
public final class StateException extends IOException {
    private static final long serialVersionUID = 1;

    StateException(String message) {
        super(message);
    }
}
