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
                new StorePlace(inner));
    }

    /** A file that cannot be looked at (gone, or a file system without modes) stays unknown. */
    private void look() {
        looked = true;
        try {
            Map<String, Object> found =
                    inner.getFileSystem().provider().readAttributes(inner, "unix:mode,size");
            mode = (Integer) found.get("mode");
            sizeBytes = (Long) found.get("size");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            mode = UNKNOWN;
        }
    }

    /** Asked for when needed, and then once. */
    private static final class StorePlace implements OpenRequest.Place {
        private final Path inner;
        private boolean asked;
        private String type = "unknown";
        private long sectorBytes;

        StorePlace(Path inner) {
            this.inner = inner;
        }

        @Override
        public synchronized String type() {
            ask();
            return type;
        }

        @Override
        public synchronized long sectorBytes() {
            ask();
            return sectorBytes;
        }

        private void ask() {
            if (asked) {
                return;
            }
            asked = true;
            Path directory = inner.toAbsolutePath().getParent();
            if (!ask(inner) && directory != null) {
                ask(directory);
            }
        }

        private boolean ask(Path path) {
            try {
                FileStore store = path.getFileSystem().provider().getFileStore(path);
                type = store.type();
                sectorBytes = store.getBlockSize();
                return true;
            } catch (IOException | UnsupportedOperationException e) {
                return false;
            }
        }
    }
}
