package io.mio.cli.events;

import io.mio.events.Event;
import io.mio.events.EventDecision;
import io.mio.events.EventFile;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Chooses events. All decisions about files are made before the first event, so that a test takes
 * no memory and little time. Made by {@link FilterOptions#filter}.
 *
 * <p>Events that tell of losses have no file, operation or thread: they pass unless one of these is
 * asked for.
 */
public final class EventFilter implements Predicate<Event> {
    /** Ids of the wanted files, sorted; null for all. */
    private final int[] files;

    private final OperationSet operations;

    /** Numbers of the wanted threads, sorted; null for all. */
    private final long[] threads;

    /** Numbers of the wanted processes, sorted; null for all. */
    private final long[] processes;

    private final boolean failedOnly;
    private final long fromNanos;
    private final long toNanos;
    private final long durationNanosMin;

    // The last event's file, as most events are of the same file as the one before.
    private int lastFile;
    private boolean lastFileWanted;

    /**
     * Makes a filter.
     *
     * @param files sorted ids of the wanted files; null for all, also those that nobody defined
     * @param operations null for all
     * @param threads sorted; null for all
     * @param processes sorted; null for all
     * @param fromNanos first nanosecond, since time zero
     * @param toNanos first nanosecond that is too late
     */
    EventFilter(
            int[] files,
            OperationSet operations,
            long[] threads,
            long[] processes,
            boolean failedOnly,
            long fromNanos,
            long toNanos,
            long durationNanosMin) {
        this.files = files;
        this.operations = operations;
        this.threads = threads;
        this.processes = processes;
        this.failedOnly = failedOnly;
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
        this.durationNanosMin = durationNanosMin;
        this.lastFileWanted = wanted(lastFile);
    }

    /** Returns true if the filter chooses everything. */
    public boolean isOpen() {
        return files == null
                && operations == null
                && threads == null
                && processes == null
                && !failedOnly
                && fromNanos == Long.MIN_VALUE
                && toNanos == Long.MAX_VALUE
                && durationNanosMin <= 0;
    }

    /**
     * Returns the first nanosecond that is chosen, since time zero; {@link Long#MIN_VALUE} if none
     * is asked for.
     */
    public long fromNanos() {
        return fromNanos;
    }

    /**
     * Returns the first nanosecond that is too late; {@link Long#MAX_VALUE} if none is asked for.
     */
    public long toNanos() {
        return toNanos;
    }

    /** Returns true if events of this file may be chosen. */
    public boolean test(EventFile file) {
        return wanted(file.id())
                && (processes == null || Arrays.binarySearch(processes, file.process()) >= 0);
    }

    @Override
    public boolean test(Event event) {
        return inTime(event)
                && event.durationNanos() >= durationNanosMin
                && (!failedOnly || event.failed())
                && (operations == null || operations.has(event))
                && (processes == null || Arrays.binarySearch(processes, event.process()) >= 0)
                && (threads == null
                        || event.kind() != Event.Kind.DROPPED
                                && Arrays.binarySearch(threads, event.thread()) >= 0)
                && fileWanted(event);
    }

    /**
     * Tests a decision. Decisions are not operations, take no time and do not fail, so that none is
     * chosen where operations, durations or failures are asked for.
     */
    public boolean test(EventDecision decision) {
        return decision.nanos() >= fromNanos
                && decision.nanos() < toNanos
                && durationNanosMin <= 0
                && !failedOnly
                && operations == null
                && (processes == null || Arrays.binarySearch(processes, decision.process()) >= 0)
                && (threads == null || Arrays.binarySearch(threads, decision.thread()) >= 0)
                && wanted(decision.file());
    }

    /** Tests the time. An event of no duration lies in the nanosecond in which it begins. */
    private boolean inTime(Event event) {
        long start = event.startNanos();
        return start < toNanos && (start >= fromNanos || event.endNanos() > fromNanos)
                || toNanos == Long.MAX_VALUE && start == toNanos;
    }

    private boolean fileWanted(Event event) {
        int file = event.file();
        if (file != lastFile) {
            lastFile = file;
            lastFileWanted = wanted(file);
        }
        return lastFileWanted;
    }

    private boolean wanted(int file) {
        return files == null || Arrays.binarySearch(files, file) >= 0;
    }
}
