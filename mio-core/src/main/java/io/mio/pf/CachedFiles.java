package io.mio.pf;

import io.mio.layer.FileKey;
import io.mio.stats.HostLine;
import io.mio.stats.LineText;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files of this process that layers were opened for, each once, by device and inode: so that
 * every open of a file, under any name, by any rule and kind of channel, sees the same pages
 * (design section 4).
 */
public final class CachedFiles {
    private static final ConcurrentHashMap<FileKey, CachedFile> FILES = new ConcurrentHashMap<>();
    private static final AtomicInteger CACHED = new AtomicInteger();
    private static final Mappings WRITING = new Mappings();
    private static final Mappings READING = new Mappings();
    private static volatile MappedScope scopes;
    private static volatile boolean exiting;
    private static volatile boolean shares;

    /** All files have been told: until then every thread that comes does it. */
    private static volatile boolean shared;

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

    /** An open is done; the last one takes the file out, unless its pages stay. */
    public static void leave(CachedFile file) {
        if (file.key() != null) {
            FILES.computeIfPresent(
                    file.key(),
                    (any, there) -> --there.opens == 0 && !there.isRetained() ? null : there);
        }
    }

    /** True if any file has pages: only then an open that no rule matches needs a look. */
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
     * @param key what it is known by, or null: it may be any
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
     * An open has cut this file to nothing, which may have got pages meanwhile.
     *
     * @param key what it is known by, or null: it may be any
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
     * The process ends: what was written goes to the kernel now, and what comes later goes there at
     * once, because other ends of the program may still run and write. A write that is on its way
     * into a page is waited for, but not for ever.
     */
    public static void exit() {
        exiting = true;
        for (CachedFile file : FILES.values()) {
            file.use().goThrough();
            if (file.isCached()) {
                file.gate().letPass();
            }
            try {
                file.publish();
            } catch (IOException e) {
                // The program is told when it closes the file, if it does.
                if (file.pages().dirtyBytes() > 0) {
                    sayLost(file, e);
                }
            }
        }
    }

    /** For whoever looks at the program: nobody may be told later. */
    private static void sayLost(CachedFile file, IOException e) {
        HostLine.write(
                "cannot write what the program has written to "
                        + LineText.of(file.name() + ": " + e.getMessage())
                        + "; it is lost if the program ends now (close or force would have told"
                        + " it; pf/through writes at once)");
    }

    /** Bytes of all pages that have something not yet with the kernel. */
    public static long dirtyBytes() {
        long sum = 0;
        for (CachedFile file : FILES.values()) {
            sum += file.pages().dirtyBytes();
        }
        return sum;
    }

    /** Whether writes to any file go to the kernel at once from now on. */
    static boolean isThrough() {
        return exiting || shares;
    }

    /**
     * The program shares memory with other processes, and tells them there what is in its files,
     * any of them: from now on every write goes to the kernel at once.
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

    /** What others have told it there may be new: all clean pages of all files are forgotten. */
    static void forgetAll() {
        for (CachedFile file : FILES.values()) {
            if (file.isCached()) {
                Bypassed.changedElsewhere(file);
            }
        }
    }

    /** For tests, which go on in the same process. */
    static void shareNoMore() {
        shares = false;
        shared = false;
    }

    /** A file got its pages, or has none any more. */
    static void cached(int more) {
        CACHED.addAndGet(more);
    }

    /** Says how long mappings live that are no {@link java.nio.MappedByteBuffer}. */
    public static void scopes(MappedScope known) {
        scopes = known;
    }

    /** The program may change the file through {@code mapped} as long as that lives. */
    static void mapped(FileKey key, Object mapped) {
        WRITING.add(key, mapped, scopes, true);
    }

    /**
     * The program may read the file by {@code mapped} as long as that lives.
     *
     * @param forGood false: nothing is remembered of one whose end nobody knows
     */
    static void mappedForReading(FileKey key, Object mapped, boolean forGood) {
        READING.add(key, mapped, scopes, forGood);
    }

    /** The file was made just now: what was true of an earlier one with that inode is not of it. */
    public static void isNew(FileKey key) {
        if (key != null) {
            WRITING.isNew(key);
            READING.isNew(key);
        }
    }

    /** True while a mapping may change the file. */
    static boolean isMapped(FileKey key) {
        return WRITING.has(key);
    }

    /** True while a mapping may read it that cannot change it. */
    static boolean isMappedForReading(FileKey key) {
        return READING.has(key);
    }

    /** A cache is given up: pages of closed files that stayed in it go. */
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
     * Pages of one more file stay in a cache: those of the files that were closed long ago have
     * given way by now, and of more files than there are frames none need be known.
     */
    static void limitRetained(PageCache cache) {
        CachedFile oldest = RetainedPages.tooMany(cache);
        while (oldest != null) {
            forgetRetained(cache, oldest);
            oldest = RetainedPages.tooMany(cache);
        }
    }

    /** Whether it is open with layers, or pages of it are left. */
    static boolean knows(FileKey key) {
        return FILES.containsKey(key);
    }
}
