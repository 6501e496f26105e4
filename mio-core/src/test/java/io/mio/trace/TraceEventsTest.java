package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.events.Event;
import io.mio.events.Event.Kind;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stats.ByteUnit;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a trace layer records of the calls that pass through it. */
class TraceEventsTest {
    @TempDir private Path directory;

    private final NullOs os = new NullOs();
    private EventWriter writer;
    private EventFile file;

    private TraceLayer trace(int sample) throws IOException {
        writer =
                new EventWriter(
                        FileSystems.getDefault(),
                        new EventFacts(
                                directory.resolve("x.events").toString(),
                                1 << 30,
                                1,
                                1,
                                2,
                                EventFormat.JVM,
                                1,
                                System.nanoTime(),
                                "p",
                                "h",
                                "l"));
        return over(os, "program", sample, 1);
    }

    private TraceLayer over(Layer next, String above, int sample, int place) {
        OpenRequest request =
                new OpenRequest(
                        "data",
                        2,
                        0644,
                        os.size,
                        System.nanoTime(),
                        77,
                        new OpenRequest.Place() {
                            @Override
                            public String type() {
                                return "none";
                            }

                            @Override
                            public long sectorBytes() {
                                return 512;
                            }
                        });
        TraceEvents events =
                TraceEvents.of(
                        writer,
                        sample,
                        new TraceEvents.Station(place, "trace", above, next.name()),
                        request);
        return new TraceLayer("trace", next, above, ByteUnit.BYTES, request, events);
    }

    private List<Event> events() throws IOException {
        List<Event> events = new ArrayList<>();
        try (EventReader reader = EventReader.open(directory.resolve("x.events"))) {
            for (Event event = reader.next(); event != null; event = reader.next()) {
                events.add(event);
            }
            file = reader.files().get(1);
        }
        return events;
    }

    private static String words(Event event) {
        return event.kind()
                + " "
                + event.operation()
                + " "
                + event.offset()
                + " "
                + event.requested()
                + " "
                + event.delivered()
                + (event.failed() ? " failed " + event.errno() : "")
                + (event.append() ? " append" : "");
    }

    @Test
    void shouldRecordEachCallWithItsPlaceAndSizes() throws IOException {
        TraceLayer trace = trace(1);
        trace.write(ByteBuffer.allocate(100), 0);
        trace.seek(20);
        trace.read(ByteBuffer.allocate(30), 90);
        trace.read(ByteBuffer.allocate(30), 100);
        trace.write(new ByteBuffer[] {ByteBuffer.allocate(7), ByteBuffer.allocate(3)}, 0, 2, 50);
        trace.write(ByteBuffer.allocate(5), Layer.APPEND);
        trace.size();
        trace.flush(true);
        trace.truncate(10);
        trace.around(Layer.Bypass.MAP_READ, 8, 4096, () -> "mapped");
        trace.around(Layer.Bypass.LOCK, 0, Long.MAX_VALUE, () -> "locked");
        trace.around(Layer.Bypass.TRANSFER_OUT, 0, 1000, () -> 10L);
        trace.around(Layer.Bypass.TRANSFER_IN, 10, 1000, () -> 40L);
        os.failure = new IOException("No space left on device");
        ByteBuffer eight = ByteBuffer.allocate(8);
        assertThatThrownBy(() -> trace.write(eight, 4)).isSameAs(os.failure);
        assertThatThrownBy(() -> trace.write(eight, Layer.APPEND)).isSameAs(os.failure);
        assertThatThrownBy(() -> trace.read(eight, 4)).isSameAs(os.failure);
        os.failure = null;
        trace.close();

        List<Event> events = events();
        assertThat(events)
                .extracting(TraceEventsTest::words)
                .containsExactly(
                        "CALL OPEN -1 0 0",
                        "CALL WRITE 0 100 100",
                        "CALL READ 90 30 10",
                        "CALL READ 100 30 0",
                        "CALL WRITE 50 10 10",
                        "CALL WRITE 100 5 5 append",
                        "CALL FSTAT -1 0 0",
                        "CALL FSYNC -1 0 0",
                        "CALL TRUNC 10 0 0",
                        "CALL MMAP 8 4096 0",
                        "CALL FCNTL 0 -1 0",
                        "CALL READ 0 10 10",
                        "CALL WRITE 10 40 40",
                        "CALL WRITE 4 8 0 failed 28",
                        "CALL WRITE -1 8 0 failed 28 append",
                        "CALL READ 4 8 0 failed 28",
                        "CALL CLOSE -1 0 0");
        long now = System.nanoTime();
        for (int i = 1; i < events.size(); i++) {
            assertThat(events.get(i).startNanos())
                    .isBetween(events.get(i - 1).startNanos(), writer.since(now));
        }
        assertThat(events.get(0).durationNanos()).isEqualTo(77);
        assertThat(events).extracting(Event::thread).containsOnly(Thread.currentThread().getId());
        assertThat(file.path()).isEqualTo("data");
        assertThat(file.above()).isEqualTo("program");
        assertThat(file.below()).isEqualTo("os");
    }

