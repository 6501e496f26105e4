package io.mio.pf;

import io.mio.layer.KernelCache;
import io.mio.layer.OpenRequest;
import java.io.IOException;

/**
 * Whether others have changed a file that an open under {@code pf/auto} has pages of. Who reads a
 * file through the kernel sees what other processes have written by then, and programs rely on it:
 * a database whose processes tell each other where nobody sees it. So what is in the pages is given
 * out only as long as the time of the file's last change is the one that they were read after. Twin
 * of {@code pf_auto_agree.c}.
 *
 * <p>To ask takes as long as a small request to the kernel. Of small pages it is asked when the
 * program did something else since its last request, as wait for another process, and now and then.
 * Races between threads ask or forget once more.
 */
final class Agreement {
    private static final long PAUSE_NANOS = 5_000;
    private static final long MOST_NANOS = 100_000;
    private static final long UNKNOWN = -1;

    private final KernelCache kernel;
    private final OpenRequest.Place place;

    /** Of the last change of the file, which all its pages were read after. */
    private volatile long stamp = UNKNOWN;

    private long asked;
    private long agreed;

    /** Nobody else had changed it when the program began to write, and small pages may stay. */
    private boolean agrees;

    Agreement(KernelCache kernel, OpenRequest.Place place) {
        this.kernel = kernel;
        this.place = place;
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
            return false;
        }
        agreed = now;
        return true;
    }

    /** True if the file has not changed. */
    private boolean agree(PfLayer pages) throws IOException {
        long changed = kernel.changedNanos();
        if (changed != UNKNOWN && changed == stamp) {
            return true;
        }
        pages.forget();
        know(changed);
        return false;
    }

    /**
     * The program is about to change the file by them. Past the kernel's cache what is kept ends
     * with it: that others have written at the same time would not show. The gate is held alone.
     */
    void writes(PfLayer pages, boolean past) throws IOException {
        agrees = agree(pages) && !past;
    }

    /** It has. */
    void wrote() {
        know(agrees ? kernel.changedNanos() : UNKNOWN);
    }

    /** What is read from now on has the change of this time, and will show another one. */
    private void know(long changed) {
        boolean sure = changed != UNKNOWN && ChangeStamp.isSure(place.type(), changed);
        stamp = sure ? changed : UNKNOWN;
    }
}
