package io.mio.cli.simulate;

import io.mio.events.Event;
import java.util.HashMap;
import java.util.Map;

/**
 * A clock for each thread of the program. Between two calls of a thread as much time goes by as in
 * the recording; a call takes what the simulation says. A thread that is new begins where the last
 * call of any thread places it.
 *
 * <p>Beside each clock runs a second one, of a program that never waits for the device.
 */
final class ThreadClocks {
    private static final class Clock {
        long recordedEnd;
        long end;
        long busyEnd;
    }

    private final Map<Long, Clock> clocks = new HashMap<>();

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

    /** A call begins; returns when, in virtual time. */
    long begin(Event call) {
        Long key = call.process() << 32 ^ call.thread();
        clock = clocks.get(key);
        if (clock != null) {
            long thought = Math.max(0, call.startNanos() - clock.recordedEnd);
            start = clock.end + thought;
            busyStart = clock.busyEnd + thought;
        } else {
            clock = new Clock();
            clocks.put(key, clock);
            first(call);
        }
        return start;
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
