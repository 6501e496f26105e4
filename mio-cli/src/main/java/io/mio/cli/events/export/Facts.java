package io.mio.cli.events.export;

import io.mio.cli.term.SafeText;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import java.io.IOException;

/** What is to be said of an event besides its name and time. */
final class Facts {
    static final Facts NONE = new Facts(null, null);

    /** Most characters of a text that is written. */
    static final int TEXT_MAX = 1000;

    /** Takes the facts one by one; the same name always has the same type. */
    interface Taker {
        void text(String name, String value) throws IOException;

        void number(String name, long value) throws IOException;
    }

    private final Event event;
    private final EventFile file;

    /**
     * Makes the facts of an event.
     *
     * @param event null if there is nothing to say
     * @param file null if it is not known
     */
    Facts(Event event, EventFile file) {
        this.event = event;
        this.file = file;
    }

    void to(Taker taker) throws IOException {
        if (event == null) {
            return;
        }
        if (event.kind() == Event.Kind.DROPPED) {
            taker.number("events", event.requested());
            taker.number("for_ns", event.durationNanos());
            return;
        }
        if (file == null) {
            taker.number("file_id", event.file());
        } else {
            taker.text("file", path(file));
            taker.text("layer", layer(file));
        }
        if (event.offset() >= 0) {
            taker.number("offset", event.offset());
        }
        if (event.requested() >= 0) {
            taker.number("requested", event.requested());
        }
        taker.number("delivered", event.delivered());
        if (event.failed()) {
            taker.number("errno", event.errno());
        }
        if (event.append()) {
            taker.number("append", 1);
        }
        if (event.kind() == Event.Kind.PAGE) {
            taker.number("frame", event.number());
        } else if (event.number() != 0) {
            taker.number("request", event.number());
        }
        if (event.kind() == Event.Kind.END) {
            taker.number("completed_by", event.thread());
        }
        if (file != null && file.sample() > 1) {
            taker.number("sampled_one_in", file.sample());
        }
    }

    /** Returns the text made harmless, and not too long. */
    static String safe(String text) {
        return SafeText.shorten(SafeText.of(text), TEXT_MAX);
    }

    static String path(EventFile file) {
        return safe(file.path());
    }

    /** Returns what is above and below the layer: {@code program to pf}. */
    static String layer(EventFile file) {
        if (file.layer() != EventFormat.OF_TRACE) {
            return safe(file.name());
        }
        return safe(file.above() + " to " + file.below());
    }
}
