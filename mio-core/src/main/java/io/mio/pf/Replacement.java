package io.mio.pf;

/**
 * Decides which page gives way when a frame is needed. Pure: it orders pages and does no I/O.
 * Called under the lock of the cache.
 */
abstract class Replacement {
    /** A page came into the cache. */
    abstract void added(Page page);

    /**
     * A page was used.
     *
     * @param byProgram false if the page only lies in the window of a stream that comes near
     */
    abstract void touched(Page page, boolean byProgram);

    /**
     * A page was used, or will be soon, by a plan.
     *
     * @param soon false if it is wanted much later, or not at all
     */
    void planned(Page page, boolean soon) {
        touched(page, true);
    }

    /** A page leaves the cache. */
    abstract void removed(Page page);

    /** How many pages came back so far that had given way a short while before. */
    long cameBack() {
        return 0;
    }

    /** How many pages that gave way a short while ago are remembered. */
    int remembered() {
        return 0;
    }

    /** Sets the number of frames from now on. */
    void grew(int frames) {}

    /** How many pages do not give way to pages that come in. */
    abstract int kept();

    /** The page that should give way first, or null if there is none. */
    abstract Page first();

    /** The page that should give way after {@code page}, or null. */
    abstract Page after(Page page);
}
