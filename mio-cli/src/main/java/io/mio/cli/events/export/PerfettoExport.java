package io.mio.cli.events.export;

import io.mio.events.Event;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Events as a trace of Perfetto (protobuf), for its UI and its trace processor. See {@code
 * docs/commands/events-exports.md}.
 */
public final class PerfettoExport implements EventExport {
    private final Timeline timeline;

    /** Begins the trace. The reader tells whose events they are; the caller keeps and closes it. */
    public PerfettoExport(EventReader reader, OutputStream stream) throws IOException {
        this.timeline = new Timeline(reader, new PerfettoWriter(reader.header(), stream));
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
