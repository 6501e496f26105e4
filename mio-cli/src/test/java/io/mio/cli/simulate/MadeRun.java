package io.mio.cli.simulate;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.stats.TraceOperation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Writes an events file of a program that calls and thinks, each for a known time. */
final class MadeRun implements Closeable {
    private static final int RDWR = 2;

    private final MadeEvents events;
    private final int id;
    private final long callNanos;
    private final long thinkNanos;
    private long now;
    private long thread = 7;

    /** Starts the events file with the open of a file of this size. */
    MadeRun(Path file, String name, long sizeBytes, long callNanos, long thinkNanos)
            throws IOException {
        this.events = new MadeEvents(file);
        this.callNanos = callNanos;
        this.thinkNanos = thinkNanos;
        events.process(EventFormat.NATIVE, "program");
        this.id =
                events.define(
                        new EventFile(
                                1,
                                EventFormat.OF_TRACE,
                                1,
                                MadeEvents.PROCESS,
                                0,
                                0,
                                77,
                                RDWR,
                                0600,
                                sizeBytes,
                                0,
                                0,
                                0,
                                1,
                                name,
                                "trace",
                                "program",
                                "os"));
        add(TraceOperation.OPEN, -1, 0, 0);
    }

    private void add(TraceOperation operation, long offset, int requested, int delivered)
            throws IOException {
        events.add(call(operation, offset, requested, delivered));
        now += callNanos + thinkNanos;
    }

    private Event call(TraceOperation operation, long offset, int requested, int delivered) {
        return MadeEvent.call(operation, id, now, callNanos)
                .bytes(offset, requested, delivered)
                .thread(thread)
                .made();
    }

    void read(long offset, int bytes) throws IOException {
        add(TraceOperation.READ, offset, bytes, bytes);
    }

    /** A read that asks for more than there is. */
    void read(long offset, int requested, int delivered) throws IOException {
        add(TraceOperation.READ, offset, requested, delivered);
    }

    void cut(long size) throws IOException {
        add(TraceOperation.TRUNC, size, 0, 0);
        add(TraceOperation.FSYNC, -1, 0, 0);
    }

    /** An asynchronous read that completes {@code nanos} after its submission. */
    void submitRead(long number, long offset, int bytes, long nanos) throws IOException {
        events.add(
                MadeEvent.call(TraceOperation.AREAD, id, now, callNanos)
                        .bytes(offset, bytes, 0)
                        .thread(thread)
                        .number(number)
                        .made());
        events.add(
                MadeEvent.end(TraceOperation.AREAD, id, now, nanos)
                        .bytes(offset, bytes)
                        .number(number)
                        .made());
        now += callNanos + thinkNanos;
    }

    void think(long nanos) {
        now += nanos;
    }

    /** The next events are of another thread, and begin at this time. */
    void thread(long number, long startNanos) {
        thread = number;
        now = startNanos;
    }

    void write(long offset, int bytes) throws IOException {
        add(TraceOperation.WRITE, offset, bytes, bytes);
    }

    @Override
    public void close() throws IOException {
        add(TraceOperation.CLOSE, -1, 0, 0);
        events.close();
    }
}
