package io.mio.pf;

/**
 * What of a file goes past its pages by the options of an open: a part of the file, and large
 * requests. Pure.
 */
final class Uncached {
    /** Requests of at least this length are large, bytes; 0: none is. */
    private final long largeBytes;

    // The part, in whole sectors, so that no page ever writes into it.
    private final long from;
    private final long to;

    Uncached(PfOptions options, int sector) {
        long start = options.uncachedFrom();
        long end = options.uncachedTo();
        boolean isPart = end > start;
        this.largeBytes = options.pastBytes();
        this.from = isPart ? start / sector * sector : Long.MAX_VALUE;
        this.to = isPart && end <= Long.MAX_VALUE - sector ? PfOptions.roundUp(end, sector) : end;
    }

    /** True if nothing of a request is cached. */
    boolean holds(long offset, long length) {
        return (largeBytes > 0 && length >= largeBytes)
                || (offset >= from && offset + length <= to);
    }

    /** True if a request reaches into the part. */
    boolean touches(long offset, long length) {
        return offset < to && offset + length > from;
    }

    /** End of the stretch from {@code offset} that is cached throughout, or not at all. */
    long stretchEnd(long offset, long end) {
        if (offset < from) {
            return Math.min(end, from);
        }
        return offset < to ? Math.min(end, to) : end;
    }
}
