package io.mio.events;

import java.util.Arrays;

/** The blocks of a file; those of events by the time they begin. Takes 16 bytes for each block. */
final class EventIndex {
    private long[] began = new long[16];
    private long[] blocks = new long[16];
    private int count;
    private long[] definitions = new long[4];
    private int definitionCount;

    void addEvents(long block, long beganNanos) {
        if (count == blocks.length) {
            began = Arrays.copyOf(began, 2 * count);
            blocks = Arrays.copyOf(blocks, 2 * count);
        }
        began[count] = beganNanos;
        blocks[count++] = block;
    }

    void addDefinitions(long block) {
        if (definitionCount == definitions.length) {
            definitions = Arrays.copyOf(definitions, 2 * definitionCount);
        }
        definitions[definitionCount++] = block;
    }

    /**
     * Sorts the blocks of events, once all are there. Heapsort, because no order of a hostile file
     * makes it slow.
     */
    void sort() {
        for (int i = count / 2 - 1; i >= 0; i--) {
            sift(i, count);
        }
        for (int end = count - 1; end > 0; end--) {
            swap(0, end);
            sift(0, end);
        }
    }

    private void sift(int from, int end) {
        int at = from;
        while (2 * at + 1 < end) {
            int child = 2 * at + 1;
            if (child + 1 < end && isBefore(child, child + 1)) {
                child++;
            }
            if (!isBefore(at, child)) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private boolean isBefore(int one, int other) {
        return began[one] != began[other] ? began[one] < began[other] : blocks[one] < blocks[other];
    }

    private void swap(int one, int other) {
        long time = began[one];
        began[one] = began[other];
        began[other] = time;
        long block = blocks[one];
        blocks[one] = blocks[other];
        blocks[other] = block;
    }

    int size() {
        return count;
    }

    long block(int index) {
        return blocks[index];
    }

    long began(int index) {
        return began[index];
    }

    int definitions() {
        return definitionCount;
    }

    long definition(int index) {
        return definitions[index];
    }
}
