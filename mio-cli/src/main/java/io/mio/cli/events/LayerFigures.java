package io.mio.cli.events;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.PageOperation;
import io.mio.stats.TraceSnapshot;

/** The sums of the events of a file at one layer, over all its opens. */
final class LayerFigures {
    private static final int PATTERNS = TraceSnapshot.Pattern.values().length;

    final String path;
    final String layer;
    final int place;
    final boolean pages;

    long events;
    long opens;
    long reads;
    long writes;
    long readBytes;
    long writtenBytes;
    long requestedBytes;

    /** Opens, closes and all other calls that move no data. */
    long otherCalls;

    long errors;

    /**
     * Nanoseconds in reads and writes; asynchronous ones count from submission to end. Overlapping
     * times add up.
     */
    long ioNanos;

    long otherNanos;

    /** The time in which a read or write was under way; overlapping times count once. */
    final BusyTime busy = new BusyTime();

    final Latencies latencies = new Latencies();
    final long[] patternBytes = new long[PATTERNS];

    /** Page events, by {@link PageOperation#ordinal}; null if there are none. */
    private long[] pageEvents;

    long waitNanos;
    long pageReadBytes;
    long pageWrittenBytes;
    boolean sampled;

    LayerFigures(String path, String layer, int place, boolean pages) {
        this.path = path;
        this.layer = layer;
        this.place = place;
        this.pages = pages;
    }

    static LayerFigures of(EventFile file, String path) {
        LayerFigures figures =
                new LayerFigures(
                        path,
                        TextDump.layer(file),
                        file.place(),
                        file.layer() == EventFormat.OF_PF);
        figures.sampled = file.sample() > 1;
        return figures;
    }

    /** Counts an event; {@code pattern} judges transfers. */
    void add(Event event, AccessPattern pattern) {
        events++;
        errors += event.failed() ? 1 : 0;
        switch (event.kind()) {
            case CALL -> {
                if (event.operation().isTransfer()) {
                    // An accepted asynchronous request counts where it ends, as its bytes and time
                    // do.
                    if (!event.operation().isAsynchronous()) {
                        request(event);
                        moved(event, pattern);
                    } else if (event.failed()) {
                        request(event);
                    }
                } else {
                    otherCalls++;
                    otherNanos += event.durationNanos();
                    opens += event.operation() == io.mio.stats.TraceOperation.OPEN ? 1 : 0;
                }
            }
            case END -> {
                if (event.operation().isTransfer()) {
                    request(event);
                    moved(event, pattern);
                }
            }
            case PAGE -> page(event);
            case DROPPED -> throw new IllegalArgumentException("a loss is of no file");
        }
    }

    private void request(Event event) {
        if (event.operation().isWrite()) {
            writes++;
        } else {
            reads++;
        }
        requestedBytes += Math.max(0, event.requested());
    }

    private void moved(Event event, AccessPattern pattern) {
        ioNanos += event.durationNanos();
        busy.add(event.startNanos(), event.endNanos());
        latencies.add(event.durationNanos());
        long bytes = Math.max(0, event.delivered());
        if (event.operation().isWrite()) {
            writtenBytes += bytes;
        } else {
            readBytes += bytes;
        }
        if (!event.failed() && event.offset() >= 0) {
            patternBytes[pattern.next(event.offset(), bytes).ordinal()] += bytes;
        }
    }

    private void page(Event event) {
        if (pageEvents == null) {
            pageEvents = new long[PageOperation.values().length];
        }
        pageEvents[event.page().ordinal()]++;
        switch (event.page()) {
            case WAIT -> waitNanos += event.durationNanos();
            case ARRIVED -> pageReadBytes += Math.max(0, event.delivered());
            case WRITTEN -> pageWrittenBytes += Math.max(0, event.delivered());
            default -> {}
        }
    }

    /** Adds all figures but the busy time, which is not the sum of the parts. */
    void add(LayerFigures other) {
        events += other.events;
        opens += other.opens;
        reads += other.reads;
        writes += other.writes;
        readBytes += other.readBytes;
        writtenBytes += other.writtenBytes;
        requestedBytes += other.requestedBytes;
        otherCalls += other.otherCalls;
        errors += other.errors;
        ioNanos += other.ioNanos;
        otherNanos += other.otherNanos;
        latencies.add(other.latencies);
        for (int i = 0; i < patternBytes.length; i++) {
            patternBytes[i] += other.patternBytes[i];
        }
        if (other.pageEvents != null) {
            pageEvents = pageEvents == null ? new long[other.pageEvents.length] : pageEvents;
            for (int i = 0; i < pageEvents.length; i++) {
                pageEvents[i] += other.pageEvents[i];
            }
        }
        waitNanos += other.waitNanos;
        pageReadBytes += other.pageReadBytes;
        pageWrittenBytes += other.pageWrittenBytes;
        sampled |= other.sampled;
    }

    /** Returns how often this happened to a page. */
    long count(PageOperation operation) {
        return pageEvents == null ? 0 : pageEvents[operation.ordinal()];
    }

    long bytes() {
        return readBytes + writtenBytes;
    }

    /** Returns the mean bytes asked for; NaN if there was no request. */
    double meanRequest() {
        return reads + writes == 0 ? Double.NaN : (double) requestedBytes / (reads + writes);
    }

    /** Returns the bytes per second of busy time; NaN if there is none. */
    double rate() {
        long nanos = busy.nanos();
        return nanos <= 0 ? Double.NaN : bytes() * 1e9 / nanos;
    }

    /** Returns the share of hits in hits and misses, from 0 to 1; NaN if there were none. */
    double hitShare() {
        long hits = count(PageOperation.HIT);
        long all = hits + count(PageOperation.MISS);
        return all == 0 ? Double.NaN : (double) hits / all;
    }
}
