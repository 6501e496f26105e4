package io.mio.pf;

import io.mio.layer.KernelCache;
import io.mio.layer.OpenRequest;
import java.io.IOException;

/**
 * Decides whether the pages of an open under {@code pf/auto} may serve. A program that reads a file
 * through the kernel sees everything that other processes have written by then. Programs rely on
 * that: the processes of a database tell each other about changes by means that nobody else sees.
 * The kernel tells only the time of a file's last change. It sets that time when a write begins,
 * before the bytes are there, and not again for a write that follows right behind another one. So
 * pages serve only bytes that were read while the file was calm, which means that no write can have
 * been going on, and only as long as the file has not changed since. Otherwise the kernel serves,
 * also after a write of the program itself, which may have hidden the write of another process.
 * Twin of {@code pf_auto_agree.c}.
 *
 * <p>A look at the time of the last change takes as long as a small request to the kernel. For
 * small pages it is made when the program did something else since its last request, such as
 * waiting for another process, and otherwise now and then. A race between threads costs one more
 * look, or forgets the pages once more.
 */
final class Agreement {
    /** Why there are no pages, in words for the report. */
    static final String CHANGES = "the file keeps changing";

    private static final long PAUSE_NANOS = 5_000;
    private static final long MOST_NANOS = 100_000;

    /** The file does not count as calm for this long after a write of the program. */
    private static final long YOUNG_NANOS = 50_000_000;

    /** Least time from one look whether the file is calm to the next, without a write between. */
    private static final long LOOK_NANOS = 10_000_000;

    /** A file that is not calm for this long is left to the kernel for good. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    /**
     * A file that the program reads and writes in turns more often than this is left to the kernel.
     */
    private static final int PATIENCE_TURNS = 64;

    private static final long UNKNOWN = -1;

    private final KernelCache kernel;
    private final OpenRequest.Place place;

    /** True if no write of the file can be going on, as far as can be told. */
    private volatile boolean calm;

    /** Time of the file's last change, or {@link #UNKNOWN}. All pages were read after it. */
    private volatile long stamp = UNKNOWN;

    /** Set once pages were wanted or existed while the file was not calm. */
    private volatile boolean waits;

    /**
     * When the file was found not to be calm, in nanoseconds of {@link KernelCache#nanos()}; means
     * nothing before {@link #waits} is set.
     */
    private volatile long troubled;

    /**
     * Earliest time of the next look whether the file is calm; means nothing without {@link
     * #hasDue}.
     */
    private volatile long due;

    private volatile boolean hasDue;

    /** The program has read while the file was not calm, and has not written since. */
    private volatile boolean waited;

    /** Writes of the program that followed a read, since the file was calm last. */
    private int turns;

    /** Pages make no sense any more, for good. */
    private volatile boolean over;

    private long asked;
    private long agreed;

    Agreement(KernelCache kernel, OpenRequest.Place place) {
        this.kernel = kernel;
        this.place = place;
    }

    /** True if pages are of no use any more, for good. */
    boolean isOver() {
        return over;
    }

    /**
     * Decides about a read that is about to be served from pages. Called within the gate.
     *
     * @param past the pages are read past the kernel's cache: then each request looks for changes
     * @return false if the request is to go to the kernel
     */
    boolean before(PfLayer pages, boolean past) throws IOException {
        if (past) {
            agreePast(pages);
            return !over;
        }
        if (over) {
            return false;
        }
        if (!calm) {
            return isCalm(pages);
        }
        if (!isDue() || isKnown()) {
            return true;
        }
        trouble(pages, LOOK_NANOS);
        return false;
    }

    private boolean isDue() {
        long now = kernel.nanos();
        long since = now - asked;
        asked = now;
        if (since < PAUSE_NANOS && now - agreed < MOST_NANOS) {
            return false;
        }
        agreed = now;
        return true;
    }

    private boolean isKnown() {
        long changed = kernel.changedNanos();
        return changed != UNKNOWN && changed == stamp;
    }

    /**
     * Leaves the file to the kernel until a later look finds it calm.
     *
     * @param nanos time until the next look, at least
     */
    private void trouble(PfLayer pages, long nanos) {
        long now = kernel.nanos();
        forgive(now);
        dueAt(now + nanos);
        if (calm) {
            troubled = now;
            waits = true;
            calm = false;
            forget(pages);
        }
    }

    private void dueAt(long nanos) {
        due = nanos;
        hasDue = true;
    }

    /**
     * Restarts the time of trouble where no look was made for a while: the file may have been calm
     * in between.
     */
    private void forgive(long now) {
        if (hasDue && now - due > YOUNG_NANOS) {
            troubled = now;
        }
    }

    private static void forget(PfLayer pages) {
        try {
            if (pages != null) {
                pages.forget();
            }
        } catch (IOException e) {
            // The size is not known: the next request meets the error.
        }
    }

    /**
     * True if pages may be taken, or those that exist may serve.
     *
     * @param pages null: there are none
     */
    boolean isCalm(PfLayer pages) {
        // Without pages nothing has looked whether the file is still calm.
        if (pages != null && calm) {
            return true;
        }
        long now = kernel.nanos();
        forgive(now);
        if ((!hasDue || now - due >= 0) && becomesCalm(pages, now)) {
            return true;
        }
        if (!waits) {
            troubled = now;
            waits = true;
        }
        waited = true;
        over |= now - troubled > PATIENCE_NANOS;
        return false;
    }

    private boolean becomesCalm(PfLayer pages, long now) {
        dueAt(now + LOOK_NANOS);
        long changed = kernel.changedNanos();
        if (changed == UNKNOWN || !ChangeStamp.isOver(place.type(), changed)) {
            return false;
        }
        // A thread that was on its way meanwhile may have filled the pages.
        forget(pages);
        stamp = changed;
        waited = false;
        turns = 0;
        calm = true;
        return true;
    }

    /**
     * Checks pages that are read past the kernel's cache. Such a read waits for writes that go
     * through that cache, but not for writes of others that bypass it, too. A write of the program
     * may hide those: so after one the pages are forgotten once more, when the others have had the
     * time to end. Once others have changed the file it is left to the kernel for good, as the
     * kernel has the bytes, or reads them ahead.
     */
    private void agreePast(PfLayer pages) throws IOException {
        if (!isKnown()) {
            over = true;
            pages.forget();
        } else if (!calm && kernel.nanos() - due >= 0) {
            pages.forget();
            calm = true;
        }
    }

    /**
     * The program is about to change the file.
     *
     * @param pages what it writes through, with the gate held alone; null: there are none
     * @param past the pages are read past the kernel's cache
     */
    void writes(PfLayer pages, boolean past) throws IOException {
        if (pages != null && past) {
            agreePast(pages);
        }
    }

    /** The program has changed the file, or has failed to. */
    void wrote(PfLayer pages, boolean past) {
        trouble(pages, YOUNG_NANOS);
        turn();
        if (pages != null && past && !over) {
            wrotePast(pages);
        }
    }

    /** Counts a turn from reading to writing: of a burst of writes only the first one counts. */
    private void turn() {
        if (waited) {
            waited = false;
            turns++;
            over |= turns > PATIENCE_TURNS;
        }
    }

    /**
     * Forgets the pages after a write of the program past the kernel's cache. Where the next change
     * may get the same time as this one, pages make no sense any more.
     */
    private void wrotePast(PfLayer pages) {
        long changed = kernel.changedNanos();
        boolean sure = changed != UNKNOWN && ChangeStamp.isSure(place.type(), changed);
        stamp = sure ? changed : UNKNOWN;
        over |= !sure;
        forget(pages);
    }
}
