package io.mio.pf;

import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Requests that go to the next layer at once: all of an open without a cache, large requests, those
 * for a part of the file that is not cached, and writes that must not wait. Pages and file agree
 * before and after: what is dirty is written first, and a write brings the pages that are there up
 * to date.
 */
final class PastCache {
    private PastCache() {}

    /** Serves a read of an open with the cache, which is counted as a request of the cache. */
    static int readCounted(CachedFile file, Layer next, ByteBuffer dst, long offset)
            throws IOException {
        int bytes = read(file, next, dst, offset);
        PageCache cache = file.cache();
        if (cache != null) {
            cache.lock.lock();
            try {
                file.counters().readPast(Math.max(0, bytes));
                cache.counters.readPast(Math.max(0, bytes));
            } finally {
                cache.lock.unlock();
            }
        }
        return bytes;
    }

    /** The same for a write. */
    static int writeCounted(CachedFile file, Layer next, ByteBuffer src, long offset)
            throws IOException {
        int written = write(file, next, src, offset);
        countWrite(file, written);
        return written;
    }

    /** The same for a write of several buffers. */
    static long writeCounted(
            CachedFile file, Layer next, ByteBuffer[] srcs, int from, int count, long offset)
            throws IOException {
        long written = write(file, next, srcs, from, count, offset);
        countWrite(file, written);
        return written;
    }

    private static void countWrite(CachedFile file, long written) {
        PageCache cache = file.cache();
        if (cache != null && written > 0) {
            cache.lock.lock();
            try {
                file.counters().pageWritten(written);
                cache.counters.pageWritten(written);
            } finally {
                cache.lock.unlock();
            }
        }
    }

    /**
     * Reads from the next layer what the file would hold if everything were written. Reads up to
     * the end of the file and no further: direct I/O writes zeros to memory for what lies behind
     * the end in the last sector.
     */
    private static int read(CachedFile file, Layer next, ByteBuffer dst, long offset)
            throws IOException {
        WriteOut.all(file);
        int limit = dst.limit();
        if (dst.remaining() > file.sizeBytes() - offset) {
            long bytes = file.refresh(next::size) - offset;
            if (bytes > 0) {
                dst.limit(dst.position() + (int) Math.min(dst.remaining(), bytes));
            }
        }
        try {
            next.seek(offset);
            return next.read(dst, offset);
        } finally {
            dst.limit(limit);
        }
    }

    /** Writes to the next layer; {@link Layer#APPEND} means the same as everywhere. */
    static int write(CachedFile file, Layer next, ByteBuffer src, long offset) throws IOException {
        begin(file, next, offset, offset != Layer.APPEND);
        ByteBuffer bytes = src.duplicate();
        int written;
        try {
            written = next.write(src, offset);
        } catch (IOException | RuntimeException | Error e) {
            changed(file, offset == Layer.APPEND ? 0 : offset, bytes.remaining(), next);
            throw e;
        }
        PageCache cache = behind(file, next, offset, written);
        if (cache != null) {
            cache.lock.lock();
            try {
                update(file, cache, bytes.limit(bytes.position() + written), offset);
            } finally {
                cache.lock.unlock();
            }
        }
        return written;
    }

    /** The same for several buffers, as one request. */
    static long write(
            CachedFile file, Layer next, ByteBuffer[] srcs, int from, int count, long offset)
            throws IOException {
        begin(file, next, offset, offset != Layer.APPEND);
        ByteBuffer[] parts = new ByteBuffer[count];
        long length = 0;
        for (int i = 0; i < count; i++) {
            parts[i] = srcs[from + i].duplicate();
            length += parts[i].remaining();
        }
        long written;
        try {
            written = next.write(srcs, from, count, offset);
        } catch (IOException | RuntimeException | Error e) {
            changed(file, offset == Layer.APPEND ? 0 : offset, length, next);
            throw e;
        }
        PageCache cache = behind(file, next, offset, written);
        if (cache != null) {
            cache.lock.lock();
            try {
                update(file, cache, parts, offset, written);
            } finally {
                cache.lock.unlock();
            }
        }
        return written;
    }

    /** The same for a write to a place that nobody knows, see {@link Layer#knowsPlace}. */
    static int writeAnywhere(CachedFile file, Layer next, ByteBuffer src, long offset)
            throws IOException {
        begin(file, next, offset, false);
        try {
            return next.write(src, offset);
        } finally {
            changed(file, 0, 0, next);
        }
    }

    private static void begin(CachedFile file, Layer next, long offset, boolean knowsPlace)
            throws IOException {
        // An end that only pages know would make an append go to the wrong place, and what stays
        // dirty might be written later over a write that may go anywhere. Any other write leaves
        // alone what could not be written: the program was told, and until it can be written it
        // would fail each write of the file, wherever that goes.
        if (knowsPlace) {
            WriteOut.rest(file);
        } else {
            WriteOut.all(file);
        }
        if (offset != Layer.APPEND) {
            next.seek(offset);
        }
    }

    /** The cache whose pages do not have yet what was written, or null. */
    private static PageCache behind(CachedFile file, Layer next, long offset, long written)
            throws IOException {
        PageCache cache = file.cache();
        if (cache == null || written <= 0) {
            return null;
        }
        if (offset != Layer.APPEND) {
            return cache;
        }
        // Only the kernel knows where it went.
        long end = next.size();
        cache.lock.lock();
        try {
            Invalidation.resized(file, cache, Math.max(end, file.sizeBytes()));
        } finally {
            cache.lock.unlock();
        }
        return null;
    }

    /** A failed write may have changed anything that it was to write. */
    private static void changed(CachedFile file, long offset, long length, Layer next) {
        PageCache cache = file.cache();
        if (cache != null) {
            cache.lock.lock();
            try {
                boolean toTheEnd = offset == 0 || offset > Long.MAX_VALUE - length;
                Invalidation.forget(
                        file, cache, offset, toTheEnd ? Long.MAX_VALUE : offset + length);
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

    private static void update(
            CachedFile file, PageCache cache, ByteBuffer[] parts, long offset, long written) {
        long at = offset;
        for (ByteBuffer part : parts) {
            int bytes = (int) Math.min(part.remaining(), offset + written - at);
            if (bytes > 0) {
                update(file, cache, part.limit(part.position() + bytes), at);
                at += bytes;
            }
        }
    }

    /** Puts the written bytes into the pages that are there. Under the lock of the cache. */
    private static void update(CachedFile file, PageCache cache, ByteBuffer bytes, long offset) {
        int pageBytes = cache.pageBytes();
        int sector = file.sectorBytes();
        long end = offset + bytes.remaining();
        if (end > file.sizeBytes()) {
            // Sectors behind the old end were zeros and still are.
            file.sized(end);
        } else {
            file.changed();
        }
        for (long index = offset / pageBytes; index <= (end - 1) / pageBytes; index++) {
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
                io.stale |= !io.write && io.fromSector * sector < to && from < io.toSector * sector;
            }
        }
    }
}
