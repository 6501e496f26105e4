package io.mio.pf;

import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Requests that go to the next layer at once: all of an open without a cache, large ones, a part of
 * the file that is not cached, and writes that must not wait. Pages and file agree before and
 * after: what is dirty is written first, and a write brings the pages that are there up to date.
 */
final class PastCache {
    private PastCache() {}

    /** Reads from the next layer what the file would hold if all was written. */
    static int read(CachedFile file, Layer next, ByteBuffer dst, long offset) throws IOException {
        WriteOut.all(file);
        next.seek(offset);
        return next.read(dst, offset);
    }

    /** Writes to the next layer; {@link Layer#APPEND} as everywhere. */
    static int write(CachedFile file, Layer next, ByteBuffer src, long offset) throws IOException {
        // An end that only pages know would make an append go to the wrong place.
        WriteOut.all(file);
        ByteBuffer bytes = src.duplicate();
        if (offset != Layer.APPEND) {
            next.seek(offset);
        }
        int written;
        try {
            written = next.write(src, offset);
        } catch (IOException | RuntimeException | Error e) {
            changed(file, offset == Layer.APPEND ? 0 : offset, bytes.remaining(), next);
            throw e;
        }
        PageCache cache = file.cache();
        if (cache == null || written <= 0) {
            return written;
        }
        if (offset == Layer.APPEND) {
            // Where it went only the kernel knows.
            long end = next.size();
            cache.lock.lock();
            try {
                Invalidation.resized(file, cache, Math.max(end, file.sizeBytes()));
            } finally {
                cache.lock.unlock();
            }
        } else {
            bytes.limit(bytes.position() + written);
            update(file, cache, bytes, offset);
        }
        return written;
    }

    /** A failed write may have changed anything it was to write. */
    private static void changed(CachedFile file, long offset, long length, Layer next) {
        PageCache cache = file.cache();
        if (cache != null) {
            cache.lock.lock();
            try {
                Invalidation.forget(
                        file, cache, offset, offset == 0 ? Long.MAX_VALUE : offset + length);
            } finally {
                cache.lock.unlock();
            }
            try {
                file.refresh(next::size);
            } catch (IOException e) {
                // The write has failed already.
            }
        }
    }

    /** The pages that are there get the bytes that were written. */
    private static void update(CachedFile file, PageCache cache, ByteBuffer bytes, long offset) {
        int pageBytes = cache.pageBytes();
        int sector = file.sectorBytes();
        long end = offset + bytes.remaining();
        cache.lock.lock();
        try {
            if (end > file.sizeBytes()) {
                // Sectors behind the old end were zeros and still are.
                file.sized(end);
            } else {
                file.changed();
            }
            for (long index = offset / pageBytes; index * pageBytes < end; index++) {
                Page page = cache.find(file, index);
                if (page == null) {
                    continue;
                }
                int from = (int) Math.max(0, offset - page.start);
                int to = (int) Math.min(pageBytes, end - page.start);
                int at = (int) (page.start + from - offset) + bytes.position();
                for (int s = from / sector; s * sector < to; s++) {
                    boolean reading = page.onItsWay(s, s + 1, false) != null;
                    if (!page.valid.get(s) || reading) {
                        continue;
                    }
                    int first = Math.max(from, s * sector);
                    int last = Math.min(to, (s + 1) * sector);
                    page.frame.put(first, bytes, at + first - from, last - first);
                }
                for (PageIo io = page.ios; io != null; io = io.next) {
                    io.stale |=
                            !io.write && io.fromSector * sector < to && from < io.toSector * sector;
                }
            }
        } finally {
            cache.lock.unlock();
        }
    }
}
