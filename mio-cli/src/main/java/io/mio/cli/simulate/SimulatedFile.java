package io.mio.cli.simulate;

import io.mio.layer.FileKey;
import io.mio.layer.OpenRequest;

/** A file that is only a size, as the kernel would have it. */
final class SimulatedFile {
    private final FileKey key;
    long size;

    /** Another one after each change. */
    long version;

    /** Opens of it that have a cache. */
    int opens;

    /** What of it is in the kernel's cache; null: nobody has looked. */
    KernelPages kernel;

    /**
     * When its last write behind the end is complete. Such writes go one after the other, past the
     * kernel's cache: so does ext4.
     */
    long extendedAt;

    /** Goes up when its pages are given up: references before are to other pages. */
    int generation;

    /**
     * @param key null for one that is not known by a key
     */
    SimulatedFile(FileKey key) {
        this.key = key;
    }

    FileKey key() {
        return key;
    }

    /** Where it lies. */
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

    void wrote(long end) {
        size = Math.max(size, end);
        version++;
    }

    void cut(long newSize) {
        size = Math.min(size, newSize);
        version++;
    }
}
