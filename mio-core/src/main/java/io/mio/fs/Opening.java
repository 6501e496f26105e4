package io.mio.fs;

import io.mio.jfr.Flight;
import io.mio.jfr.Watch;
import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.NoKernelCache;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.layer.PlatformObjects;
import io.mio.os.BackendFile;
import io.mio.os.Backends;
import io.mio.pf.AutoLayer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * One open of a file that a rule matches: when it began, and what one look at the file's attributes
 * tells. The look comes after the open, because the file may not exist before. For {@code
 * DELETE_ON_CLOSE} it comes before, because Linux has the file unlinked when the open returns.
 */
final class Opening {
    private static final int UNKNOWN = -1;

    private final FileName name;
    private final int oflags;
    private final long openedNanos;

    /** The flight recorder's event of the open; null if nobody records it. */
    private final Object event;

    private long openNanos;
    private boolean looked;

    /** What the look told; null where unknown. */
    private FileFacts facts;

    /** Key that the descriptor told; null if it was not asked or did not tell. */
    private FileKey known;

    private boolean cutAtOpen;

    /** See {@link #keep}. */
    private List<Closeable> kept = List.of();

    private Opening(FileName name, Set<? extends OpenOption> options) {
        this.name = name;
        this.oflags = OpenFlags.of(options);
        if (options.contains(StandardOpenOption.DELETE_ON_CLOSE)) {
            look();
            if (OpenFlags.writes(oflags) && (oflags & OpenFlags.TRUNC) != 0) {
                cutAtOpen = true;
            }
        }
        Watch.look();
        this.event = Flight.open();
        this.openedNanos = System.nanoTime();
    }

    /**
     * Begins an open. Call this right before the platform opens the file. Under {@code pf/auto}
     * alone, where the size is asked for first, it is called after: nothing there uses the time of
     * the open.
     */
    static Opening begin(Path inner, Set<? extends OpenOption> options) {
        return begin(new FileName(inner), options);
    }

    /** As {@code begin} of a path, for a file that need not be looked at by its path. */
    static Opening begin(FileName name, Set<? extends OpenOption> options) {
        return new Opening(name, options);
    }

    /**
     * Notes that the platform has opened the file; call this right after it. Returns whether it is
     * a regular file or a block device, the only kinds with layers; true if that is not known.
     */
    boolean opened() {
        openNanos = System.nanoTime() - openedNanos;
        if (!looked) {
            look();
        }
        return isServed();
    }

    /** Returns the same as {@link #opened}, but later, when more may be known of the file. */
    boolean isServed() {
        return facts == null || (facts.isRegular() && !isKernels()) || isDevice();
    }

    /** Whether it is the kernel's own, by a link or another mount: those always look empty. */
    private boolean isKernels() {
        return facts.sizeBytes() == 0
                && facts.isOnNoDevice()
                && PassedThrough.isPlace(
                        new StorePlace(inner(), facts.device(), facts.key()).type());
    }

    /** Whether it is a block device, which has no cache; valid once {@link #opened}. */
    boolean isDevice() {
        return facts != null && facts.isBlockDevice();
    }

    Path inner() {
        return name.path();
    }

    /** Whether {@link #inner} leads to the file; valid once {@link #opened}. */
    boolean hasPath() {
        return name.leadsTo(key());
    }

    /** Whether a file of unknown key may be any file; by a path no key means that none is there. */
    boolean mayBeAny() {
        return name instanceof NameInDirectory;
    }

    int oflags() {
        return oflags;
    }

    /** Tells the flight recorder that the file has got its layers. */
    void layered(Layer front) {
        if (event != null) {
            String layers = String.valueOf(front.next());
            String flags = OpenFlags.names(oflags);
            Flight.opened(event, inner().toString(), layers, flags, sizeBytes());
        }
    }

    /** True if the open cuts an existing file to nothing. */
    boolean cuts() {
        return (oflags & OpenFlags.TRUNC) != 0;
    }

    /** Key of the file that the open would find now, or null. */
    FileKey keyNow() {
        return (oflags & OpenFlags.NOFOLLOW) != 0
                ? name.key(LinkOption.NOFOLLOW_LINKS)
                : name.key();
    }

    /** The file's key, or null; valid once {@link #opened}. */
    FileKey key() {
        return known == null && facts != null ? facts.key() : known;
    }

    /**
     * Sets the key that the descriptor told, or null if it told none. Where the name led to another
     * file when it was looked at, what was found there is forgotten.
     */
    void is(FileKey file) {
        known = file;
        if (file != null && facts != null && !facts.key().equals(file)) {
            facts = null;
        }
    }

