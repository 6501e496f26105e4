package io.mio.cli.events.export;

import java.util.Arrays;

/** The times at which the requests that are in flight end. */
final class Ends {
    /** Times in falling order, so that the next one to be taken is the last. */
    private long[] times = new long[0];

    private int size;

    int size() {
        return size;
    }

    /** Returns how many times the memory can hold. */
    int room() {
        return times.length;
    }

    void add(long time) {
        if (size == times.length) {
            times = Arrays.copyOf(times, Math.max(4, 2 * size));
        }
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] > time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        System.arraycopy(times, low, times, low + 1, size - low);
        times[low] = time;
        size++;
    }

    /** Returns the first time; there must be one. */
    long first() {
        return times[size - 1];
    }

    /** Removes and returns the first time. */
    long take() {
        return times[--size];
    }
}
