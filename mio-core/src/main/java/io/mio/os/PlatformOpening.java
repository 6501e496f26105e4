package io.mio.os;

import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Opens channels of the platform by the file's name, where there is no helper. The name has to lead
 * to the same file before and after, and that file must be as long as the program's; else there is
 * no cache. What was opened in vain stays open as long as the program's channel, because closing it
 * would drop the locks that the process has on the file.
 */
final class PlatformOpening {
    private static final String IDENTITY = "unix:dev,ino,ctime,mode";
    private static final int TYPE_MASK = 0170000;
    private static final int TYPE_REGULAR = 0100000;
    private static final int ATTEMPTS = 3;

    /** Most descriptors of one file that stay open although they were opened in vain. */
    private static final int VAIN_MOST = 8;

    private final Path path;
    private final int oflags;
    private final OwnFile.Parts parts;

    /** Null if the platform does not tell it, as in a root without mounts of its own. */
    private FileStore store;

    private PlatformOpening(Path path, int oflags, OwnFile.Parts parts) {
        this.path = path;
        this.oflags = oflags;
        this.parts = parts;
    }

    /**
     * Opens the descriptors and fills {@code parts}.
     *
     * @param whyNoRing why there is no helper
     * @return false if the name does not lead to the file; what is held then was handed to {@code
     *     parts.kept}
     * @throws IOException if the file cannot be opened; likewise
     */
    static boolean open(
            Channel channel,
            Path path,
            int oflags,
            Backends.Wish wish,
            String whyNoRing,
            OwnFile.Parts parts)
            throws IOException {
        PlatformOpening opening = new PlatformOpening(path, oflags, parts);
        // Repeated, because others may change the file, and with it the time that is compared.
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (opening.attempt(channel, wish)) {
                parts.backend = BackendChoice.choose(wish.asynchronous(), false, whyNoRing, parts);
                return true;
            }
        }
        return false;
    }

    private boolean attempt(Channel channel, Backends.Wish wish) throws IOException {
        Map<String, Object> before = identity();
        if (((Integer) before.get("mode") & TYPE_MASK) != TYPE_REGULAR) {
            return false;
        }
        FileKey key = new FileKey((Long) before.get("dev"), (Long) before.get("ino"));
        SharedFile shared = SharedFile.enter(key);
        parts.shared = shared;
        boolean same = false;
        // No other open gets what is opened here before it is known which file it is.
        synchronized (shared) {
            Descriptor[] there = shared.now();
            try {
                same = shared.setAside() < VAIN_MOST && fill(channel, wish, before);
            } finally {
                if (!same) {
                    shared.setAside(there);
                    parts.direct = null;
                    parts.kept.accept(shared::leave);
                }
            }
        }
        if (same && wish.uncached()) {
            parts.say("uncached: needs the native helper; buffered instead");
        }
        return same;
    }

    /** Opens the descriptors that are not open yet. True if they are on the program's file. */
    private boolean fill(Channel channel, Backends.Wish wish, Map<String, Object> before)
            throws IOException {
        askForStore();
        int access = openBuffered();
        parts.readable = access != NativeCalls.WRITE;
        parts.writable = access != NativeCalls.READ;
        parts.remote = FileSystemTypes.isElsewhere(place());
        if (wish.direct() && !parts.shared.isBufferedOnly()) {
            openDirect(access);
        }
        return parts.buffered.size() == size(channel) && identity().equals(before);
    }

    private void askForStore() {
        try {
            store = path.getFileSystem().provider().getFileStore(path);
        } catch (IOException e) {
            store = null;
        }
    }

    /** Where the file lies; if the platform does not tell, it may be anywhere. */
    private int place() {
        return store == null ? NativeCalls.PLACE_REMOTE : FileSystemTypes.place(store.type());
    }

    private Map<String, Object> identity() throws IOException {
        return path.getFileSystem().provider().readAttributes(path, IDENTITY);
    }

    /**
     * Asks for the size without the thread's interrupt, which would close the channel and is for
     * the program's own next call.
     */
    private static long size(Channel channel) throws IOException {
        if (!(channel instanceof FileChannel file)) {
            return ((AsynchronousFileChannel) channel).size();
        }
        boolean interrupted = Thread.interrupted();
        try {
            return file.size();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int openBuffered() throws IOException {
        if (!OpenFlags.writes(oflags)) {
            parts.buffered = descriptor(NativeCalls.READ, null);
            return NativeCalls.READ;
        }
        try {
            parts.buffered = descriptor(NativeCalls.READ_WRITE, null);
            return NativeCalls.READ_WRITE;
        } catch (AccessDeniedException e) {
            if (OpenFlags.reads(oflags)) {
                throw e;
            }
            parts.buffered = descriptor(NativeCalls.WRITE, null);
            return NativeCalls.WRITE;
        }
    }

    private Descriptor descriptor(int access, OpenOption direct) throws IOException {
        return parts.shared.descriptor(
                access,
                direct != null,
                true,
                () -> {
                    Set<OpenOption> options = new HashSet<>();
                    if (access != NativeCalls.WRITE) {
                        options.add(StandardOpenOption.READ);
                    }
                    if (access != NativeCalls.READ) {
                        options.add(StandardOpenOption.WRITE);
                    }
                    if (direct != null) {
                        options.add(direct);
                    }
                    return new ChannelDescriptor(
                            AsynchronousFileChannel.open(
                                    path, options, new ChannelDescriptor.CallerRuns()),
                            new FreeSpace(store));
                });
    }

    private void openDirect(int access) {
        int place = place();
        OpenOption option = directOption();
        if (store == null) {
            parts.say("direct: the platform does not tell the file system; buffered instead");
        } else if (place == NativeCalls.PLACE_MEMORY) {
            parts.say("direct: the file system is in memory; buffered instead");
        } else if (place == NativeCalls.PLACE_REMOTE) {
            parts.say(
                    "direct: the file system is another machine's or a program's;"
                            + " buffered instead");
        } else if (option == null) {
            parts.say("direct: this JVM has no module jdk.unsupported; buffered instead");
        } else {
            try {
                Descriptor direct = descriptor(access, option);
                int block = (int) Math.min(store.getBlockSize(), 1 << 20);
                int align = Math.max(block, Limits.SMALLEST_BYTES);
                if (Integer.bitCount(align) == 1 && Limits.tried(direct, parts.readable) > 0) {
                    parts.limits(direct, align, align);
                } else {
                    parts.say("direct: the file system refuses it; buffered instead");
                }
            } catch (IOException | UnsupportedOperationException e) {
                parts.say("direct: " + e.getMessage() + "; buffered instead");
            }
        }
    }

    /** Finds the option by name, because a JVM may lack its module (jdk.unsupported). */
    private static OpenOption directOption() {
        try {
            Class<?> type = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            return (OpenOption) type.getField("DIRECT").get(null);
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            return null;
        }
    }
}
