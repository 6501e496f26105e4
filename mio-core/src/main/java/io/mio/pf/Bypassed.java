package io.mio.pf;

import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.Layer.IoCall;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Brings pages in line with calls that work on the file itself or cut it, and with opens that end.
 */
final class Bypassed {
    private Bypassed() {}

    /**
     * What a call that works on the file itself needs, see {@link Layer#around}.
     *
     * <p>A file that is mapped for writing, and whose parts are locked, is memory that the program
     * shares with other processes: what they tell each other there may be of any of their files,
     * and nobody sees it.
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
            // Also where another has the lock: that is something that it tells.
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
     * Others wait for the lock, whether or not everything could be written.
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

    /** No write is on its way into a page meanwhile. */
    static void writeAlone(CachedFile file) throws IOException {
        long stamp = file.gate().alone();
        try {
            WriteOut.all(file);
        } finally {
            file.gate().leave(stamp);
        }
    }

    /** The file is as long as the layer says. Nothing is dirty, and the gate is held alone. */
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
     * The program is about to map the file for writing: it will change it without telling anybody,
     * so that no page may be kept from now on.
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
     * The program is about to map the file for reading: what is written from now on goes to the
     * kernel at once, where the mapping sees it.
     *
     * @throws IOException if what is dirty cannot be written
     */
    private static void mapsForReading(CachedFile file) throws IOException {
        goThrough(file);
    }

    /** No write is on its way into a page meanwhile. */
    private static void goThrough(CachedFile file) throws IOException {
        long stamp = file.gate().alone();
        try {
            file.use().goThrough();
            WriteOut.all(file);
        } finally {
            file.gate().leave(stamp);
        }
    }

    /** It may have got pages meanwhile. */
    private static void mappedForWriting(CachedFile file, Object mapping) throws IOException {
        CachedFiles.mapped(file.key(), mapping);
        mapsForWriting(file);
    }

    /** The same. */
    private static void mappedForReading(CachedFile file, Object mapping) throws IOException {
        // Of files that have no pages there may be many.
        CachedFiles.mappedForReading(file.key(), mapping, file.isCached());
        mapsForReading(file);
    }

    /**
     * Others may have changed the file anywhere, and made it longer: that is asked for, once
     * nothing is dirty. Where a part is locked, others lock other parts, which may share a sector
     * of a page with it: from then on writes go to the kernel at once.
     *
     * @param length {@link Long#MAX_VALUE} for all of the file
     */
    private static void locked(CachedFile file, Layer next, long length) throws IOException {
        // As above: the platform's tryLock does not look for an interrupt.
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

    /** The file keeps what could not be written, and its opens are told. */
    static void goThroughOrKeep(CachedFile file) {
        try {
            goThrough(file);
        } catch (IOException e) {
            // As said.
        }
    }

    /** The same, once. */
    private static void writeOrKeep(CachedFile file) {
        try {
            writeAlone(file);
        } catch (IOException e) {
            // As said.
        }
    }

    /** Others may have changed the file, its size included. */
    static void changedElsewhere(CachedFile file) {
        // To ask for the size would close a channel that an interrupt has left open.
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
     * A change past the pages ends, which may not have known of them. The size is asked for at
     * once: a write into the last sector that the pages know of would put zeros over what lies
     * behind.
     */
    static void changedBeside(CachedFile file, Layer next) {
        forget(file);
        if (!file.isCached()) {
            return;
        }
        // As above.
        boolean interrupted = Thread.interrupted();
        try {
            PageCache cache = file.cache();
            PfLayer open = cache == null ? null : anyOpen(file, cache);
            // An interrupt may have closed the channel that made the change.
            Layer asked = open == null ? next : open.next();
            file.refreshSurely(asked::size);
        } catch (IOException e) {
            // The change has been made, or says itself why not.
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
     * What the program asks for: cuts the file, if it is longer, and if the layers below do. The
     * gate is held alone.
     *
     * @param below the layer whose file it is
     */
    static void truncate(CachedFile file, long newSize, Layer below) throws IOException {
        if (newSize >= file.refresh(below::size)) {
            return;
        }
        if (!below.truncates()) {
            // They count it, and pages stay as the file does.
            below.truncate(newSize);
            return;
        }
        if (below.size() < newSize) {
            // A hole up to the new end exists in pages only, by what is dirty behind it.
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
     * @param didCut tells of its result whether it was this file that it has cut
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
     * The file was changed where nobody told its pages: an open has cut it to nothing, or another
     * process has written. What the program has written into them stays: that may have been
     * afterwards. The gate is held alone.
     */
    static void wasCut(CachedFile file) {
        forget(file);
        PageCache cache = file.cache();
        PfLayer layer = cache == null ? null : anyOpen(file, cache);
        if (layer == null) {
            // One that comes asks for the size itself.
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
            return file.layers().stream().findAny().orElse(null);
        } finally {
            cache.lock.unlock();
        }
    }

    /**
     * An open ends: its requests are waited for, and pages that it could not write go to another
     * open of the file that can, or are given up, of which the program is told.
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
