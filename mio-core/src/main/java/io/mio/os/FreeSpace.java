package io.mio.os;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;

/**
 * What stands in for a reservation where only the platform can be asked: the file system is asked
 * how much it has left, and again when half of that is used up. Others may take the space
 * meanwhile.
 */
final class FreeSpace {
    private final FileStore store;
    private final String name;
    private long left;

    FreeSpace(FileStore store, String name) {
        this.store = store;
        this.name = name;
    }

    /**
     * As {@link io.mio.layer.Layer#reserve}.
     *
     * @param size of the file, bytes: what lies below it may have its space already
     * @throws FileSystemException if there is not so much space beyond the end
     */
    synchronized boolean reserve(long offset, long bytes, long size) throws IOException {
        long beyond = Math.max(0, offset + bytes - Math.max(offset, size));
        if (left < bytes) {
            long usable = store.getUsableSpace();
            if (usable < beyond) {
                left = 0;
                throw new FileSystemException(name, null, "No space left on device");
            }
            if (usable < bytes) {
                return false;
            }
            left = Math.max(bytes, usable / 2);
        }
        left -= bytes;
        return true;
    }
}
