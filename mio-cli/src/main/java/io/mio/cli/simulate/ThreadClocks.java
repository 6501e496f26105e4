package io.mio.cli.simulate;

import io.mio.events.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A virtual clock for each thread of the program. Between two calls of a thread as much time goes
 * by as in the recording; a call takes what the simulation says. The first call of a new thread is
 * placed relative to the last call of any thread, as in the recording.
 *
 * <p>An asynchronous request keeps no thread waiting. A thread that, in the recording, makes a call
 * after its request came back is taken to have waited for the request. So it waits here, too.
 *
 * <p>Beside each clock runs a second one, of a program that never waits for the device.
 */
final class ThreadClocks {
    private static final class Clock {
        final long process;
        long recordedEnd;

        /**
         * Time that is left out before the next call, because the last call waited in the recording
         * and not here; nanoseconds.
         */
        long extraNanos;

        long end;
        long busyEnd;

        /** End of its last call or request. */
        long latest;

        /** Asynchronous requests that came back in the recording and were not waited for yet. */
        final List<Returned> returned = new ArrayList<>(0);

        Clock(long process) {
            this.process = process;
        }
    }

    /** An asynchronous request of a thread that is on its way, with its virtual ends. */
    private record Submitted(Clock clock, long end, long busyEnd) {}

    private record Returned(long recordedEnd, long end, long busyEnd) {}

    private record RequestId(long process, long number) {}

    /** A call that took this long or longer has waited. */
    private static final long WAITED_NANOS = 15_000;

    private final long recordNanos;
    private final long wakeNanos;
    private final Map<Long, Clock> clocks = new HashMap<>();
    private final Map<RequestId, Submitted> submitted = new HashMap<>();
    private long waits;
    private long waitNanos;

    // The last call that was played, of whichever thread.
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
     * Creates clocks that stand at 0.
     *
     * @param recordNanos the part of the time between two recorded calls that recording took
     * @param wakeNanos the part of it that cold processor caches took, after a call that waited
     */
    ThreadClocks(long recordNanos, long wakeNanos) {
        this.recordNanos = recordNanos;
        this.wakeNanos = wakeNanos;
    }

    /** Begins a call; returns its start in virtual time. */
    long begin(Event call) {
        Long key = call.process() << 32 ^ call.thread();
        clock = clocks.get(key);
        if (clock != null) {
            goOn(call);
        } else {
            clock = new Clock(call.process());
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
     * Ends the call that began last.
     *
     * @param end in virtual time
     * @param busyNanos time it takes without waits
     */
    void end(Event call, long end, long busyNanos) {
        clock.recordedEnd = call.endNanos();
        clock.extraNanos =
                call.durationNanos() >= WAITED_NANOS && end - start < WAITED_NANOS ? wakeNanos : 0;
        clock.end = end;
        clock.latest = Math.max(clock.latest, end);
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

    /**
     * Ends the call that submits an asynchronous request; its thread continues while the request
     * runs.
     *
     * @param end when the request ends, in virtual time
     * @param busyNanos time the request takes without waits
     * @param goesOnNanos time until the thread continues
     */
    void submitted(Event call, long end, long busyNanos, long goesOnNanos) {
        end(call, start + goesOnNanos, goesOnNanos);
        clock.latest = Math.max(clock.latest, end);
        ended(end, busyStart + busyNanos);
        submitted.put(
                new RequestId(call.process(), call.number()),
                new Submitted(clock, end, busyStart + busyNanos));
    }

    /** Notes that an asynchronous request came back in the recording. */
    void returned(Event end) {
        Submitted one = submitted.remove(new RequestId(end.process(), end.number()));
        if (one != null) {
            one.clock.returned.add(new Returned(end.endNanos(), one.end, one.busyEnd));
        } else if (any) {
            // Nothing is simulated of it: it ends as long after the last call as it did there.
            long after = end.endNanos() - lastRecordedEnd;
            ended(lastEnd + after, lastBusyEnd + after);
        }
    }

    /** How often threads waited for an asynchronous request. */
    long waits() {
        return waits;
    }

    /** How long threads waited for asynchronous requests, all together; nanoseconds. */
    long waitNanos() {
        return waitNanos;
    }

    /**
     * Forgets the threads of a process that has made its last call; returns the end of its last
     * call or request, in virtual time. The next call is one of a new thread, or of another
     * process.
     */
    long exits(long process) {
        long last = 0;
        for (Iterator<Clock> all = clocks.values().iterator(); all.hasNext(); ) {
            Clock one = all.next();
            if (one.process == process) {
                last = Math.max(last, one.latest);
                all.remove();
            }
        }
        return last;
    }

    /**
     * The end of a process took so long, from {@code from} to {@code to} in virtual time. What
     * begins after the process begins that much later.
     */
    void exited(long process, long from, long to) {
        if (clock != null && clock.process == process) {
            lastEnd += to - from;
        }
        latest = Math.max(latest, to);
    }

    private void ended(long end, long busyEnd) {
        latest = Math.max(latest, end);
        latestBusy = Math.max(latestBusy, busyEnd);
    }

    /** End of the last call or request, in virtual time. */
    long latest() {
        return latest;
    }

    /** The same end in a program that never waits for the device. */
    long latestBusy() {
        return latestBusy;
    }
}
