package io.mio.trace;

import io.mio.config.LayerSpec;
import io.mio.config.TraceOption;
import io.mio.events.EventFormat;
import io.mio.events.PageOperation;
import io.mio.layer.DecisionWatch;
import io.mio.layer.ErrorName;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import io.mio.layer.OpenRequest;
import io.mio.layer.PageWatch;
import io.mio.stats.TraceOperation;
import java.nio.file.FileSystem;
import java.util.concurrent.atomic.AtomicLong;

/** Records what passes one trace layer of an open file, or what happens to a file's pages. */
public final class TraceEvents implements PageWatch, DecisionWatch {
    private static final long NO_OFFSET = -1;
    private static final AtomicLong REQUESTS = new AtomicLong();

    private final EventWriter writer;
    private final int file;
    private final int sample;
    private final AtomicLong calls = new AtomicLong();

    private TraceEvents(EventWriter writer, int file, int sample) {
        this.writer = writer;
        this.file = file;
        this.sample = sample;
    }

    /**
     * The place of a layer in the stack.
     *
     * @param place in the stack; 1: first below the program
     * @param name of the layer as typed
     * @param above name of the layer above
     * @param below name of the layer below
     */
    public record Station(int place, String name, String above, String below) {}

    /**
     * Begins to record a trace layer that has the option {@code events}: defines the file, and
     * records its open.
     *
     * @param platform file system of the machine itself
     * @return null if the events file cannot be had, which is told once
     */
    public static TraceEvents of(
            FileSystem platform, LayerSpec layer, Station station, OpenRequest request) {
        EventWriter writer = writer(platform, layer);
        int sample = (int) layer.number(TraceOption.EVENTS_SAMPLE);
        return writer == null ? null : of(writer, sample, station, request);
    }

    static TraceEvents of(EventWriter writer, int sample, Station station, OpenRequest request) {
        int id = define(writer, EventFormat.OF_TRACE, station, request, 0, 0, 0, sample);
        if (id == 0) {
            return null;
        }
        TraceEvents events = new TraceEvents(writer, id, sample);
        events.put(
                EventFormat.CALL,
                TraceOperation.OPEN.ordinal(),
                0,
                request.openedNanos(),
                request.openNanos(),
                NO_OFFSET,
                0,
                0,
                0,
                0);
        return events;
    }

    /**
     * Begins to record what happens to the pages of a file.
     *
     * @param layer the trace layer that has the option {@code events}
     * @param station of the cache
     * @return null if the events file cannot be had
     */
    public static PageWatch ofPages(
            FileSystem platform,
            LayerSpec layer,
            Station station,
            OpenRequest request,
            int pageBytes,
            int frames,
            int cache) {
        EventWriter writer = writer(platform, layer);
        return writer == null ? null : ofPages(writer, station, request, pageBytes, frames, cache);
    }

    static TraceEvents ofPages(
            EventWriter writer,
            Station station,
            OpenRequest request,
            int pageBytes,
            int frames,
            int cache) {
        int id = define(writer, EventFormat.OF_PF, station, request, pageBytes, frames, cache, 1);
        return id == 0 ? null : new TraceEvents(writer, id, 1);
    }

    private static EventWriter writer(FileSystem platform, LayerSpec layer) {
        return EventFiles.of(
                platform, layer.text(TraceOption.EVENTS), layer.number(TraceOption.EVENTS_LIMIT));
    }

    private static int define(
            EventWriter writer, int layer, Station station, OpenRequest request, int... more) {
        FileKey key = request.key();
        return writer.define(
                layer,
                station.place(),
                writer.since(request.openedNanos()),
                key == null ? 0 : key.device(),
                key == null ? 0 : key.inode(),
                request.oflags(),
                request.mode(),
                request.sizeBytes(),
                more,
                new EventWriter.Words(EventFormat.TEXT_PATH, request.name()),
                new EventWriter.Words(EventFormat.TEXT_LAYER, station.name()),
                new EventWriter.Words(EventFormat.TEXT_ABOVE, station.above()),
                new EventWriter.Words(EventFormat.TEXT_BELOW, station.below()));
    }

    /** Gives a request without a number one, by which all layers know it. */
    static void number(IoRequest request) {
        if (request.number() == 0) {
            request.number(REQUESTS.incrementAndGet());
        }
    }

