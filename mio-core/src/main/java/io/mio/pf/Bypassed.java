package io.mio.pf;

import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.Layer.IoCall;
import java.io.IOException;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * Brings pages in line with calls that work on the file itself or cut it, and with opens that end.
 */
final class Bypassed {
    private Bypassed() {}

    /**
     * Keeps pages right around a call that works on the file itself, see {@link Layer#around}.
     *
     * <p>A file that is mapped for writing, and parts of which are locked, is memory that the
     * program shares with other processes. What they tell each other there may be about any of
     * their files, and nobody sees it.
     */
    static <T> T around(
            CachedFile file, Layer next, Bypass kind, long offset, long length, IoCall<T> call)
            throws IOException {
        boolean locks = kind == Bypass.LOCK || kind == Bypass.UNLOCK;
        if (!locks || !CachedFiles.isMapped(file.key())) {
            return alone(file, next, kind, offset, length, call);
        }
        CachedFiles.shareAll();
        try {
            return alone(file, next, kind, offset, length, call);
        } finally {
            // Also where another process has the lock: that tells something, too.
            if (kind == Bypass.LOCK) {
                CachedFiles.forgetAll();
            }
        }
    }

    private static <T> T alone(
            CachedFile file, Layer next, Bypass kind, long offset, long length, IoCall<T> call)
            throws IOException {
        if (kind == Bypass.TRANSFER_IN) {
            return IncomingTransfer.around(file, next, offset, length, call);
        }
        if (kind == Bypass.UNLOCK) {
            return givesLockBack(file, next, offset, length, call);
        }
        // Of no bytes there is no mapping, though the platform gives an object for it.
        boolean maps = length > 0;
        if (maps && kind == Bypass.MAP_WRITE) {
            mapsForWriting(file);
        } else if (maps && kind == Bypass.MAP_READ) {
            mapsForReading(file);
        } else if (kind != Bypass.LOCK) {
            WriteOut.all(file);
        }
        T result = next.around(kind, offset, length, call);
        switch (kind) {
            case MAP_WRITE -> {
                if (maps) {
                    mappedForWriting(file, result);
                }
                file.refresh(next::size);
            }
            case MAP_READ -> {
                if (maps) {
                    mappedForReading(file, result);
                }
                file.refresh(next::size);
            }
            case LOCK -> {
                if (result != null) {
                    locked(file, next, length);
                }
            }
            case TRANSFER_IN, TRANSFER_OUT, UNLOCK -> {}
        }
        return result;
    }

