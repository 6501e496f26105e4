package io.mio.pf;

import io.mio.layer.Layer;
import java.io.IOException;

/** Brings pages in line with calls that work on the file itself, and with opens that end. */
final class Bypassed {
    private Bypassed() {}

    /**
     * The program is about to map the file for writing: it will change it without telling anybody,
     * so that no page may be kept from now on.
     *
     * @throws IOException if what is dirty cannot be written; then nothing has changed
     */
    static void mapsForWriting(CachedFile file) throws IOException {
        PageCache cache = file.cache();
        if (cache == null) {
            file.forgetRetained();
            return;
        }
        long stamp = file.gate().alone();
        try {
            WriteOut.all(file);
            file.goPast();
            cache.lock.lock();
            try {
                Invalidation.forget(file, cache, 0, Long.MAX_VALUE);
            } finally {
                cache.lock.unlock();
            }
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
    static void mapsForReading(CachedFile file) throws IOException {
        long stamp = file.gate().alone();
        try {
            file.goThrough();
            WriteOut.all(file);
        } finally {
            file.gate().leave(stamp);
        }
    }

    /** It has mapped it, which may have made the file longer. */
    static void mapped(CachedFile file, Object mapping, Layer next) throws IOException {
        CachedFiles.mapped(file.key(), mapping);
        file.refresh(next::size);
    }

    /** Others may have changed the file anywhere. */
    static void forgetAll(CachedFile file, Layer next) throws IOException {
        forget(file);
        file.refresh(next::size);
    }

    /** As {@link #forgetAll}; the size is asked for when it is needed. */
    static void forget(CachedFile file) {
        PageCache cache = file.cache();
        if (cache == null) {
            file.forgetRetained();
            return;
        }
        cache.lock.lock();
        try {
            Invalidation.forget(file, cache, 0, Long.MAX_VALUE);
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
            for (Page page : cache.dirtyPages(file)) {
                if (page.writer == layer && heir != null) {
                    page.writer = heir;
                } else if (page.writer == layer) {
                    page.dirty.clear();
                    page.valid.clear();
                    page.validChanged(file.sectorBytes());
                    cache.cleaned(page);
                }
            }
        } finally {
            cache.lock.unlock();
        }
    }
}
