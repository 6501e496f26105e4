package io.mio.pf;

import io.mio.layer.Layer.IoCall;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The pages of an open under {@code pf/auto}. There are none until the open wants some. Pages come,
 * and go when they are of no use any more, with the gate of the file held alone.
 */
final class AutoPages {
    /**
     * The most opens of the process that have pages at the same time. Each has a megabyte at first
     * and more later, or many megabytes past the kernel's cache.
     */
    private static final int OPENS_MAX = 16;

    /** The reason given where nothing may be kept in pages. */
    private static final String PAST = "others write the file past MIO, or have it mapped";

    static final AtomicInteger PAGED = new AtomicInteger();

    private final HintLayer kernel;
    private final PageChoice choice;

    /** Null where the file is never read past the kernel's cache. */
    private final DirectLook direct;

    private final AutoLayer.Cache cache;
    private final Agreement agreement;
    private final AutoLog log;

    /** The pages that serve; null while the kernel serves. */
    private volatile PfLayer pages;

    /** Judges the pages; set before there are any. */
    private PageWorth worth;

    /** Decides how many small pages there should be. */
    private final PageGrowth growth = new PageGrowth();

    /** Pages that are of no use any more, to be closed when the gate is held alone. */
    private volatile PfLayer given;

    /** The error that closing the pages failed with, for the close of the file. */
    private IOException failure;

    AutoPages(
            HintLayer kernel,
            PageChoice choice,
            DirectLook direct,
            AutoLayer.Cache cache,
            Agreement agreement,
            AutoLog log) {
        this.kernel = kernel;
        this.choice = choice;
        this.direct = direct;
        this.cache = cache;
        this.agreement = agreement;
        this.log = log;
    }

    /** The pages that serve, or null while there are none. */
    PfLayer now() {
        return pages;
    }

    /**
     * The pages that serve the read of {@code length} bytes that is about to be made. Null if the
     * kernel does: it then has what other opens of the file have written into the same pages.
     */
    PfLayer reading(long length) throws IOException {
        PfLayer has = pages;
        if (has == null) {
            return null;
        }
        if (!agreement.before(has, isPast())) {
            giveUpIfOver(has);
            has.writeOut();
            return null;
        }
        if (has.isPast()) {
            // Each request would go past the pages, by way of them.
            giveUp(has, PAST);
        } else if (!worth.serves(length)) {
            giveUp(has, worth.words());
        } else if (worth instanceof PageWorth.OfRequests small && small.isJudged()) {
            grow(has, small);
        }
        return has;
    }

    private void giveUpIfOver(PfLayer has) {
        if (agreement.isOver()) {
            giveUp(has, Agreement.CHANGES);
        }
    }

    /** To be called before a write, whether it goes through the pages or past them. */
    void writes() throws IOException {
        PfLayer has = pages;
        if (has != null) {
            agreement.writes(has, isPast());
            giveUpIfOver(has);
        }
    }

    /** To be called after a write that was done or has failed. */
    void wrote() {
        PfLayer has = pages;
        if (has != null || mayBe()) {
            agreement.wrote(has, isPast());
        }
    }

    private boolean isPast() {
        return worth instanceof PageWorth.OfBytes;
    }

    private synchronized void grow(PfLayer has, PageWorth.OfRequests small) {
        int now = has.grow(growth, small.requests(), small.pageReads());
        // Unless the pages were given up meanwhile.
        if (now > 0 && pages == has) {
            log.pages(
                    now
                            + " of "
                            + has.pageBytes() / 1024
                            + " KiB: the program came back to pages that had given way");
        }
    }

    /** True if nothing stands between the program and the kernel. */
    boolean areGone() {
        return pages == null && given == null;
    }

    /** True if there are pages, or may be some later. */
    boolean mayBe() {
        return choice.state() != PageChoice.State.KERNEL
                || (direct != null && direct.isOpen())
                || !areGone();
    }

    /** True if {@link #settle} has something to do. */
    boolean isDue() {
        return given != null || (pages == null && (wantsSmall() || wantsDirect()) && isCalm());
    }

    private boolean isCalm() {
        if (!agreement.isOver() && agreement.isCalm(null)) {
            return true;
        }
        if (agreement.isOver()) {
            log.noPages(Agreement.CHANGES);
            leaveToKernel();
        }
        return false;
    }