    // ---- calls

    /**
     * Records a call that succeeded.
     *
     * @param began {@link System#nanoTime} before it
     */
    void call(
            TraceOperation operation,
            long offset,
            boolean appends,
            long requested,
            long delivered,
            long began,
            long nanos) {
        if (sample > 1
                && operation != TraceOperation.CLOSE
                && calls.incrementAndGet() % sample != 0) {
            return;
        }
        put(
                EventFormat.CALL,
                operation.ordinal(),
                appends ? EventFormat.APPEND : 0,
                began,
                nanos,
                offset,
                requested,
                Math.max(0, delivered),
                0,
                0);
    }

    /** Records a call that moves no data and names no place. */
    void call(TraceOperation operation, long began, long nanos) {
        call(operation, NO_OFFSET, false, 0, 0, began, nanos);
    }

    /** Records a failed call. */
    void failed(
            TraceOperation operation,
            long offset,
            boolean appends,
            long requested,
            long began,
            long nanos,
            Throwable why) {
        int flags = EventFormat.FAILED | (appends ? EventFormat.APPEND : 0);
        put(
                EventFormat.CALL,
                operation.ordinal(),
                flags,
                began,
                nanos,
                offset,
                requested,
                0,
                errno(why),
                0);
    }

    /**
     * Records that an asynchronous request was handed down, or refused.
     *
     * @param why it was refused, or null
     */
    void submitted(
            TraceOperation operation,
            long number,
            long offset,
            long requested,
            long began,
            long nanos,
            Throwable why) {
        request(EventFormat.CALL, operation, number, offset, requested, 0, began, nanos, why);
    }

    /** Records that an asynchronous request came back; {@code began} is its submission. */
    void ended(
            TraceOperation operation,
            long number,
            long offset,
            long requested,
            long delivered,
            long began,
            long nanos,
            Throwable why) {
        request(
                EventFormat.END,
                operation,
                number,
                offset,
                requested,
                Math.max(0, delivered),
                began,
                nanos,
                why);
    }

    private void request(
            int type,
            TraceOperation operation,
            long number,
            long offset,
            long requested,
            long delivered,
            long began,
            long nanos,
            Throwable why) {
        if (why == null && number % sample != 0) {
            return;
        }
        put(
                type,
                operation.ordinal(),
                why == null ? 0 : EventFormat.FAILED,
                began,
                nanos,
                offset,
                requested,
                delivered,
                errno(why),
                number);
    }

    private static int errno(Throwable why) {
        return why == null ? 0 : ErrorName.number(ErrorName.of(why));
    }

    private void put(
            int type,
            int operation,
            int flags,
            long began,
            long nanos,
            long offset,
            long requested,
            long delivered,
            int errno,
            long number) {
        writer.put(
                type,
                operation,
                flags,
                file,
                writer.since(began),
                Math.max(0, nanos),
                offset,
                requested,
                delivered,
                errno,
                Thread.currentThread().getId(),
                number);
    }

    // ---- decisions

    @Override
    public void decided(String what, String reason) {
        writer.decide(
                file,
                writer.since(System.nanoTime()),
                Thread.currentThread().getId(),
                new EventWriter.Words(EventFormat.TEXT_WHAT, what),
                new EventWriter.Words(EventFormat.TEXT_REASON, reason));
    }

    // ---- pages

    @Override
    public void happened(PageOperation operation, int frame, long offset, long bytes) {
        put(
                EventFormat.PAGE,
                operation.code(),
                0,
                System.nanoTime(),
                0,
                offset,
                bytes,
                0,
                0,
                frame);
    }

    @Override
    public void ended(
            PageOperation operation,
            int frame,
            long offset,
            long bytes,
            long delivered,
            Throwable error,
            boolean asynchronous,
            long began) {
        int flags =
                (error == null ? 0 : EventFormat.FAILED)
                        | (asynchronous ? EventFormat.ASYNCHRONOUS : 0);
        put(
                EventFormat.PAGE,
                operation.code(),
                flags,
                began,
                System.nanoTime() - began,
                offset,
                bytes,
                error == null ? Math.max(0, delivered) : 0,
                errno(error),
                frame);
    }
}
