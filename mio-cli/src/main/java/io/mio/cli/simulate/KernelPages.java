package io.mio.cli.simulate;

import java.util.HashMap;
import java.util.Map;

/**
 * What of a file is in the kernel's cache, or on its way there because the kernel was told to read
 * it: pages of 4 KB, which never give way.
 */
final class KernelPages {
    static final int PAGE_BYTES = 4096;

    /** Nothing is known of bytes so far behind: 4 TB. */
    private static final long LAST = Integer.MAX_VALUE / 2;

    private final PageSet there = new PageSet();

    /** Told of and not read by the program yet: when they have come. */
    private final Map<Integer, Long> told = new HashMap<>();

    /** True if all these bytes are there or on their way. */
    boolean has(long offset, long bytes) {
        for (long page = offset / PAGE_BYTES; page * PAGE_BYTES < offset + bytes; page++) {
            if (!has(page)) {
                return false;
            }
        }
        return true;
    }

    /** Number of the page that has this byte; the last one for all that are too far behind. */
    static int number(long offset) {
        return (int) Math.min(LAST, offset / PAGE_BYTES);
    }

    /** One page; those that are too far behind are taken to be there. */
    boolean has(long page) {
        return page > LAST || there.has((int) page) || told.containsKey((int) page);
    }

    /** This page comes then. */
    void comes(long page, long nanos) {
        if (page <= LAST) {
            told.put((int) page, nanos);
        }
    }

    /**
     * The program reads: all of it is there from now on.
     *
     * @return when the last byte that was told of comes; -1 if the kernel was not told of all that
     *     was not there
     */
    long read(long offset, long bytes) {
        boolean all = has(offset, bytes);
        long latest = -1;
        for (long page = offset / PAGE_BYTES;
                page <= LAST && page * PAGE_BYTES < offset + bytes;
                page++) {
            Long comes = told.remove((int) page);
            latest = comes == null ? latest : Math.max(latest, comes);
            there.add((int) page);
        }
        return all ? latest : -1;
    }
}
