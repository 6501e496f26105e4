package io.mio.cli.events.export;

import io.mio.events.Event;
import java.io.Closeable;
import java.io.IOException;

/** Writes events in a form of other programs. Events come in the order of their ends. */
public interface EventExport extends Closeable {
    /** Takes the next event. */
    void event(Event event) throws IOException;

    /** Finishes the document; the stream stays open. */
    @Override
    void close() throws IOException;
}
