package io.mio.cli.simulate;

import java.util.Map;
import java.util.TreeMap;

/**
 * When the requests of a device are complete: pure arithmetic on times.
 *
 * <p>The device works on {@code depth} requests at the same time. A request takes a free place, or
 * the one that is free first; {@code latency} later its bytes go over the wire, which carries those
 * of one request after the other. Threads have clocks of their own, so that a request may be handed
 * in at an earlier time than the one before: it takes a place and a gap on the wire that were free
 * then.
 */
final class DeviceQueue {
    /** Times in which the wire was busy that are remembered. */
    private static final int BUSY_MAX = 512;

    private final Device device;

    /** Since when each place has been taken without a break, and when it is free again. */
    private final long[] began;

    private final long[] freeAt;

    /** Times in which the wire is busy: from, to. */
    private final TreeMap<Long, Long> busy = new TreeMap<>();

    DeviceQueue(Device device) {
        this.device = device;
        this.began = new long[device.depth()];
        this.freeAt = new long[device.depth()];
    }

    /** A request is handed in; returns when it is complete. */
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

    /** One that is free, even if only because it was taken later; or the one free first. */
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

    /** The first time from {@code ready} in which the wire is free for so long; its end. */
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
