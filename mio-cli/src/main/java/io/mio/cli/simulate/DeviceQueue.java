package io.mio.cli.simulate;

import java.util.Map;
import java.util.TreeMap;

/**
 * Computes when the requests of a device are complete: pure arithmetic on times.
 *
 * <p>The device works on {@code depth} requests at the same time. A request takes a free place, or
 * the place that is free first. After the {@code latency} its bytes go over the wire, which carries
 * the bytes of one request after the other. Threads have clocks of their own, so a request may be
 * submitted at an earlier time than the one before it. Such a request takes a place and a gap on
 * the wire that were free at that time.
 */
final class DeviceQueue {
    /** Number of busy intervals of the wire that are kept. */
    private static final int BUSY_MAX = 512;

    private final Device device;

    /** Time since which each place has been taken without a break; {@link #freeAt} is its end. */
    private final long[] began;

    private final long[] freeAt;

    /** Intervals in which the wire is busy: end by start. */
    private final TreeMap<Long, Long> busy = new TreeMap<>();

    DeviceQueue(Device device) {
        this.device = device;
        this.began = new long[device.depth()];
        this.freeAt = new long[device.depth()];
    }

    /** Submits a request at the time {@code at}; returns when it is complete. */
    long submit(long at, long bytes) {
        int place = place(at);
        boolean later = began[place] > at;
        long begin = later ? at : Math.max(at, freeAt[place]);
        long done = transferred(begin + device.latencyNanos(), device.wireNanos(bytes));
        if (!later) {
            began[place] = begin == freeAt[place] ? began[place] : begin;
            freeAt[place] = done;
        }
        return done;
    }

    /**
     * Returns a place that is free at the time {@code at}, which may be taken later on; if there is
     * none, the place that is free first.
     */
    private int place(long at) {
        int first = 0;
        for (int i = 0; i < freeAt.length; i++) {
            if (freeAt[i] <= at || began[i] > at) {
                return i;
            }
            first = freeAt[i] < freeAt[first] ? i : first;
        }
        return first;
    }

    /**
     * Takes the first interval from {@code ready} on in which the wire is free for {@code nanos};
     * returns its end.
     */
    private long transferred(long ready, long nanos) {
        if (nanos == 0) {
            return ready;
        }
        long from = ready;
        Map.Entry<Long, Long> before = busy.floorEntry(from);
        if (before != null && before.getValue() > from) {
            from = before.getValue();
        }
        Map.Entry<Long, Long> next = busy.ceilingEntry(from);
        while (next != null && next.getKey() - from < nanos) {
            from = next.getValue();
            next = busy.ceilingEntry(from);
        }
        take(from, from + nanos);
        return from + nanos;
    }

    private void take(long from, long to) {
        Map.Entry<Long, Long> before = busy.lowerEntry(from);
        Long after = busy.remove(to);
        long end = after == null ? to : after;
        if (before != null && before.getValue() == from) {
            busy.put(before.getKey(), end);
        } else {
            busy.put(from, end);
        }
        if (busy.size() > BUSY_MAX) {
            busy.pollFirstEntry();
        }
    }
}
