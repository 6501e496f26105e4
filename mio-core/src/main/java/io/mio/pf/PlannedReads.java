package io.mio.pf;

import java.util.Arrays;

/** Reads of one file in an earlier run, in order of time; a {@link PagePlan} is made of them. */
final class PlannedReads {
    /** Longer reads are taken as this long, bytes: no request of a program moves more. */
    private static final int LENGTH_MAX = 0x7ffff000;

    private long[] offsets = new long[16];
    private int[] lengths = new int[16];
    private int[] channels = new int[16];
    private int count;

    /**
     * Adds the next read. What makes no sense is left out.
     *
     * @param channel number of the open that the read was made through, 0 and more
     * @param offset bytes
     * @param length bytes
     * @return whether the read was taken
     */
    boolean add(int channel, long offset, long length) {
        if (offset < 0 || length <= 0 || offset > Long.MAX_VALUE - LENGTH_MAX) {
            return false;
        }
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
            channels = Arrays.copyOf(channels, 2 * count);
        }
        offsets[count] = offset;
        lengths[count] = (int) Math.min(length, LENGTH_MAX);
        channels[count++] = channel;
        return true;
    }

    int size() {
        return count;
    }

    int channel(int index) {
        return channels[index];
    }

    long offset(int index) {
        return offsets[index];
    }

    /** Length of a read, bytes, at least one. */
    int length(int index) {
        return lengths[index];
    }
}
