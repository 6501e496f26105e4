package io.mio.pf;

import io.mio.layer.KernelCache;
import io.mio.layer.OpenRequest;
import java.io.IOException;

/**
 * Whether the pages of an open under {@code pf/auto} may serve. Who reads a file through the kernel
 * sees what other processes have written by then, and programs rely on it: a database whose
 * processes tell each other where nobody sees it. All that the kernel tells is the time of a file's
 * last change: set when a write begins, before its bytes, and not anew for a write that follows
 * right behind another one. So pages serve what was read while the file was calm, which no write
 * can have been going on in, and only as long as it has not changed since; else the kernel does,
 * also after a write of the program itself, which may have hidden another one. Twin of {@code
 * pf_auto_agree.c}.
 *
 * <p>To ask takes as long as a small request to the kernel. Of small pages it is asked when the
 * program did something else since its last request, as wait for another process, and now and then.
 * Races between threads ask or forget once more.
 */
final class Agreement {
    /** Why there are no pages, in words. */
    static final String CHANGES = "the file keeps changing";

    private static final long PAUSE_NANOS = 5_000;
    private static final long MOST_NANOS = 100_000;

    /** After a write of the program it is not calm for so long. */
    private static final long YOUNG_NANOS = 50_000_000;

    /** Else it is looked so often whether it is. */
    private static final long LOOK_NANOS = 10_000_000;

    /** And after so long it is given up. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    /** So it is when the program has read and written in turns so often. */
    private static final int PATIENCE_TURNS = 64;

    private static final long UNKNOWN = -1;

    private final KernelCache kernel;
    private final OpenRequest.Place place;

    /** No write of the file can be going on, as far as can be told. */
    private volatile boolean calm;

    /** Of the last change of the file, which all its pages were read after. */
    private volatile long stamp = UNKNOWN;

    /** Pages are wanted, or there, and it is not. */
    private volatile boolean waits;

    /** Since when. */
    private volatile long troubled;

    /** When it is looked next whether it is; nothing without {@link #hasDue}. */
    private volatile long due;

    private volatile boolean hasDue;

    /** The program has read while it was not. */
    private volatile boolean waited;

    /** And has written then, so often. */
    private int turns;

    /** There is no sense in pages any more. */
    private volatile boolean over;

    private long asked;
    private long agreed;

    Agreement(KernelCache kernel, OpenRequest.Place place) {
        this.kernel = kernel;
        this.place = place;
    }

    /** True if pages are of no use any more, nor later. */
    boolean isOver() {
        return over;
    }

    /**
     * A request is about to be made of pages. Within the gate.
     *
     * @param past they are read past the kernel's cache: looked at each time
     * @return false if it is to go to the kernel
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

    /** From now on the kernel serves, until there is a look, so much later at the earliest. */
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
     * Nobody has looked for a while, in which it may have been calm: whatever is the matter begins
     * now.
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
            // The size is not known: the next request meets that.
        }
    }

    /**
     * True if there can be pages, or those that there are can serve.
     *
     * @param pages null: there are none
     */
    boolean isCalm(PfLayer pages) {
        // Without pages nobody looks whether it still is.
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
        // Of a thread that was on its way meanwhile.
        forget(pages);
        stamp = changed;
        waited = false;
        turns = 0;
        calm = true;
        return true;
    }

    /**
     * A read past the kernel's cache waits for writes that go through it; for those of others that
     * do not, their bytes are forgotten once more when they have had the time. What others have
     * changed is the kernel's for good: it has it, or reads it ahead.
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
     * @param pages by which it does so, with the gate held alone; null: there are none
     */
    void writes(PfLayer pages, boolean past) throws IOException {
        if (pages != null && past) {
            agreePast(pages);
        }
    }

    /** It has. */
    void wrote(PfLayer pages, boolean past) {
        trouble(pages, YOUNG_NANOS);
        turn();
        if (pages != null && past && !over) {
            wrotePast(pages);
        }
    }

    /** While it waited: of a burst of writes it is the first. */
    private void turn() {
        if (waited) {
            waited = false;
            turns++;
            over |= turns > PATIENCE_TURNS;
        }
    }

    /**
     * What is kept there ends with it. Where the next change may have the same time there is no
     * sense in pages.
     */
    private void wrotePast(PfLayer pages) {
        long changed = kernel.changedNanos();
        boolean sure = changed != UNKNOWN && ChangeStamp.isSure(place.type(), changed);
        stamp = sure ? changed : UNKNOWN;
        over |= !sure;
        forget(pages);
    }
}
