package io.mio.cli.events.export;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Events in Chrome's Trace Event Format (JSON), which {@code chrome://tracing} and many other
 * viewers read. See {@code docs/commands/events-exports.md}.
 */
public final class ChromeExport implements EventExport {
    private final Timeline timeline;

    /**
     * Begins the document. The reader tells whose events they are; the caller keeps and closes it.
     */
    public ChromeExport(EventReader reader, OutputStream stream) throws IOException {
        long earliest = 0;
        for (EventFile file : reader.files().values()) {
            earliest = Math.min(earliest, file.openedNanos());
        }
        this.timeline = new Timeline(reader, new ChromeWriter(reader.header(), earliest, stream));
    }

    @Override
    public void event(Event event) throws IOException {
        timeline.event(event);
    }

    @Override
    public void close() throws IOException {
        timeline.close();
    }
}
