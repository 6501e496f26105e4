package io.mio.pf;

/**
 * Ends what a lock of a mapped file has begun for the rest of the process: other tests go on in it.
 */
public final class Sharing {
    private Sharing() {}

    public static void end() {
        CachedFiles.shareNoMore();
    }
}