    /** Has an object opened in vain closed with the file; call before {@link #request}. */
    void keep(Closeable unused) {
        if (kept.isEmpty()) {
            kept = new ArrayList<>();
        }
        kept.add(unused);
    }

    /** Size just after the open; 0 where it is not known. */
    long sizeBytes() {
        return facts == null || cutAtOpen ? 0 : facts.sizeBytes();
    }

    /** Size the file has now, or -1 where its name does not lead to it. */
    long sizeNow() {
        FileFacts now = name.facts();
        return now == null || !now.key().equals(key()) ? UNKNOWN : now.sizeBytes();
    }

    /**
     * Makes the request that the layers get.
     *
     * @param front what the rule asks of the open
     * @param backend what page requests need, or null
     * @param executor see {@link OpenRequest#executor}
     * @param interruptible see {@link OpenRequest#interruptible}
     * @param opened everything that the platform has opened for the file
     */
    OpenRequest request(
            FrontOptions front,
            BackendFile backend,
            Executor executor,
            boolean interruptible,
            Closeable... opened) {
        boolean direct = backend != null && backend.isDirect();
        return new OpenRequest(
                inner().toString(),
                direct && front.direct() ? oflags | OpenFlags.DIRECT : oflags,
                facts == null ? UNKNOWN : facts.permissions(),
                isDevice() ? deviceBytes(opened) : sizeBytes(),
                openedNanos,
                openNanos,
                new StorePlace(
                        inner(), facts == null || !hasPath() ? UNKNOWN : facts.device(), key()),
                backend == null ? key() : backend.key(),
                executor,
                interruptible,
                backend != null,
                backend != null && !backend.isReadable(),
                direct,
                new PlatformObjects(OpenFlags.writes(oflags), opened).keep(kept),
                descriptors(front, backend),
                kernelCache(front, opened));
    }

    /**
     * Size of a block device, which its attributes do not tell; 0 where the channel does not
     * either. An interrupted thread does not ask, as that would close the channel.
     */
    private static long deviceBytes(Closeable... opened) {
        if (Thread.currentThread().isInterrupted()) {
            return 0;
        }
        try {
            for (Closeable each : opened) {
                if (each instanceof FileChannel channel) {
                    return channel.size();
                }
                if (each instanceof AsynchronousFileChannel channel) {
                    return channel.size();
                }
            }
        } catch (IOException e) {
            // Only reports use the size.
        }
        return 0;
    }

    /** Returns what counts the descriptors of a file that has pages, or may get some. */
    private Descriptors descriptors(FrontOptions front, BackendFile backend) {
        if (backend != null) {
            return backend.descriptors();
        }
        return front.hints() && key() != null
                ? Backends.descriptors(key(), inner())
                : Descriptors.NONE;
    }

    /** The kernel's cache of the file, through the channel among the opened objects. */
    private KernelCache kernelCache(FrontOptions front, Closeable... opened) {
        if (front.hints() && !isDevice() && AutoLayer.mayGain(oflags, sizeBytes())) {
            for (Closeable each : opened) {
                if (each instanceof Channel channel) {
                    return Backends.kernelCache(channel);
                }
            }
        }
        return NoKernelCache.PLAIN;
    }

    private void look() {
        looked = true;
        facts = name.facts();
    }

    /** What a file store tells of itself. */
    private record Store(String type, long sectorBytes) {}

    /**
     * The file system of a file. It is asked when needed, and once for each device: to find a store
     * the JDK reads the whole table of mounts, which takes many times as long as the open.
     */
    private static final class StorePlace implements OpenRequest.Place {
        private static final Store NOT_TOLD = new Store("unknown", 0);
        private static final Map<Long, Store> BY_DEVICE = new ConcurrentHashMap<>();

        private final Path inner;
        private final long device;
        private final FileKey key;
        private Store store;

        StorePlace(Path inner, long device, FileKey key) {
            this.inner = inner;
            this.device = device;
            this.key = key;
        }

        @Override
        public String type() {
            return store().type();
        }

        @Override
        public long sectorBytes() {
            return store().sectorBytes();
        }

        @Override
        public long changeStamp() {
            FileFacts facts = FileFacts.of(inner);
            return facts == null || !facts.key().equals(key) ? -1 : facts.changeStamp();
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
            } catch (IOException | UnsupportedOperationException | SecurityException e) {
                return null;
            }
        }
    }
}
