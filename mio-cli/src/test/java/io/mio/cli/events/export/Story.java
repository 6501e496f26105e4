package io.mio.cli.events.export;

import static io.mio.cli.events.MadeEvent.lost;
import static io.mio.cli.events.export.Events.call;
import static io.mio.cli.events.export.Events.ended;
import static io.mio.cli.events.export.Events.failed;
import static io.mio.cli.events.export.Events.page;
import static io.mio.cli.events.export.Events.submitted;

import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.events.EventFormat;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** An events file with everything that an export must tell apart. */
final class Story {
    static final String HOSTILE =
            "/tmp/</script><img onerror=alert(1)>\n\u001b]0;x\u0007\u202e\"\\ä";

    static final List<Event> EVENTS =
            List.of(
                    // Layers of one call; one of them begins and ends with the layer above.
                    call(TraceOperation.OPEN, 1, 1000, 500, -1, 0, Events.THREAD),
                    call(TraceOperation.OPEN, 2, 1000, 500, -1, 0, Events.THREAD),
                    call(TraceOperation.READ, 1, 2000, 1000),
                    call(TraceOperation.READ, 2, 2000, 400),
                    call(TraceOperation.READ, 2, 2400, 600, 4096, 4096, Events.THREAD),
                    page(PageOperation.HIT, 3, 2100, 0, 0),
                    page(PageOperation.DEMAND_READ, 3, 2000, 0, 1),
                    page(PageOperation.ARRIVED, 3, 2000, 400, 1),
                    page(PageOperation.ARRIVED, 3, 2200, 700, 2),
                    // The next call begins when the one before ends.
                    call(TraceOperation.WRITE, 1, 3000, 1000, 8192, 100, Events.THREAD),
                    page(PageOperation.WAIT, 3, 3100, 300, 1),
                    call(TraceOperation.FSYNC, 1, 4000, 0, 0, 0, Events.THREAD),
                    // Three requests; two of them and then all three are in flight.
                    submitted(1, 5000, 50, 7),
                    ended(1, 5000, 1000, 7),
                    submitted(1, 5100, 50, 8),
                    ended(1, 5100, 2000, 8),
                    submitted(1, 6000, 50, 9),
                    ended(1, 6000, 500, 9),
                    // Calls of one thread that overlap, which no thread makes.
                    call(TraceOperation.READ, 1, 8000, 200),
                    call(TraceOperation.READ, 1, 8100, 200),
                    call(TraceOperation.READ, 1, 8000, 250, 0, 4096, 1),
                    failed(TraceOperation.WRITE, 4, 9000, 28),
                    failed(TraceOperation.WRITE, 4, 9200, 4095),
                    call(TraceOperation.READ, 5, 9400, 10),
                    call(TraceOperation.READ, 99, 9500, 10),
                    lost(9600, 300, 12),
                    lost(9950, 0, 1),
                    call(TraceOperation.CLOSE, 1, 10_000, 100, -1, 0, Events.THREAD));

    private Story() {}

    static Path file(Path directory) throws IOException {
        return file(directory, EventFormat.NATIVE);
    }

    static Path file(Path directory, int door) throws IOException {
        Path file = directory.resolve("story.events");
        try (MadeEvents out = new MadeEvents(file, MadeEvents.header(door, "program"))) {
            out.dropped(13, 1L << 40);
            out.process(EventFormat.NATIVE, "program");
            out.define(Events.file(1, 1, "/data/a file", "program", "pf", 1));
            out.define(Events.file(2, 3, "/data/a file", "pf", "os", 1));
            out.define(MadeEvents.cached(3, "/data/a file", 0, 2, 4096, 16, 5));
            out.define(Events.file(4, 1, HOSTILE, "program", "os", 1));
            out.define(Events.file(5, 1, "/data/sampled", "program", "os", 100));
            for (Event event :
                    EVENTS.stream().sorted(Comparator.comparingLong(Event::endNanos)).toList()) {
                out.add(event);
            }
        }
        return file;
    }
}
