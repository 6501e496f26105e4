package io.mio.pf;

/**
 * What happens to pages when the file changes below them. All methods are called under the lock of
 * the cache. Dirty sectors stay: they are this process's own, and younger.
 */
final class Invalidation {
    private Invalidation() {}

    /**
     * These bytes have changed: their clean sectors are out of date, and so is what is being read
     * of them.
     */
    static void forget(CachedFile file, PageCache cache, long from, long to) {
        file.changed();
        int sector = file.sectorBytes();
        for (Page page : file.pages().in(from, to)) {
            int first = (int) Math.max(0, (from - page.start) / sector);
            long end = Math.min(cache.pageBytes(), to - page.start);
            int last = (int) ((end + sector - 1) / sector);
            for (PageIo io = page.ios; io != null; io = io.next) {
                io.stale |= !io.write && io.fromSector < last && first < io.toSector;
            }
            for (int at = first; at < last; at++) {
                if (!page.dirty.get(at) && page.onItsWay(at, at + 1, true) == null) {
                    page.valid.clear(at);
                }
            }
            page.validChanged(sector);
            dropIfEmpty(cache, page);
        }
    }

    private static void dropIfEmpty(PageCache cache, Page page) {
        if (page.valid.isEmpty()) {
            // A later read of the page tells nothing of how many pages there should be.
            page.left = false;
            cache.drop(page);
        }
    }

    /** The file was cut; no request is on its way. */
    static void cut(CachedFile file, PageCache cache, long size) {
        int sector = file.sectorBytes();
        for (Page page : file.pages().in(size, Long.MAX_VALUE)) {
            int kept = (int) Math.max(0, size - page.start);
            int firstGone = (kept + sector - 1) / sector;
            int sectors = cache.pageBytes() / sector;
            page.dirty.clear(firstGone, sectors);
            page.valid.clear(firstGone, sectors);
            PageIo.zero(page.frame, kept, firstGone * sector);
            page.validChanged(sector);
            cache.dirtyPages.cleaned(page);
            dropIfEmpty(cache, page);
        }
        file.reservation().cut(file.sizeBytes(), size);
        file.sized(Math.min(size, file.sizeBytes()));
    }

    /** Others made the file longer or shorter; nothing is dirty. */
    static void resized(CachedFile file, PageCache cache, long size) {
        long known = file.sizeBytes();
        long end = Math.min(known, size);
        // Behind the old end the last sector was filled with zeros.
        forget(file, cache, end, Long.MAX_VALUE);
        file.reservation().cut(known, size);
        file.sized(size);
    }

    /** The file has no pages any more; what is dirty is lost, and the program was told. */
    static void dropAll(CachedFile file, PageCache cache) {
        for (Page page : file.pages().in(0, Long.MAX_VALUE)) {
            if (page.file == file) {
                page.dirty.clear();
                cache.dirtyPages.cleaned(page);
                cache.dropSurely(file, page);
            }
        }
    }
}
