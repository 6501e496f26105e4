package io.mio.pf;

/** Finds the page of a file among the frames of a cache, without allocation. */
final class PageTable {
    private final Page[] chains;

    /** A table for this many frames. */
    PageTable(int frames) {
        chains = new Page[Integer.highestOneBit(Math.max(1, frames) * 2 - 1) * 2];
    }

    Page find(CachedFile file, long index) {
        for (Page page = chains[slot(file, index)]; page != null; page = page.chained) {
            if (page.index == index && page.file == file) {
                return page;
            }
        }
        return null;
    }

    void add(Page page) {
        int slot = slot(page.file, page.index);
        page.chained = chains[slot];
        chains[slot] = page;
    }

    void remove(Page gone) {
        int slot = slot(gone.file, gone.index);
        if (chains[slot] == gone) {
            chains[slot] = gone.chained;
        } else {
            Page page = chains[slot];
            while (page.chained != gone) {
                page = page.chained;
            }
            page.chained = gone.chained;
        }
        gone.chained = null;
    }

    private int slot(CachedFile file, long index) {
        long mixed = (index + file.number() * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return (int) (mixed >>> 33) & chains.length - 1;
    }
}
