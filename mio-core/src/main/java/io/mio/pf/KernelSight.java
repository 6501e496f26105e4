package io.mio.pf;

import io.mio.layer.KernelCache;

/**
 * Tells what the kernel's cache has of a file, and whether that can be seen.
 *
 * <p>For one thread at a time.
 */
final class KernelSight {
    private final KernelCache kernel;
    private final AutoLog log;

    /** The kernel's cache cannot be looked into. */
    private boolean blind;

    /** The kernel's cache can be looked into: something was seen there. */
    private boolean sees;

    /**
     * Something was not seen, which may be blindness: a proof after the read that follows shows
     * which.
     */
    private boolean doubts;

    KernelSight(KernelCache kernel, AutoLog log) {
        this.kernel = kernel;
        this.log = log;
    }

    /** Like {@link KernelCache#has}, as far as the cache can be looked into. */
    int has(long offset, long bytes) {
        int there = blind ? KernelCache.UNKNOWN : kernel.has(offset, bytes);
        blind = there == KernelCache.UNKNOWN;
        sees |= there == 1;
        doubts |= there == 0 && !sees;
        return there;
    }

    boolean isBlind() {
        return blind;
    }

    boolean isSure() {
        return sees;
    }

    /** True, once, if {@link #prove} is to follow a read. */
    boolean takeDoubts() {
        boolean had = doubts;
        doubts = false;
        return had;
    }

    /** Looks for the byte at this offset, which was just read: it has to be there. */
    void prove(long offset) {
        if (!sees && !blind) {
            found(kernel.sees(offset));
        }
    }

    /**
     * True if the kernel's cache can be looked into. Where that is not known, the byte at this
     * offset is read to find out.
     */
    boolean sees(long offset) {
        if (!sees && !blind) {
            found(kernel.nudge(offset, 1));
        }
        return sees;
    }

    private void found(boolean seen) {
        sees = seen;
        blind = !seen;
        if (!seen) {
            log.unseen();
        }
    }
}
