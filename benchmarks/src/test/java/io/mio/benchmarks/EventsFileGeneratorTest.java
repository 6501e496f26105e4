package io.mio.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.events.Event;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsFileGeneratorTest {
    @TempDir Path dir;

    @Test
    void shouldMakeSoManyEventsOfAllKindsAndLeaveNothingElse() throws Exception {
        Path file = dir.resolve("x.mio");
        long made = EventsFileGenerator.generate(file, 50_000, 7);

        long read = 0;
        Set<Object> seen = new HashSet<>();
        Set<Long> threads = new HashSet<>();
        try (EventReader reader = EventReader.open(file)) {
            for (Event event = reader.next(); event != null; event = reader.next()) {
                read++;
                seen.add(event.kind());
                seen.add(event.page() == null ? event.operation() : event.page());
                threads.add(event.thread());
            }
            assertThat(reader.losses().dropped()).isZero();
            assertThat(reader.losses().damagedRecords()).isZero();
        }
        assertThat(read).isEqualTo(made).isGreaterThanOrEqualTo(50_000);
        assertThat(seen)
                .contains(
                        Event.Kind.CALL,
                        Event.Kind.END,
                        Event.Kind.PAGE,
                        TraceOperation.READ,
                        TraceOperation.WRITE,
                        TraceOperation.AREAD,
                        TraceOperation.AWRITE,
                        TraceOperation.FSYNC,
                        PageOperation.HIT,
                        PageOperation.MISS,
                        PageOperation.EVICT);
        assertThat(threads).hasSizeGreaterThanOrEqualTo(7);
        assertThat(dir.toFile().list()).containsExactly("x.mio");
    }
}
