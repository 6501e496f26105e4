package io.mio.fs;

import io.mio.layer.FileKey;
import io.mio.layer.Layer;
import io.mio.os.BackendFile;
import io.mio.os.Backends;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the doors ask the packages below about files with pages: which files have some, and how page
 * requests are done. All in one place, so that a test can put its own answers there.
 */
class PageFiles {
    /** The answers of this process. */
    static final PageFiles OF_PROCESS = new PageFiles();

    /** True if any file has pages; costs one look at a field. */
    boolean any() {
        return CachedFiles.any();
    }

    /** True if this file has pages. */
    boolean has(FileKey key) {
        return CachedFiles.find(key) != null;
    }

    /**
     * Brings the kernel up to date with the file, if it has pages.
     *
     * @throws IOException if a page cannot be written
     */
    void publish(FileKey key) throws IOException {
        CachedFile file = CachedFiles.find(key);
        if (file != null) {
            file.publish();
        }
    }

    /**
     * Runs an open that cuts the file to nothing, with the file's gate alone if it has pages.
     *
     * @param isThis tells whether what was opened is this file: its name may lead elsewhere by now
     */
    <T> T truncating(FileKey key, Layer.IoCall<T> open, Predicate<T> isThis) throws IOException {
        CachedFile file = CachedFiles.find(key);
        return file == null ? open.call() : file.truncating(open, isThis);
    }

    /** Brings the kernel up to date with all files that have pages. */
    void publishAll() throws IOException {
        CachedFiles.publishAll();
    }

    /** As {@link Backends#tellsKeys}. */
    boolean tellsKeys() {
        return Backends.tellsKeys();
    }

    /** Key of the file of a platform's channel; null if it cannot be told. */
    FileKey key(Channel channel) {
        return Backends.key(channel);
    }

    /**
     * Called when an open has cut this file to nothing; the file may have got pages meanwhile.
     *
     * @param key the file's key, or null: it may be any file
     */
    void wasCut(FileKey key) {
        CachedFiles.wasCut(key);
    }

    /**
     * Called when the platform opened a file that gets no layers; files may have got pages
     * meanwhile.
     *
     * @param key the file's key, or null: it may be any file
     */
    void openedBeside(FileKey key) {
        CachedFiles.openedBeside(key);
    }

    /** As {@link Backends#servesUnnamed}. */
    boolean servesUnnamed() {
        return Backends.servesUnnamed();
    }

    /** As {@link Backends#open}. */
    BackendFile backend(
            Channel channel,
            Path path,
            int oflags,
            Backends.Wish wish,
            Consumer<String> debug,
            Consumer<Closeable> kept) {
        return Backends.open(channel, path, oflags, wish, debug, kept);
    }
}
