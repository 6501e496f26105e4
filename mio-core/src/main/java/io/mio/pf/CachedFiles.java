package io.mio.pf;

import io.mio.layer.FileKey;
import io.mio.stats.HostLine;
import io.mio.stats.LineText;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files of this process that have layers, each once, by device and inode. So every open of a
 * file, under any name, by any rule and kind of channel, sees the same pages (design section 4).
 */
public final class CachedFiles {
    private static final ConcurrentHashMap<FileKey, CachedFile> FILES = new ConcurrentHashMap<>();
    private static final AtomicInteger CACHED = new AtomicInteger();
    private static final Mappings WRITING = new Mappings();
    private static final Mappings READING = new Mappings();
    private static volatile MappedScope scopes;
    private static volatile boolean exiting;
    private static volatile boolean shares;

    /** All files write through. Until this is set, every thread that comes sees to it. */
    private static volatile boolean shared;

    private CachedFiles() {}

    /**
     * Enters an open of a file; {@link #leave} is to be called when the open is closed.
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

    /** An open is closed; the last one takes the file out, unless its pages stay. */
    public static void leave(CachedFile file) {
        if (file.key() != null) {
            FILES.computeIfPresent(
                    file.key(),
                    (any, there) -> --there.opens == 0 && !there.isRetained() ? null : there);
        }
    }

    /** True if any file has pages: only then must an open that no rule matches be looked at. */
    public static boolean any() {
        return CACHED.get() > 0;
    }

    /** The file of this key if it has pages, else null. */
    public static CachedFile find(FileKey key) {
        CachedFile file = key == null ? null : FILES.get(key);
        return file != null && file.isCached() ? file : null;
    }

    /**
     * The platform opened a file that gets no layers, while files have pages.
     *
     * @param key what the file is known by, or null: it may be any file
     */
    public static void openedBeside(FileKey key) {
        if (key == null) {
            for (CachedFile any : FILES.values()) {
                any.openedBeside();
            }
            return;
        }
        CachedFile file = FILES.get(key);
        if (file != null) {
            file.openedBeside();
        }
    }

    /**
     * An open has cut this file to nothing; the file may have got pages meanwhile.
     *
     * @param key what the file is known by, or null: it may be any file
     */
    public static void wasCut(FileKey key) {
        if (key == null) {
            for (CachedFile any : FILES.values()) {
                any.wasCut();
            }
            return;
        }
        CachedFile file = FILES.get(key);
        if (file != null) {
            file.wasCut();
        }
    }

    /**
     * Brings the kernel up to date with all files.
     *
     * @throws IOException if a page cannot be written; the others are
     */
    public static void publishAll() throws IOException {
        IOException failure = null;
        for (CachedFile file : FILES.values()) {
            try {
                file.publish();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * The process ends. What was written goes to the kernel now, and later writes go there at once,
     * because shutdown code of the program may still run and write. A write that is on its way into
     * a page is waited for, but not for ever.
     */
    public static void exit() {
        exiting = true;
        for (CachedFile file : FILES.values()) {
            try {
                file.use().goThrough();
                if (file.isCached()) {
                    file.gate().letPass();
                }
                file.publish();
            } catch (IOException | RuntimeException | Error e) {
                // The program is told when it closes the file, if it does.
                if (file.pages().dirtyBytes() > 0) {
                    sayLost(file, e);
                }
            }
        }
    }

    /** Tells whoever watches the program's output, as the program may never be told. */
    private static void sayLost(CachedFile file, Throwable e) {
        HostLine.write(
                "cannot write what the program has written to "
                        + LineText.of(file.name() + ": " + e.getMessage())
                        + "; it is lost if the program ends now (close or force would have told"
                        + " it; pf/through writes at once)");
    }

    /** Bytes of all pages that have something that is not yet with the kernel. */
    public static long dirtyBytes() {
        long sum = 0;
        for (CachedFile file : FILES.values()) {
            sum += file.pages().dirtyBytes();
        }
        return sum;
    }

    /** True if writes to any file go to the kernel at once from now on. */
    static boolean isThrough() {
        return exiting || shares;
    }

    /**
     * Makes every write go to the kernel at once from now on. The program shares memory with other
     * processes, and tells them there what is in any of its files.
     */
    static void shareAll() {
        if (shared) {
            return;
        }
        shares = true;
        for (CachedFile file : FILES.values()) {
            Bypassed.goThroughOrKeep(file);
        }
        shared = true;
    }

    /** Forgets all clean pages of all files: what others have told in shared memory may be new. */
    static void forgetAll() {
        for (CachedFile file : FILES.values()) {
            if (file.isCached()) {
                Bypassed.changedElsewhere(file);
            }
        }
    }

    /** Ends {@link #shareAll} for tests, which go on in the same process. */
    static void shareNoMore() {
        shares = false;
        shared = false;
    }

    /** Counts files with pages: one got its pages (1), or has none any more (-1). */
    static void cached(int more) {
        CACHED.addAndGet(more);
    }

    /** Sets what knows how long mappings live that are no {@link java.nio.MappedByteBuffer}. */
    public static void scopes(MappedScope known) {
        scopes = known;
    }

    /** The program may change the file through {@code mapped} as long as that lives. */
    static void mapped(FileKey key, Object mapped) {
        WRITING.add(key, mapped, scopes, true);
    }

    /**
     * The program may read the file through {@code mapped} as long as that lives.
     *
     * @param forGood false: a mapping whose end nobody knows is not remembered
     */
    static void mappedForReading(FileKey key, Object mapped, boolean forGood) {
        READING.add(key, mapped, scopes, forGood);
    }

    /**
     * The file was just made: what is known of an earlier file with its inode does not hold for it.
     */
    public static void isNew(FileKey key) {
        if (key != null) {
            WRITING.isNew(key);
            READING.isNew(key);
        }
    }

    /** True while there may be a mapping that can change the file. */
    static boolean isMapped(FileKey key) {
        return WRITING.has(key);
    }

    /** True while there may be a mapping that can read the file and not change it. */
    static boolean isMappedForReading(FileKey key) {
        return READING.has(key);
    }

    /** Forgets the pages of closed files that stayed in a cache, as the cache is given up. */
    static void forgetRetained(PageCache cache) {
        for (CachedFile file : FILES.values()) {
            forgetRetained(cache, file);
        }
    }

    private static void forgetRetained(PageCache cache, CachedFile file) {
        file.forgetRetained(cache);
        FILES.computeIfPresent(
                file.key(), (any, there) -> there.opens == 0 && !there.isRetained() ? null : there);
    }

    /**
     * Forgets pages of the files closed longest ago, as pages of one more file stay in a cache:
     * those of old ones have given way by now, and no more files than there are frames need be
     * known.
     */
    static void limitRetained(PageCache cache) {
        CachedFile oldest = RetainedPages.tooMany(cache);
        while (oldest != null) {
            forgetRetained(cache, oldest);
            oldest = RetainedPages.tooMany(cache);
        }
    }

    /** True if the file is open with layers, or pages of it stayed. */
    static boolean knows(FileKey key) {
        return FILES.containsKey(key);
    }
}
