package io.mio.cli.simulate;

import java.util.Arrays;

/**
 * The pages of one cache in the order in which the program wanted them. What follows one another in
 * one page is one entry. 16 bytes for each entry, and 16 to 32 for each page.
 */
final class References {
    private static final int FIRST = 256;

    private static final int ENTRIES_MAX = 1 << 29;

    private int[] pages = new int[FIRST];

    /** First sector, and in the lowest bit whether it is written. */
    private int[] from = new int[FIRST];

    private int[] to = new int[FIRST];
    private int count;
    private long reads;
    private boolean overflowed;

    // Numbers of pages: a table with open addresses.
    private int[] tableFiles = new int[FIRST];
    private long[] tableIndexes = new long[FIRST];
    private int[] tablePages = new int[FIRST];
    private int pageCount;

    /**
     * A page is wanted.
     *
     * @param file a number for the file
     * @param index of the page in the file
     * @param fromSector first sector of the page that is wanted
     * @param toSector behind the last one
     * @param room entries that there is memory for
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

    /** True if there were too many to keep them. */
    boolean isOverflowed() {
        return overflowed;
    }

    /** How often a page was wanted to be read. */
    long reads() {
        return reads;
    }

    /** Entries. */
    int count() {
        return count;
    }

    /** Different pages. */
    int pages() {
        return pageCount;
    }

    /** Number of the page, 0-based. */
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
