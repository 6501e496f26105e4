package io.mio.jfr;

import io.mio.stats.IoTotals;
import io.mio.stats.IoTotals.Kind;
import jdk.jfr.FlightRecorder;

/** Begins and commits the events. Loaded only when the recorder is in use. */
final class Events {
    /** The recorder's own mark of an unknown figure; its tools print N/A. */
    private static final long UNKNOWN = Long.MIN_VALUE;

    private Events() {}

    static void register() {
        FlightRecorder.register(FileOpenEvent.class);
        FlightRecorder.register(FileCloseEvent.class);
        FlightRecorder.register(SlowCallEvent.class);
        FlightRecorder.register(PageEvent.class);
    }

    static Object open() {
        FileOpenEvent event = new FileOpenEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void opened(Object begun, String path, String layers, String flags, long size) {
        FileOpenEvent event = (FileOpenEvent) begun;
        event.end();
        if (event.shouldCommit()) {
            event.path = path;
            event.layers = layers;
            event.flags = flags;
            event.fileSize = size;
            event.commit();
        }
    }

    static Object close() {
        FileCloseEvent event = new FileCloseEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void closed(Object begun) {
        ((FileCloseEvent) begun).end();
    }

    static void totals(Object begun, String path, String layers, long openNanos, IoTotals totals) {
        FileCloseEvent event = (FileCloseEvent) begun;
        if (!event.shouldCommit()) {
            return;
        }
        event.path = path;
        event.layers = layers;
        event.openTime = openNanos;
        boolean counted = totals.isCounted();
        event.reads = counted ? totals.of(Kind.READS) : UNKNOWN;
        event.readBytes = counted ? totals.of(Kind.READ_BYTES) : UNKNOWN;
        event.writes = counted ? totals.of(Kind.WRITES) : UNKNOWN;
        event.writeBytes = counted ? totals.of(Kind.WRITE_BYTES) : UNKNOWN;
        event.readTime = totals.isTimed() ? totals.of(Kind.READ_NANOS) : UNKNOWN;
        event.writeTime = totals.isTimed() ? totals.of(Kind.WRITE_NANOS) : UNKNOWN;
        event.hits = totals.of(Kind.HITS);
        event.misses = totals.of(Kind.MISSES);
        event.pageReads = totals.of(Kind.PAGE_READS);
        event.pageReadBytes = totals.of(Kind.PAGE_READ_BYTES);
        event.pageWrites = totals.of(Kind.PAGE_WRITES);
        event.pageWriteBytes = totals.of(Kind.PAGE_WRITE_BYTES);
        event.prefetches = totals.of(Kind.PREFETCHES);
        event.prefetchesUnused = totals.of(Kind.PREFETCHES_UNUSED);
        event.waits = totals.of(Kind.WAITS);
        event.waitTime = totals.of(Kind.WAIT_NANOS);
        event.commit();
    }

    static Object call() {
        SlowCallEvent event = new SlowCallEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void called(
            Object begun,
            CallKind operation,
            String path,
            long offset,
            long requested,
            long moved) {
        SlowCallEvent event = (SlowCallEvent) begun;
        event.end();
        if (event.shouldCommit()) {
            event.operation = operation.label();
            event.path = path;
            event.offset = offset;
            event.requested = requested;
            event.bytes = Math.max(0, moved);
            event.commit();
        }
    }

    static Object page() {
        PageEvent event = new PageEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void paged(Object begun, PageKind kind, String path, long index, long bytes) {
        PageEvent event = (PageEvent) begun;
        event.end();
        if (event.shouldCommit()) {
            event.kind = kind.label();
            event.path = path;
            event.pageIndex = index;
            event.bytes = bytes;
            event.commit();
        }
    }
}
