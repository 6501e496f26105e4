package io.mio.os;

import io.mio.counters.ProcFacts;
import java.io.IOException;
import java.nio.file.FileStore;

/**
 * Stands in for reservations where only the platform can be asked. Others may take the space
 * meanwhile, and accepted bytes may not be written yet. So only plenty of free space counts as
 * reserved; where there is less, writes go down at once.
 */
final class FreeSpace {
    /** Free space that is never counted as reserved, bytes. */
    private static final long PLENTY_BYTES = 1L << 30;

    /** The file's store; null if the platform does not tell it. */
    private final FileStore store;

    private long left;

    FreeSpace(FileStore store) {
        this.store = store;
    }

    /**
     * As {@link io.mio.layer.Layer#reserve}: false where space is short, and past the limit on the
     * length of files. The file system is asked again when a quarter of its free space is used up.
     */
    synchronized boolean reserve(long offset, long bytes) throws IOException {
        if (store == null || bytes > Longest.FILE - offset) {
            return false;
        }
        if (left < bytes) {
            long usable = store.getUsableSpace();
            if (usable < PLENTY_BYTES + bytes) {
                left = 0;
                return false;
            }
            left = Math.max(bytes, (usable - PLENTY_BYTES) / 4);
        }
        left -= bytes;
        return true;
    }

    /** The limit on the length of files, read once, when the first file is written to. */
    private static final class Longest {
        static final long FILE = ProcFacts.longestFile();
    }
}
