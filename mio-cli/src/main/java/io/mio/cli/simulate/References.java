package io.mio.cli.simulate;

import java.util.Arrays;

/**
 * The pages of one cache, in the order in which the program wanted them. Requests that follow each
 * other in one page are one entry. Takes 12 to 24 bytes for each entry, and 32 to 64 for each page.
 */
final class References {
    private static final int FIRST = 256;

    private static final int ENTRIES_MAX = 1 << 29;

    private int[] pages = new int[FIRST];

    /**
     * First sector of each entry, shifted left by one; the lowest bit says whether it is a write.
     */
    private int[] from = new int[FIRST];

    private int[] to = new int[FIRST];
    private int count;
    private long reads;
    private boolean overflowed;

    // The numbers of pages, in a hash table with open addressing.
    private int[] tableFiles = new int[FIRST];
    private long[] tableIndexes = new long[FIRST];
    private int[] tablePages = new int[FIRST];
    private int pageCount;

    /**
     * Adds a request for a page.
     *
     * @param file a number for the file
     * @param index of the page in the file
     * @param fromSector first sector of the page that is wanted
     * @param toSector the sector behind the last one that is wanted
     * @param room number of entries for which there is memory
     */
    void add(int file, long index, int fromSector, int toSector, boolean write, long room) {
        reads += write ? 0 : 1;
        if (overflowed) {
            return;
        }
        int page = number(file, index);
        int last = count - 1;
        if (last >= 0
                && pages[last] == page
                && isWrite(last) == write
                && fromSector <= to[last]
                && toSector >= from(last)) {
            from[last] = Math.min(from(last), fromSector) << 1 | (write ? 1 : 0);
            to[last] = Math.max(to[last], toSector);
            return;
        }
        if (room <= 0 || count >= ENTRIES_MAX) {
            overflowed = true;
            forget();
            return;
        }
        if (count == pages.length) {
            pages = Arrays.copyOf(pages, 2 * count);
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
        }
        pages[count] = page;
        from[count] = fromSector << 1 | (write ? 1 : 0);
        to[count++] = toSector;
    }

    private void forget() {
        count = 0;
        pages = new int[0];
        from = pages;
        to = pages;
        tableFiles = pages;
        tablePages = pages;
        tableIndexes = new long[0];
    }

    private int number(int file, long index) {
        if (pageCount > tableFiles.length / 2) {
            grow();
        }
        int at = place(file, index);
        if (tablePages[at] == 0) {
            tableFiles[at] = file;
            tableIndexes[at] = index;
            tablePages[at] = ++pageCount;
        }
        return tablePages[at] - 1;
    }

    private int place(int file, long index) {
        int mask = tableFiles.length - 1;
        long mixed = (index * 31 + file) * 0x9E3779B97F4A7C15L;
        int at = (int) (mixed >>> 33) & mask;
        while (tablePages[at] != 0 && (tableIndexes[at] != index || tableFiles[at] != file)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        int[] files = tableFiles;
        long[] indexes = tableIndexes;
        int[] numbers = tablePages;
        tableFiles = new int[2 * files.length];
        tableIndexes = new long[2 * files.length];
        tablePages = new int[2 * files.length];
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != 0) {
                int at = place(files[i], indexes[i]);
                tableFiles[at] = files[i];
                tableIndexes[at] = indexes[i];
                tablePages[at] = numbers[i];
            }
        }
    }

    /** True if there were too many entries to keep; then none is left. */
    boolean isOverflowed() {
        return overflowed;
    }

    /** How often a page was wanted for reading. */
    long reads() {
        return reads;
    }

    /** Number of entries. */
    int count() {
        return count;
    }

    /** Number of different pages. */
    int pages() {
        return pageCount;
    }

    /** Number of the entry's page, 0-based. */
    int page(int entry) {
        return pages[entry];
    }

    boolean isWrite(int entry) {
        return (from[entry] & 1) != 0;
    }

    int from(int entry) {
        return from[entry] >> 1;
    }

    int to(int entry) {
        return to[entry];
    }
}
