package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.KernelCache;
import io.mio.layer.OpenFlags;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The ways of doing page requests, and the choice between them at run time. */
public final class Backends {
    private Backends() {}

    /**
     * What an open asks for.
     *
     * @param direct aligned requests past the kernel's page cache
     * @param uncached buffered requests that leave nothing in the kernel's page cache
     *     (RWF_DONTCACHE)
     * @param asynchronous false: every request runs in the caller's thread (backend {@code sync})
     * @param unpaged no cache: requests are the program's, and so is the memory
     */
    public record Wish(boolean direct, boolean uncached, boolean asynchronous, boolean unpaged) {
        /** A wish for the pages of a cache. */
        public Wish(boolean direct, boolean uncached, boolean asynchronous) {
            this(direct, uncached, asynchronous, false);
        }
    }

    /**
     * Opens what page requests of a file need.
     *
     * @param channel the program's channel, just opened: a {@link java.nio.channels.FileChannel} or
     *     {@link java.nio.channels.AsynchronousFileChannel} of the platform
     * @param path its name; looked at only where the helper is missing
     * @param oflags how the program opened it
     * @param debug gets one line, without line end, for each thing asked for that cannot be had
     * @param kept gets what was opened in vain, to be closed after the program has closed its
     *     channel, because closing it drops the locks that the process has on the file
     * @return null if the file cannot be served; the file then has no cache
     */
    public static BackendFile open(
            Channel channel,
            Path path,
            int oflags,
            Wish wish,
            Consumer<String> debug,
            Consumer<Closeable> kept) {
        OwnFile.Parts parts = new OwnFile.Parts();
        parts.name = path.toString();
        parts.program = channel;
        parts.debug = debug;
        parts.kept = kept;
        parts.unpaged = wish.unpaged();
        parts.synced = (oflags & OpenFlags.DSYNC) != 0;
        parts.syncedMetadata = (oflags & OpenFlags.SYNC) == OpenFlags.SYNC;
        try {
            return open(channel, path, oflags, wish, parts) ? new OwnFile(parts) : null;
        } catch (IOException | RuntimeException e) {
            parts.say("no cache: " + words(e));
            return null;
        }
    }

    /**
     * Opens what asynchronous page requests past the kernel's cache need, while the program uses
     * its channel. Needs the helper.
     *
     * @param name for messages
     * @return null if the file cannot be served, or the channel was closed meanwhile
     */
    static BackendFile reopenDirect(
            Channel channel, String name, int oflags, Consumer<String> debug) {
        OwnFile.Parts parts = new OwnFile.Parts();
        parts.name = name;
        parts.program = channel;
        parts.debug = debug;
        NativeHelper helper = NativeHelper.load();
        int fd = helper.isAvailable() ? NativeOpening.descriptor(channel) : -1;
        try {
            Wish wish = new Wish(true, false, true);
            if (fd < 0 || !NativeOpening.open(helper, fd, oflags, wish, parts)) {
                return null;
            }
        } catch (IOException | RuntimeException e) {
            parts.say("no cache: " + words(e));
            return null;
        }
        OwnFile file = new OwnFile(parts);
        if (NativeOpening.descriptor(channel) != fd) {
            // An interrupt closed the channel: its number may have been another file's.
            file.close();
            return null;
        }
        return file;
    }

    /**
     * The kernel's cache of the file that a platform channel has open. A {@code NoKernelCache}
     * without the helper, and for files in memory or on another machine.
     */
    public static KernelCache kernelCache(Channel channel) {
        return NativeKernelCache.of(channel);
    }

    /** Counts the descriptors this process has of a file, anew whenever it is asked. */
    public static Descriptors descriptors(FileKey key, Path path) {
        return others -> {
            boolean helped = NativeHelper.load().isAvailable();
            return new ProcessDescriptors(key, helped ? null : path.getFileSystem()).count(others);
        };
    }

    /** The reason, without the file's name, which is all that some exceptions say. */
    private static String words(Exception why) {
        String words =
                why instanceof FileSystemException named ? named.getReason() : why.getMessage();
        return words == null ? why.getClass().getSimpleName() : words;
    }

    /** Key of the file of a platform channel; null without the helper. */
    public static FileKey key(Channel channel) {
        int fd = NativeHelper.load().isAvailable() ? NativeOpening.descriptor(channel) : -1;
        return fd < 0 ? null : NativeOpening.key(fd);
    }

    /** True if {@link #key} tells keys and has to load nothing: the helper is in use. */
    public static boolean tellsKeys() {
        return NativeHelper.isInUse();
    }

    /** True if a file without a name can be served: the helper is there. */
    public static boolean servesUnnamed() {
        return NativeHelper.load().isAvailable();
    }

    private static boolean open(
            Channel channel, Path path, int oflags, Wish wish, OwnFile.Parts parts)
            throws IOException {
        NativeHelper helper = NativeHelper.load();
        String whyNoRing = helper.whyNot();
        parts.platform = helper.isAvailable() ? null : path.getFileSystem();
        if (helper.isAvailable()) {
            int fd = NativeOpening.descriptor(channel);
            if (fd >= 0) {
                return NativeOpening.open(helper, fd, oflags, wish, parts);
            }
            whyNoRing = "this JDK's channels do not tell their descriptors";
        }
        return PlatformOpening.open(channel, path, oflags, wish, whyNoRing, parts);
    }

    /**
     * Leaves out the backends that come before {@code name} in the order {@code uring}, {@code
     * threads}, {@code sync}; "" allows the best there is. The first call in a process counts, if
     * no file was opened before.
     */
    public static void restrict(String name) {
        BackendChoice.restrict(name);
    }

    /**
     * How page requests are done, for the header of a report: {@code io_uring}, {@code threads} or
     * {@code sync}. This is the best backend that files were opened with so far, and {@code sync}
     * if none was opened. A ring that failed does not count.
     */
    public static String label() {
        return BackendChoice.label();
    }
}
