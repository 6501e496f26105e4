package io.mio.pf;

/** Ends what a lock of a mapped file began for the whole process, in which other tests go on. */
public final class Sharing {
    private Sharing() {}

    public static void end() {
        CachedFiles.shareNoMore();
    }
}
