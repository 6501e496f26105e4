package io.mio.pf;

import io.mio.layer.FileKey;
import io.mio.layer.Layer.IoCall;
import java.io.IOException;

/** One file of this process and its pages, shared by all its opens. */
public final class CachedFile {
    private final FileKey key;
    private final FileGate gate = new FileGate();

    /** Changed by {@link CachedFiles} alone. */
    int opens;

    CachedFile(FileKey key) {
        this.key = key;
    }

    /** What it is known by, or null. */
    public FileKey key() {
        return key;
    }

    /** The lock that requests of the program take, see {@link #isGated}. */
    public FileGate gate() {
        return gate;
    }

    /** True if requests take the gate: the file has pages. */
    public boolean isGated() {
        return isCached();
    }

    /** True while an open with a cache has it open: its bytes may differ from the kernel's. */
    public boolean isCached() {
        return false;
    }

    /**
     * Brings the file up to date: everything written so far is with the kernel when this returns.
     * To be called before anything that shows the file to others: attributes are read or set, it is
     * renamed, linked, copied.
     *
     * @throws IOException if a page cannot be written; the file keeps it
     */
    public void publish() throws IOException {}

    /**
     * Runs an open that cuts the file to nothing, alone: no page request is on its way meanwhile,
     * and if it succeeds all pages are forgotten.
     */
    public <T> T truncating(IoCall<T> open) throws IOException {
        return open.call();
    }
}
