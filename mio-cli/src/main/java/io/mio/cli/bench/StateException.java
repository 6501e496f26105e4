package io.mio.cli.bench;

import java.io.IOException;

/** A file is not as cold or as warm as it was to be: what would be measured is something else. */
public final class StateException extends IOException {
    private static final long serialVersionUID = 1;

    StateException(String message) {
        super(message);
    }
}
