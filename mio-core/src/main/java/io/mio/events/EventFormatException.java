package io.mio.events;

import java.io.IOException;

/** Thrown for what is no events file, or one this version cannot read. The message is for users. */
public final class EventFormatException extends IOException {
    private static final long serialVersionUID = 1;

    EventFormatException(String message) {
        super(message);
    }
}
