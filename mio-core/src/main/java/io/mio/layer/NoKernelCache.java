package io.mio.layer;

/**
 * A kernel's cache that is told nothing.
 *
 * @param why the reason in words, where a user can change it; else null
 */
public record NoKernelCache(String why) implements KernelCache {
    /** For files where nothing is gained by telling the kernel, or nobody asks for it. */
    public static final KernelCache PLAIN = new NoKernelCache(null);

    @Override
    public int has(long offset, long bytes) {
        return UNKNOWN;
    }

    @Override
    public boolean readAhead(long offset, long bytes) {
        return false;
    }

    @Override
    public long reachBytes() {
        return 0;
    }
}
