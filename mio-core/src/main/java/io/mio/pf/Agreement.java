package io.mio.pf;

import io.mio.layer.KernelCache;
import io.mio.layer.OpenRequest;
import java.io.IOException;

/**
 * Whether others change a file that an open under {@code pf/auto} has pages of, or wants some. Who
 * reads a file through the kernel sees what other processes have written by then, and programs rely
 * on it: a database whose processes tell each other where nobody sees it. The kernel sets the time
 * of a file's last change when a write begins: what is read while that is young may be what was
 * there before. So there are pages only once no write of others can be going on; what is in them is
 * given out only as long as that time is the one that they were read after; and a file that others
 * change after all is left with the kernel, for good. Twin of {@code pf_auto_agree.c}.
 *
 * <p>To ask takes as long as a small request to the kernel. Of small pages it is asked when the
 * program did something else since its last request, as wait for another process, and now and then.
 * Races between threads ask or forget once more.
 */
final class Agreement {
    /** Why there are no pages, in words. */
    static final String CHANGED = "the file is changed elsewhere";

    private static final long PAUSE_NANOS = 5_000;
    private static final long MOST_NANOS = 100_000;

    /** From one look whether others still write to the next. */
    private static final long CALM_NANOS = 10_000_000;

    /** So many of them until they are taken to do so for good. */
    private static final int CALM_LOOKS = 300;

    private static final long UNKNOWN = -1;

    private final KernelCache kernel;
    private final OpenRequest.Place place;

    /** Of the last change of the file, which all its pages were read after. */
    private volatile long stamp = UNKNOWN;

    /** Others have changed it while there were pages. */
    private volatile boolean over;

    private long asked;
    private long agreed;

    /** Before there are pages: of the last change that others made. */
    private volatile long others = UNKNOWN;

    private long calmLooked;
    private int calmLooks;

    Agreement(KernelCache kernel, OpenRequest.Place place) {
        this.kernel = kernel;
        this.place = place;
    }

    /** True if pages are of no use any more, nor later. */
    boolean isOver() {
        return over;
    }

    /**
     * A request is about to be made of pages: they are forgotten if the file has changed since they
     * were read. Within the gate.
     *
     * @param past they are read past the kernel's cache: looked at each time
     */
    void before(PfLayer pages, boolean past) throws IOException {
        if (past || isDue()) {
            agree(pages);
        }
    }

    private boolean isDue() {
        long now = kernel.nanos();
        long since = now - asked;
        asked = now;
        if (since < PAUSE_NANOS && now - agreed < MOST_NANOS) {
            return stamp == UNKNOWN;
        }
        agreed = now;
        return true;
    }

    /** True if the file has not changed. Pages that others have changed serve nothing any more. */
    private boolean agree(PfLayer pages) throws IOException {
        long changed = kernel.changedNanos();
        long known = stamp;
        if (changed != UNKNOWN && changed == known) {
            return true;
        }
        pages.forget();
        over |= known != UNKNOWN;
        know(over ? UNKNOWN : changed);
        return false;
    }

    /** What is read from now on has the change of this time, and will show another one. */
    private void know(long changed) {
        boolean sure = changed != UNKNOWN && ChangeStamp.isSure(place.type(), changed);
        stamp = sure ? changed : UNKNOWN;
    }

    /**
     * The program is about to change the file.
     *
     * @param pages by which it does so, with the gate held alone; null: there are none
     * @return what {@link #wrote} is to be told
     */
    boolean writes(PfLayer pages) throws IOException {
        if (pages != null) {
            return agree(pages);
        }
        if (stamp == UNKNOWN) {
            return false;
        }
        look();
        return true;
    }

    /**
     * It has. Past the kernel's cache what is kept ends with it: that others have written at the
     * same time would not show.
     */
    void wrote(PfLayer pages, boolean past, boolean agrees) {
        if (pages != null && past) {
            forget(pages);
        }
        if (agrees) {
            know(kernel.changedNanos());
        } else if (pages != null) {
            know(UNKNOWN);
        }
    }

    private static void forget(PfLayer pages) {
        try {
            pages.forget();
        } catch (IOException e) {
            // The size is not known: the next request meets that.
        }
    }

    /** What the program writes itself is over when it goes on. */
    private void look() {
        long changed = kernel.changedNanos();
        if (changed == UNKNOWN || changed != stamp) {
            others = changed;
            stamp = changed;
        }
    }

    /** Pages are wanted: true if no other process can be writing the file. */
    boolean isCalm() {
        long now = kernel.nanos();
        if (calmLooks > 0 && now - calmLooked < CALM_NANOS) {
            return false;
        }
        calmLooked = now;
        calmLooks++;
        look();
        return others != UNKNOWN && ChangeStamp.isOver(place.type(), others);
    }

    /** It never was, each time that it was looked: there will be no pages. */
    boolean isNeverCalm() {
        return calmLooks > CALM_LOOKS;
    }
}
