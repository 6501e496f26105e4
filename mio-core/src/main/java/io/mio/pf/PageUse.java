package io.mio.pf;

import io.mio.layer.FileKey;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the pages of a file may be used for: nothing, reads alone, or writes too, which then go to
 * the next layer later.
 */
final class PageUse {
    private final Beside beside;

    /** All requests go past the pages: the file is mapped for writing. */
    private volatile boolean past;

    /**
     * Writes go down at once: the file is mapped, a part of it was locked, a write failed, or space
     * cannot be set aside.
     */
    private volatile boolean through;

    /** Writes go down at once as long as opens from before the pages may write past them. */
    private volatile boolean besideWriters;

    /** Number of transfers that are bringing bytes past the pages. */
    private final AtomicInteger incoming = new AtomicInteger();

    PageUse(Beside beside) {
        this.beside = beside;
    }

    /** The file gets pages. */
    void begin(FileKey key) {
        past = CachedFiles.isMapped(key);
        through = past || CachedFiles.isMappedForReading(key);
    }

    /** True if nothing may be kept in pages, so that every request goes past them. */
    boolean isPast() {
        return past || beside.isPast();
    }

    /** True if writes go down at once. */
    boolean isThrough() {
        return through || besideWriters || incoming.get() > 0 || beside.isThrough();
    }

    /** True if writes go down at once for as long as the file has pages. */
    boolean isThroughForGood() {
        return through;
    }

    /** Makes writes go down at once from now on. */
    void goThrough() {
        through = true;
    }

    /** Ends the use of pages: whoever has the mapping changes the file without telling. */
    void goPast() {
        through = true;
        past = true;
    }

    /** Adds to the transfers that bring bytes past the pages: writes go down at once meanwhile. */
    void incoming(int more) {
        incoming.addAndGet(more);
    }

    /** Opens from before the pages may write past them. */
    void besideWriters() {
        besideWriters = true;
    }

    /** An open has ended. */
    void ended() {
        if (besideWriters && !beside.mayBeWritten()) {
            besideWriters = false;
        }
    }
}