    /**
     * Gives a lock back, whether or not everything could be written, because others wait for it.
     *
     * @throws IOException if what is dirty cannot be written; the lock is given back all the same
     */
    private static <T> T givesLockBack(
            CachedFile file, Layer next, long offset, long length, IoCall<T> call)
            throws IOException {
        try {
            WriteOut.all(file);
        } catch (IOException | RuntimeException | Error e) {
            try {
                next.around(Bypass.UNLOCK, offset, length, call);
            } catch (IOException | RuntimeException failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
        return next.around(Bypass.UNLOCK, offset, length, call);
    }

    /** Writes all that is dirty while no write is on its way into a page. */
    static void writeAlone(CachedFile file) throws IOException {
        long stamp = file.gate().alone();
        try {
            WriteOut.all(file);
        } finally {
            file.gate().leave(stamp);
        }
    }

    /** Takes over the size from the layer. Nothing is dirty, and the gate is held alone. */
    static void resize(CachedFile file, Layer next) throws IOException {
        PageCache cache = file.cache();
        if (cache == null) {
            return;
        }
        long size = next.size();
        cache.lock.lock();
        try {
            Invalidation.resized(file, cache, size);
        } finally {
            cache.lock.unlock();
        }
    }

    /**
     * The program is about to map the file for writing. It will change the file through the mapping
     * without telling anybody, so no page may be kept from now on.
     *
     * @throws IOException if what is dirty cannot be written; then nothing has changed
     */
    private static void mapsForWriting(CachedFile file) throws IOException {
        long stamp = file.gate().alone();
        try {
            if (!file.isCached()) {
                file.forgetRetained();
                return;
            }
            WriteOut.all(file);
            file.use().goPast();
            forget(file);
        } finally {
            file.gate().leave(stamp);
        }
    }

    /**
     * The program is about to map the file for reading. From now on writes go to the kernel at
     * once, where the mapping sees them.
     *
     * @throws IOException if what is dirty cannot be written
     */
    private static void mapsForReading(CachedFile file) throws IOException {
        goThrough(file);
    }

    /** Makes writes go through, while no write is on its way into a page. */
    private static void goThrough(CachedFile file) throws IOException {
        long stamp = file.gate().alone();
        try {
            file.use().goThrough();
            WriteOut.all(file);
        } finally {
            file.gate().leave(stamp);
        }
    }

    /** The file may have got pages while it was being mapped. */
    private static void mappedForWriting(CachedFile file, Object mapping) throws IOException {
        CachedFiles.mapped(file.key(), mapping);
        mapsForWriting(file);
    }

    /** The file may have got pages while it was being mapped. */
    private static void mappedForReading(CachedFile file, Object mapping) throws IOException {
        // Of files without pages there may be too many mappings to remember them for good.
        CachedFiles.mappedForReading(file.key(), mapping, file.isCached());
        mapsForReading(file);
    }

    /**
     * Others may have changed the file anywhere, and made it longer: the size is asked for once
     * nothing is dirty. Where a part is locked, others lock other parts, which may share a sector
     * of a page with it: from then on writes go to the kernel at once.
     *
     * @param length {@link Long#MAX_VALUE} for all of the file
     */
    private static void locked(CachedFile file, Layer next, long length) throws IOException {
        // As in changedElsewhere: the platform's tryLock does not look for an interrupt.
        boolean interrupted = Thread.interrupted();
        try {
            forget(file);
            if (length != Long.MAX_VALUE && !file.use().isThroughForGood()) {
                goThroughOrKeep(file);
            } else if (file.pages().isDirty()) {
                writeOrKeep(file);
            }
            file.refresh(next::size);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes writes go through; the file keeps what cannot be written, and its opens are told. */
    static void goThroughOrKeep(CachedFile file) {
        try {
            goThrough(file);
        } catch (IOException e) {
            // The file keeps what could not be written.
        }
    }

    /** Writes all that is dirty; the file keeps what cannot be written, and its opens are told. */
    private static void writeOrKeep(CachedFile file) {
        try {
            writeAlone(file);
        } catch (IOException e) {
            // The file keeps what could not be written.
        }
    }

    /** Others may have changed the file, its size included. */
    static void changedElsewhere(CachedFile file) {
        // Asking for the size would close a channel that an interrupt has left open.
        boolean interrupted = Thread.interrupted();
        long stamp = file.gate().alone();
        try {
            wasCut(file);
        } finally {
            file.gate().leave(stamp);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * A change past the pages ends, which may have begun without knowing of them. The size is asked
     * for at once: else a write into the last sector that the pages know of would put zeros over
     * what lies behind.
     */
    static void changedBeside(CachedFile file, Layer next) {
        forget(file);
        if (!file.isCached()) {
            return;
        }
        // As in changedElsewhere.
        boolean interrupted = Thread.interrupted();
        try {
            PageCache cache = file.cache();
            PfLayer open = cache == null ? null : anyOpen(file, cache);
            // An interrupt may have closed the channel that made the change.
            Layer asked = open == null ? next : open.next();
            file.refreshSurely(asked::size);
        } catch (IOException e) {
            // The change has been made, or tells by itself why not.
            return;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Others may have changed the file anywhere; the size is asked for when it is needed. */
    static void forget(CachedFile file) {
        PageCache cache = file.cache();
        if (cache == null) {
            file.forgetRetained();
            return;
        }
        cache.lock.lock();
        try {
            Invalidation.forget(file, cache, 0, Long.MAX_VALUE);
            // There may be holes where space was set aside.
            file.reservation().gone();
        } finally {
            cache.lock.unlock();
        }
    }

    /**
     * Cuts the file for the program, if it is longer, and if the layers below do. The gate is held
     * alone.
     *
     * @param below the layer whose file it is
     */
    static void truncate(CachedFile file, long newSize, Layer below) throws IOException {
        if (newSize >= file.refresh(below::size)) {
            return;
        }
        if (!below.truncates()) {
            // These layers only count the call, and the pages stay, as the file does.
            below.truncate(newSize);
            return;
        }
        if (below.size() < newSize) {
            // The hole up to the new end exists in pages only, made by what is dirty behind it.
            WriteOut.all(file);
        }
        cutting(
                file,
                newSize,
                () -> {
                    below.truncate(newSize);
                    return null;
                },
                result -> true);
    }

    /**
     * Runs a call that cuts the file to {@code newSize}; no page request is on its way meanwhile.
     * The gate is held alone.
     *
     * @param didCut tells from the call's result whether it has cut this file
     */
    static <T> T cutting(CachedFile file, long newSize, IoCall<T> call, Predicate<T> didCut)
            throws IOException {
        PageCache cache = file.cache();
        if (cache == null) {
            file.forgetRetained();
            return call.call();
        }
        file.pages().freeze(cache);
        try {
            T result = call.call();
            if (!didCut.test(result)) {
                return result;
            }
            cache.lock.lock();
            try {
                Invalidation.cut(file, cache, newSize);
            } finally {
                cache.lock.unlock();
            }
            return result;
        } finally {
            file.pages().thaw(cache);
        }
    }

    /**
     * The file was changed, but not its pages: an open has cut it to nothing, or another process
     * has written. What the program has written into pages stays, as that may have been later. The
     * gate is held alone.
     */
    static void wasCut(CachedFile file) {
        forget(file);
        PageCache cache = file.cache();
        PfLayer layer = cache == null ? null : anyOpen(file, cache);
        if (layer == null) {
            // An open that comes later asks for the size itself.
            return;
        }
        try {
            WriteOut.all(file);
            resize(file, layer.next());
        } catch (IOException e) {
            // The file keeps what could not be written, and its opens are told.
            return;
        }
    }

    static PfLayer anyOpen(CachedFile file, PageCache cache) {
        cache.lock.lock();
        try {
            Iterator<PfLayer> all = file.layers().iterator();
            return all.hasNext() ? all.next() : null;
        } finally {
            cache.lock.unlock();
        }
    }

    /**
     * An open ends: its requests are waited for. Pages that it could not write go to another open
     * of the file that can write, or are given up, of which the program is told.
     */
    static void leaves(CachedFile file, PfLayer layer) {
        PageCache cache = file.cache();
        cache.lock.lock();
        try {
            file.layers().remove(layer);
            while (layer.onTheirWay > 0) {
                cache.changed.awaitUninterruptibly();
            }
            PfLayer heir = null;
            for (PfLayer other : file.layers()) {
                heir = other.isWritable() ? other : heir;
            }
            for (Page page : file.pages().dirty()) {
                if (page.writer == layer && heir != null) {
                    page.writer = heir;
                } else if (page.writer == layer) {
                    page.dirty.clear();
                    page.valid.clear();
                    page.validChanged(file.sectorBytes());
                    cache.dirtyPages.cleaned(page);
                }
            }
        } finally {
            cache.lock.unlock();
        }
    }
}
