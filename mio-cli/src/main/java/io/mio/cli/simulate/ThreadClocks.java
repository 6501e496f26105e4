package io.mio.cli.simulate;

import io.mio.events.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A clock for each thread of the program. Between two calls of a thread as much time goes by as in
 * the recording; a call takes what the simulation says. A thread that is new begins where the last
 * call of any thread places it.
 *
 * <p>An asynchronous request keeps nobody waiting. When its thread makes a call after the request
 * came back in the recording, it does so here as well: it is taken to have waited for it.
 *
 * <p>Beside each clock runs a second one, of a program that never waits for the device.
 */
final class ThreadClocks {
    private static final class Clock {
        long recordedEnd;

        /** The last call waited in the recording and did not here: so much less is thought. */
        long extraNanos;

        long end;
        long busyEnd;

        /** Asynchronous requests that came back. */
        final List<Returned> returned = new ArrayList<>(0);
    }

    /** An asynchronous request of a thread that is on its way, by its virtual ends. */
    private record Submitted(Clock clock, long end, long busyEnd) {}

    private record Returned(long recordedEnd, long end, long busyEnd) {}

    private record RequestId(long process, long number) {}

    /** A call of the recording that took so long has waited. */
    private static final long WAITED_NANOS = 15_000;

    private final long recordNanos;
    private final long wakeNanos;
    private final Map<Long, Clock> clocks = new HashMap<>();
    private final Map<RequestId, Submitted> submitted = new HashMap<>();
    private long waits;
    private long waitNanos;

    // The last call that began, whose thread was the last one to move.
    private boolean any;
    private long lastRecordedStart;
    private long lastRecordedEnd;
    private long lastStart;
    private long lastEnd;
    private long lastBusyStart;
    private long lastBusyEnd;

    private Clock clock;
    private long start;
    private long busyStart;
    private long latest;
    private long latestBusy;

    /**
     * Clocks that stand at 0.
     *
     * @param recordNanos of the time between two calls of the recording was for the recording
     * @param wakeNanos of that after a call that waited was for caches that had gone cold
     */
    ThreadClocks(long recordNanos, long wakeNanos) {
        this.recordNanos = recordNanos;
        this.wakeNanos = wakeNanos;
    }

    /** A call begins; returns when, in virtual time. */
    long begin(Event call) {
        Long key = call.process() << 32 ^ call.thread();
        clock = clocks.get(key);
        if (clock != null) {
            goOn(call);
        } else {
            clock = new Clock();
            clocks.put(key, clock);
            first(call);
        }
        return start;
    }

    private void goOn(Event call) {
        long recorded = clock.recordedEnd;
        start = clock.end;
        busyStart = clock.busyEnd;
        for (Iterator<Returned> all = clock.returned.iterator(); all.hasNext(); ) {
            Returned one = all.next();
            if (one.recordedEnd <= call.startNanos()) {
                recorded = Math.max(recorded, one.recordedEnd);
                start = Math.max(start, one.end);
                busyStart = Math.max(busyStart, one.busyEnd);
                all.remove();
            }
        }
        waits += start > clock.end ? 1 : 0;
        waitNanos += start - clock.end;
        long thought = Math.max(0, call.startNanos() - recorded - recordNanos - clock.extraNanos);
        start += thought;
        busyStart += thought;
    }

    private void first(Event call) {
        long at = call.startNanos();
        if (!any) {
            start = 0;
            busyStart = 0;
        } else if (at >= lastRecordedEnd) {
            start = lastEnd + at - lastRecordedEnd;
            busyStart = lastBusyEnd + at - lastRecordedEnd;
        } else {
            long after = Math.max(0, at - lastRecordedStart);
            start = lastStart + after;
            busyStart = lastBusyStart + after;
        }
    }

    /**
     * It ends.
     *
     * @param busyNanos time it takes without waits
     */
    void end(Event call, long end, long busyNanos) {
        clock.recordedEnd = call.endNanos();
        clock.extraNanos =
                call.durationNanos() >= WAITED_NANOS && end - start < WAITED_NANOS ? wakeNanos : 0;
        clock.end = end;
        clock.busyEnd = busyStart + busyNanos;
        any = true;
        lastRecordedStart = call.startNanos();
        lastRecordedEnd = call.endNanos();
        lastStart = start;
        lastEnd = end;
        lastBusyStart = busyStart;
        lastBusyEnd = clock.busyEnd;
        ended(end, clock.busyEnd);
    }

    /** The thread hands an asynchronous request over, and goes on; the request ends then. */
    void submitted(Event call, long end, long busyNanos, long goesOnNanos) {
        end(call, start + goesOnNanos, goesOnNanos);
        ended(end, busyStart + busyNanos);
        submitted.put(
                new RequestId(call.process(), call.number()),
                new Submitted(clock, end, busyStart + busyNanos));
    }

    /** An asynchronous request came back in the recording. */
    void returned(Event end) {
        Submitted one = submitted.remove(new RequestId(end.process(), end.number()));
        if (one != null) {
            one.clock.returned.add(new Returned(end.endNanos(), one.end, one.busyEnd));
        }
    }

    /** How often a thread waited for an asynchronous request. */
    long waits() {
        return waits;
    }

    /** For how long, all together. */
    long waitNanos() {
        return waitNanos;
    }

    private void ended(long end, long busyEnd) {
        latest = Math.max(latest, end);
        latestBusy = Math.max(latestBusy, busyEnd);
    }

    /** When the last call has ended. */
    long latest() {
        return latest;
    }

    /** The same without waits. */
    long latestBusy() {
        return latestBusy;
    }
}
