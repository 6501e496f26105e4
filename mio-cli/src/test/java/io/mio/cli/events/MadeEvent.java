package io.mio.cli.events;

import io.mio.events.Event;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;

/**
 * Makes an event. By default it has offset 0, no bytes, thread 7 of process {@link
 * MadeEvents#PROCESS} and number 0, and succeeds.
 */
public final class MadeEvent {
    private final Event.Kind kind;
    private final TraceOperation operation;
    private final PageOperation page;
    private final int file;
    private final long startNanos;
    private final long durationNanos;
    private long offset;
    private long requested;
    private long delivered;
    private boolean failed;
    private boolean asynchronous;
    private int errno;
    private long thread = 7;
    private long number;
    private long process = MadeEvents.PROCESS;

    private MadeEvent(
            Event.Kind kind,
            TraceOperation operation,
            PageOperation page,
            int file,
            long startNanos,
            long durationNanos) {
        this.kind = kind;
        this.operation = operation;
        this.page = page;
        this.file = file;
        this.startNanos = startNanos;
        this.durationNanos = durationNanos;
    }

    public static MadeEvent call(TraceOperation operation, int file, long start, long nanos) {
        return new MadeEvent(Event.Kind.CALL, operation, null, file, start, nanos);
    }

    /** The end of an asynchronous request. */
    public static MadeEvent end(TraceOperation operation, int file, long start, long nanos) {
        return new MadeEvent(Event.Kind.END, operation, null, file, start, nanos);
    }

    public static MadeEvent page(PageOperation page, int file, long start, long nanos) {
        return new MadeEvent(Event.Kind.PAGE, null, page, file, start, nanos);
    }

    /** Makes an event that {@code count} events were lost. */
    public static Event lost(long start, long nanos, long count) {
        MadeEvent lost = new MadeEvent(Event.Kind.DROPPED, null, null, 0, start, nanos);
        return lost.bytes(-1, count, 0).thread(0).made();
    }

    /** Sets the bytes that were asked for, all of which were delivered. */
    public MadeEvent bytes(long at, long count) {
        return bytes(at, count, count);
    }

    public MadeEvent bytes(long at, long asked, long came) {
        offset = at;
        requested = asked;
        delivered = came;
        return this;
    }

    public MadeEvent failed(int why) {
        failed = true;
        errno = why;
        delivered = 0;
        return this;
    }

    public MadeEvent asynchronous(boolean is) {
        asynchronous = is;
        return this;
    }

    public MadeEvent thread(long of) {
        thread = of;
        return this;
    }

    /** Sets the number of the asynchronous request, or of the frame. */
    public MadeEvent number(long of) {
        number = of;
        return this;
    }

    public MadeEvent process(long of) {
        process = of;
        return this;
    }

    public Event made() {
        return new Event(
                kind,
                operation,
                page,
                file,
                startNanos,
                durationNanos,
                offset,
                requested,
                delivered,
                failed,
                false,
                asynchronous,
                errno,
                thread,
                number,
                process);
    }
}
