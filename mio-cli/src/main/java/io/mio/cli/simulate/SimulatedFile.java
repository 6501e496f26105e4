package io.mio.cli.simulate;

import io.mio.layer.FileKey;
import io.mio.layer.OpenRequest;

/** A simulated file: a size, as the kernel would have it, and no bytes. */
final class SimulatedFile {
    private final FileKey key;
    long size;

    /** Stamp of the last change: a different number after each one. */
    long version;

    /** Number of opens of the file that have a cache. */
    int opens;

    /** What the kernel's cache has of the file; null until an open under {@code pf/auto} asks. */
    KernelPages kernel;

    /**
     * Virtual time when the last write past the end of the file is complete, in nanoseconds. Such
     * writes are made one after the other, as ext4 does for those that bypass the kernel's cache.
     */
    long extendedAt;

    /**
     * Number of the current pages for {@link Optimum}: a new one after pages were given up, because
     * earlier references are to other pages.
     */
    int generation;

    /**
     * @param key null for a file that is not known by a key
     */
    SimulatedFile(FileKey key) {
        this.key = key;
    }

    FileKey key() {
        return key;
    }

    /** The place of the file, with this sector size. */
    OpenRequest.Place place(int sectorBytes) {
        return new OpenRequest.Place() {
            @Override
            public String type() {
                return "simulation";
            }

            @Override
            public long sectorBytes() {
                return sectorBytes;
            }

            @Override
            public long changeStamp() {
                return version;
            }
        };
    }

    /** Somebody outside of the simulation has made the file as long as this, if it is not. */
    void reaches(long end) {
        if (end > size) {
            wrote(end);
        }
    }

    void wrote(long end) {
        size = Math.max(size, end);
        version++;
    }

    void cut(long newSize) {
        size = Math.min(size, newSize);
        version++;
    }
}
