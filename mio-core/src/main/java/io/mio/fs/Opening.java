package io.mio.fs;

import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One open of a file that a rule matches: when it began, and what is found out about the file, with
 * one look at its attributes. Looked at after the open, because only then it exists; before, for
 * {@code DELETE_ON_CLOSE}, because Linux has it unlinked when the open returns.
 */
final class Opening {
    private static final int TYPE_BITS = 0170000;
    private static final int TYPE_REGULAR = 0100000;
    private static final int PERMISSION_BITS = 07777;
    private static final int UNKNOWN = -1;

    private final Path inner;
    private final int oflags;
    private final long openedNanos;
    private long openNanos;
    private boolean looked;
    private int mode = UNKNOWN;
    private long sizeBytes;
    private long device = UNKNOWN;

    private Opening(Path inner, Set<? extends OpenOption> options) {
        this.inner = inner;
        this.oflags = OpenFlags.of(options);
        if (options.contains(StandardOpenOption.DELETE_ON_CLOSE)) {
            look();
            if (OpenFlags.writes(oflags) && (oflags & OpenFlags.TRUNC) != 0) {
                sizeBytes = 0;
            }
        }
        this.openedNanos = System.nanoTime();
    }

    /** To be called right before the platform opens the file. */
    static Opening begin(Path inner, Set<? extends OpenOption> options) {
        return new Opening(inner, options);
    }

    /**
     * To be called right after. Returns whether it is a regular file, the only kind with layers.
     */
    boolean opened() {
        openNanos = System.nanoTime() - openedNanos;
        if (!looked) {
            look();
        }
        return mode == UNKNOWN || (mode & TYPE_BITS) == TYPE_REGULAR;
    }

    int oflags() {
        return oflags;
    }

    /** Size just after the open; 0 where that is not known. */
    long sizeBytes() {
        return sizeBytes;
    }

    OpenRequest request() {
        return new OpenRequest(
                inner.toString(),
                oflags,
                mode == UNKNOWN ? UNKNOWN : mode & PERMISSION_BITS,
                sizeBytes,
                openedNanos,
                openNanos,
                new StorePlace(inner, device));
    }

    /** A file that cannot be looked at (gone, or a file system without modes) stays unknown. */
    private void look() {
        looked = true;
        try {
            Map<String, Object> found =
                    inner.getFileSystem().provider().readAttributes(inner, "unix:mode,size,dev");
            mode = (Integer) found.get("mode");
            device = (Long) found.get("dev");
            sizeBytes = (Long) found.get("size");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            mode = UNKNOWN;
        }
    }

    /** What a store says of itself. */
    private record Store(String type, long sectorBytes) {}

    /**
     * Asked for when needed, and then once for each device: to find a store the JDK reads the whole
     * table of mounts, which takes many times as long as the open.
     */
    private static final class StorePlace implements OpenRequest.Place {
        private static final Store NOT_TOLD = new Store("unknown", 0);
        private static final Map<Long, Store> BY_DEVICE = new ConcurrentHashMap<>();

        private final Path inner;
        private final long device;
        private Store store;

        StorePlace(Path inner, long device) {
            this.inner = inner;
            this.device = device;
        }

        @Override
        public String type() {
            return store().type();
        }

        @Override
        public long sectorBytes() {
            return store().sectorBytes();
        }

        private synchronized Store store() {
            if (store == null) {
                store = device == UNKNOWN ? null : BY_DEVICE.get(device);
            }
            if (store == null) {
                store = find();
            }
            return store;
        }

        private Store find() {
            Path directory = inner.toAbsolutePath().getParent();
            Store found = ask(inner);
            if (found == null && directory != null) {
                found = ask(directory);
            }
            if (found == null) {
                return NOT_TOLD;
            }
            if (device != UNKNOWN) {
                BY_DEVICE.put(device, found);
            }
            return found;
        }

        private static Store ask(Path path) {
            try {
                FileStore store = path.getFileSystem().provider().getFileStore(path);
                return new Store(store.type(), store.getBlockSize());
            } catch (IOException | UnsupportedOperationException e) {
                return null;
            }
        }
    }
}
