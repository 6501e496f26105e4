package io.mio.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * One io_uring, see {@code os_uring.h}. It belongs to the thread that opened it, except for {@link
 * #wake}. The two blocks of numbers are shared with the helper.
 */
abstract class Ring {
    /** Opens a ring for the calling thread. */
    interface Maker {
        /**
         * @throws Lacking with the system's words, if it may be had later
         * @throws IOException with the system's words, if it is refused
         */
        Ring open(int entries) throws IOException;
    }

    /** There are too few descriptors, or too little memory, for a ring now. */
    static final class Lacking extends IOException {
        private static final long serialVersionUID = 1;

        Lacking(String words) {
            super(words);
        }
    }

    final LongBuffer ops;
    final LongBuffer dones;
    final ByteBuffer opsMemory;
    final ByteBuffer donesMemory;
    final int[] submitted = new int[1];

    Ring(int entries) {
        opsMemory = block(entries * NativeCalls.OP_WORDS);
        donesMemory = block(entries * NativeCalls.DONE_WORDS);
        ops = opsMemory.asLongBuffer();
        dones = donesMemory.asLongBuffer();
    }

    private static ByteBuffer block(int words) {
        return ByteBuffer.allocateDirect(words * Long.BYTES).order(ByteOrder.nativeOrder());
    }

    /**
     * Submits the first {@code count} of {@link #ops}, and takes up to {@code max} completions.
     *
     * @return number of completions in {@link #dones}, or {@code -errno}; {@link #submitted} is set
     *     in any case
     */
    abstract int enter(int count, int max, boolean wait);

    /** Ends a wait in {@link #enter}; for any thread. */
    abstract void wake();

    abstract void close();

    /** A ring of the helper's. */
    static final class Native extends Ring {
        private final long ring;
        private final long opsAddress;
        private final long donesAddress;

        private Native(int entries) throws IOException {
            super(entries);
            this.opsAddress = NativeCalls.address(opsMemory);
            this.donesAddress = NativeCalls.address(donesMemory);
            long[] opened = new long[1];
            int result = NativeCalls.openRing(entries, opened);
            if (result < 0) {
                IOException failure = NativeCalls.failure(-result);
                throw Errno.isLacking(-result) ? new Lacking(failure.getMessage()) : failure;
            }
            this.ring = opened[0];
        }

        static Ring open(int entries) throws IOException {
            return new Native(entries);
        }

        @Override
        int enter(int count, int max, boolean wait) {
            return NativeCalls.enterRing(
                    ring, opsAddress, count, donesAddress, max, wait, submitted);
        }

        @Override
        void wake() {
            NativeCalls.wakeRing(ring);
        }

        @Override
        void close() {
            NativeCalls.closeRing(ring);
        }
    }
}