    @Test
    void shouldRecordAsManyCallsAsItCounts() throws IOException {
        TraceLayer trace = trace(1);
        for (int i = 0; i < 5000; i++) {
            trace.write(ByteBuffer.allocate(i % 100), i);
            trace.read(ByteBuffer.allocate(17), i / 2);
        }
        TraceSnapshot counted = (TraceSnapshot) trace.source().snapshot(TraceSnapshot.Event.INTER);
        List<Event> events = events();
        for (TraceOperation operation : List.of(TraceOperation.WRITE, TraceOperation.READ)) {
            long count = 0;
            long nanos = 0;
            long delivered = 0;
            for (Event event : events) {
                if (event.operation() == operation) {
                    count++;
                    nanos += event.durationNanos();
                    delivered += event.delivered();
                }
            }
            var row = counted.operations().get(operation.ordinal());
            assertThat(count).isEqualTo(row.count()).isEqualTo(5000);
            assertThat(nanos).isEqualTo(row.nanos());
            assertThat(delivered).isEqualTo(row.delivered());
        }
    }

    @Test
    void shouldPairSubmissionsAndEndsByNumbersInAllLayers() throws IOException {
        TraceLayer lower = trace(1);
        TraceLayer upper = over(lower, "program", 1, 1);
        os.size = 1000;
        List<IoRequest> list = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            list.add(IoRequest.read(ByteBuffer.allocate(400), 400L * i, done -> {}));
        }
        upper.submit(list.get(0));
        upper.submitAll(list.subList(1, 3));
        os.failure = new IOException("Input/output error");
        IoRequest failing = IoRequest.write(ByteBuffer.allocate(8), 4, done -> {});
        upper.submit(failing);

        List<Event> events = events();
        events.removeIf(event -> event.operation() == TraceOperation.OPEN);
        assertThat(events).hasSize(16);
        list.add(failing);
        for (IoRequest request : list) {
            for (int layer = 1; layer <= 2; layer++) {
                int of = layer;
                List<Event> both = new ArrayList<>(events);
                both.removeIf(event -> event.number() != request.number() || event.file() != of);
                assertThat(both).hasSize(2);
                Event call = both.get(both.get(0).kind() == Kind.CALL ? 0 : 1);
                Event end = both.get(both.get(0).kind() == Kind.CALL ? 1 : 0);
                assertThat(end.kind()).isEqualTo(Kind.END);
                assertThat(call.startNanos()).isEqualTo(end.startNanos());
                assertThat(call.offset()).isEqualTo(end.offset()).isEqualTo(request.offset());
                assertThat(end.requested()).isEqualTo(request.requested());
                assertThat(end.delivered())
                        .isEqualTo(request == failing ? 0 : Math.min(400, 1000 - end.offset()));
                assertThat(end.errno()).isEqualTo(request == failing ? 5 : 0);
            }
        }
        assertThat(list).extracting(IoRequest::number).doesNotHaveDuplicates().doesNotContain(0L);
    }

    @Test
    void shouldRecordOneCallInSoManyAndAllThatMatters() throws IOException {
        TraceLayer trace = trace(10);
        os.size = 1 << 20;
        for (int i = 1; i <= 95; i++) {
            trace.read(ByteBuffer.allocate(10), i);
        }
        os.failure = new IOException("Input/output error");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> trace.read(ByteBuffer.allocate(10), 5)).isNotNull();
        }
        os.failure = null;
        int whole = 0;
        for (int i = 0; i < 40; i++) {
            IoRequest request = IoRequest.read(ByteBuffer.allocate(10), i, done -> {});
            trace.submit(request);
            whole += request.number() % 10 == 0 ? 1 : 0;
        }
        trace.close();

        List<Event> events = events();
        assertThat(whole).isEqualTo(4);
        assertThat(events)
                .filteredOn(event -> event.operation() == TraceOperation.READ && !event.failed())
                .extracting(Event::offset)
                .containsExactly(10L, 20L, 30L, 40L, 50L, 60L, 70L, 80L, 90L);
        assertThat(events).filteredOn(Event::failed).hasSize(3);
        assertThat(events).filteredOn(event -> event.kind() == Kind.END).hasSize(whole);
        assertThat(events)
                .filteredOn(event -> event.operation() == TraceOperation.AREAD)
                .hasSize(2 * whole);
        assertThat(events)
                .filteredOn(
                        event ->
                                event.operation() == TraceOperation.OPEN
                                        || event.operation() == TraceOperation.CLOSE)
                .hasSize(2);
        assertThat(file.sample()).isEqualTo(10);
    }
}
