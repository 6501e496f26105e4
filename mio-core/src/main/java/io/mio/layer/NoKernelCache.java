package io.mio.layer;

/**
 * Where the kernel's cache is told nothing.
 *
 * @param why in words, where a user can change that; null else
 */
public record NoKernelCache(String why) implements KernelCache {
    /** Where there is nothing to be gained, or nobody asks. */
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
