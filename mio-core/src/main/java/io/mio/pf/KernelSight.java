package io.mio.pf;

import io.mio.layer.KernelCache;

/**
 * What the kernel's cache has of a file, and whether that can be seen.
 *
 * <p>For one thread at a time.
 */
final class KernelSight {
    private final KernelCache kernel;
    private final AutoLog log;

    /** It cannot be looked into. */
    private boolean blind;

    /** It can: something was there. */
    private boolean sees;

    /** Something was not, which may be as good as blind: the read that follows tells. */
    private boolean doubts;

    KernelSight(KernelCache kernel, AutoLog log) {
        this.kernel = kernel;
        this.log = log;
    }

    /** As {@link KernelCache#has}, as far as can be seen. */
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

    /** The byte at this offset was just read: it has to be there. */
    void prove(long offset) {
        if (!sees && !blind) {
            found(kernel.sees(offset));
        }
    }

    /** True if it can be looked into; else the byte is read to find out, if it is not known. */
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