    private void leaveToKernel() {
        choice.kernel();
        if (direct != null) {
            direct.over();
        }
    }

    private boolean wantsSmall() {
        return choice.state() == PageChoice.State.PAGES;
    }

    private boolean wantsDirect() {
        return direct != null && direct.isChosen();
    }

    /** Takes or closes the pages, whichever is due. The gate is held alone. */
    void settle() throws ClosedChannelException {
        if (given != null) {
            leave(given);
            given = null;
        } else if (pages == null && wantsSmall()) {
            takeSmall();
        } else if (pages == null && wantsDirect()) {
            takeDirect();
        }
    }

    private void takeSmall() throws ClosedChannelException {
        String reason = choice.reason();
        PfLayer made = null;
        String why = enter();
        if (why == null) {
            PagesBelow below = new PagesBelow(kernel);
            worth = new PageWorth.OfRequests(below);
            made = made(() -> cache.make(below));
        }
        took(made, why, reason, "");
        if (pages == null) {
            choice.kernel();
        } else if (direct != null) {
            direct.over();
        }
    }

    private void takeDirect() throws ClosedChannelException {
        String reason = direct.reason();
        PfLayer made = null;
        String why = enter();
        if (why == null) {
            why = cache.openDirect(direct.roomNow());
        }
        if (why == null) {
            // What is read past the kernel's cache needs no hints.
            PagesBelow below = new PagesBelow(kernel.next());
            made = made(() -> cache.makeDirect(below));
            if (made != null) {
                worth = new PageWorth.OfBytes(made, below, direct, cache.sizes());
            }
        }
        if (made != null && made.pageBytes() != cache.sizes().page()) {
            // With small pages each page read would be a request to the device.
            drop(made);
            made = null;
            why = "another open of the file has other pages";
        }
        took(made, why, reason, "past the kernel's cache: ");
        if (pages == null) {
            direct.over();
        } else {
            choice.kernel();
        }
    }

    /** Counts this open among those with pages. Returns null, or why it can have none. */
    private String enter() {
        return cache.paged().incrementAndGet() > OPENS_MAX
                ? OPENS_MAX + " opens of the process have some"
                : null;
    }

    /**
     * Calls {@code maker}; returns null where that fails: the kernel serves the file as before.
     *
     * @throws ClosedChannelException if an interrupt has closed the file: for the program's call
     */
    private PfLayer made(IoCall<PfLayer> maker) throws ClosedChannelException {
        try {
            return maker.call();
        } catch (ClosedChannelException e) {
            cache.paged().decrementAndGet();
            throw e;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /**
     * Takes {@code made} into use, or notes why there are no pages. To be called after {@link
     * #enter}.
     */
    private void took(PfLayer made, String why, String reason, String way)
            throws ClosedChannelException {
        if (made != null && !made.isPast()) {
            cache.used(made, reason);
            pages = made;
            log.pages(way + reason);
            forget(made);
            return;
        }
        String whyNot = why == null ? "there is no memory or no descriptor for them" : why;
        if (made != null) {
            drop(made);
            whyNot = PAST;
        }
        cache.paged().decrementAndGet();
        log.noPages(whyNot + ", though " + reason);
    }

    /** Other opens that share the pages may not have seen yet that others have changed the file. */
    private static void forget(PfLayer made) throws ClosedChannelException {
        try {
            made.forget();
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // The size is not known: a request meets the error.
        }
    }

    /** Closes pages that were just made and that nothing has gone into. */
    private void drop(PfLayer made) {
        cache.giveUp();
        close(made);
    }

    /** Gives the pages up for good. Nothing is lost, as the kernel has all that they have. */
    private synchronized void giveUp(PfLayer has, String why) {
        if (pages != has) {
            return;
        }
        given = has;
        leaveToKernel();
        cache.giveUp();
        pages = null;
        log.noPages(why);
    }

    private void leave(PfLayer has) {
        cache.paged().decrementAndGet();
        close(has);
    }

    private void close(PfLayer has) {
        try {
            has.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
    }

    /**
     * To be called when the file is closed.
     *
     * @throws IOException of a write behind that failed, by whatever open
     */
    void close() throws IOException {
        PfLayer has = pages == null ? given : pages;
        if (has != null) {
            leave(has);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
