package io.mio.pf;

import io.mio.layer.FileKey;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files of this process that layers were opened for, each once, by device and inode: so that
 * every open of a file, under any name, by any rule and kind of channel, sees the same pages
 * (design section 4).
 */
public final class CachedFiles {
    private static final ConcurrentHashMap<FileKey, CachedFile> FILES = new ConcurrentHashMap<>();

    private CachedFiles() {}

    /**
     * Enters an open of a file; to be left again when it is closed.
     *
     * @param key null for a file that is not known by a key: the result is this open's alone
     */
    public static CachedFile enter(FileKey key) {
        if (key == null) {
            return new CachedFile(null);
        }
        return FILES.compute(
                key,
                (any, there) -> {
                    CachedFile file = there == null ? new CachedFile(key) : there;
                    file.opens++;
                    return file;
                });
    }

    /** An open is done; the last one takes the file out. */
    public static void leave(CachedFile file) {
        if (file.key() != null) {
            FILES.computeIfPresent(file.key(), (any, there) -> --there.opens == 0 ? null : there);
        }
    }

    /** True if any file has pages: only then an open that no rule matches needs a look. */
    public static boolean any() {
        return false;
    }

    /** The file of this key if it has pages, else null. */
    public static CachedFile find(FileKey key) {
        CachedFile file = key == null ? null : FILES.get(key);
        return file != null && file.isCached() ? file : null;
    }
}
