package io.mio.cli.simulate;

import java.util.HashMap;
import java.util.Map;

/**
 * The part of a file that is in the kernel's cache, or on its way there because the kernel got a
 * hint: pages of 4 KB, which are never evicted.
 */
final class KernelPages {
    static final int PAGE_BYTES = 4096;

    /** Number of the last page that is tracked, at 4 TB of the file. */
    private static final long LAST = Integer.MAX_VALUE / 2;

    private final PageSet there = new PageSet();

    /**
     * Pages that the kernel got a hint for and the program has not read yet, with their arrival
     * times.
     */
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

    /**
     * Number of the page that holds this byte; the last number for all bytes beyond the last page.
     */
    static int number(long offset) {
        return (int) Math.min(LAST, offset / PAGE_BYTES);
    }

    /**
     * Returns whether the page is there or on its way; pages beyond the last one are taken to be
     * there.
     */
    boolean has(long page) {
        return page > LAST || there.has((int) page) || told.containsKey((int) page);
    }

    /** The kernel got a hint for this page, which arrives at {@code nanos}. */
    void comes(long page, long nanos) {
        if (page <= LAST) {
            told.put((int) page, nanos);
        }
    }

    /**
     * The program reads these bytes: all of them are there from now on.
     *
     * @return when the last page arrives that the kernel got a hint for; -1 if there is none, or if
     *     it got no hint for some of what was not there
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
