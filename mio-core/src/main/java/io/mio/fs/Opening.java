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
 * One open of a file that a rule matches: when it began, and what is found out about the file, with
 * one look at its attributes. Looked at after the open, because only then it exists; before, for
 * {@code DELETE_ON_CLOSE}, because Linux has it unlinked when the open returns.
 */
final class Opening {
    private static final int UNKNOWN = -1;

    private final FileName name;
    private final int oflags;
    private final long openedNanos;

    /** What the flight recorder is told; null if nobody records it. */
    private final Object event;

    private long openNanos;
    private boolean looked;

    /** Null where unknown. */
    private FileFacts facts;

    /** By its descriptor, or null: it was not asked. */
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
     * To be called right before the platform opens the file; after it where its size was asked for
     * first, under {@code pf/auto} alone, which has no use for when it was.
     */
    static Opening begin(Path inner, Set<? extends OpenOption> options) {
        return begin(new FileName(inner), options);
    }

    /** The same, of a file that need not be looked at by its path. */
    static Opening begin(FileName name, Set<? extends OpenOption> options) {
        return new Opening(name, options);
    }

    /**
     * To be called right after. Returns whether it is a regular file or a block device, the only
     * kinds with layers.
     */
    boolean opened() {
        openNanos = System.nanoTime() - openedNanos;
        if (!looked) {
            look();
        }
        return isServed();
    }

    /** The same later, when more may be known of it. */
    boolean isServed() {
        return facts == null || (facts.isRegular() && !isKernels()) || isDevice();
    }

    /** A file of the kernel's own, by a link or another mount: those always look empty. */
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

    /** Whether a file that no key is known of may be any; a path tells if there is one. */
    boolean mayBeAny() {
        return name instanceof NameInDirectory;
    }

    int oflags() {
        return oflags;
    }

    /** It has got its layers: the flight recorder is told. */
    void layered(Layer front) {
        if (event != null) {
            String layers = String.valueOf(front.next());
            String flags = OpenFlags.names(oflags);
            Flight.opened(event, inner().toString(), layers, flags, sizeBytes());
        }
    }

    /** True if the open cuts a file that is there to nothing. */
    boolean cuts() {
        return (oflags & OpenFlags.TRUNC) != 0;
    }

    /** What the open would find now: the file that is there, or null. */
    FileKey keyNow() {
        return (oflags & OpenFlags.NOFOLLOW) != 0
                ? name.key(LinkOption.NOFOLLOW_LINKS)
                : name.key();
    }

    /** What the file is known by, or null; valid once {@link #opened}. */
    FileKey key() {
        return known == null && facts != null ? facts.key() : known;
    }

    /**
     * Its descriptor tells what it is known by, or null: it does not. Where the name led to another
     * file by the time it was looked at, what was found there is forgotten.
     */
    void is(FileKey file) {
        known = file;
        if (file != null && facts != null && !facts.key().equals(file)) {
            facts = null;
        }
    }

    /** Has what was opened in vain closed when the open ends; before {@link #request}. */
    void keep(Closeable unused) {
        if (kept.isEmpty()) {
            kept = new ArrayList<>();
        }
        kept.add(unused);
    }

    /** Size just after the open; 0 where that is not known. */
    long sizeBytes() {
        return facts == null || cutAtOpen ? 0 : facts.sizeBytes();
    }

    /** Size the file has now, or -1 where its name does not lead to it. */
    long sizeNow() {
        FileFacts now = name.facts();
        return now == null || !now.key().equals(key()) ? UNKNOWN : now.sizeBytes();
    }

    /**
     * What the layers are told.
     *
     * @param front what the rule asks of the open
     * @param backend what page requests need, or null
     * @param executor see {@link OpenRequest#executor}
     * @param interruptible see {@link OpenRequest#interruptible}
     * @param opened all that the platform has opened for it
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
     * Attributes do not tell; 0 where the channel does not either. An interrupted thread does not
     * ask, as that closes the channel.
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
            // It is for reports alone.
        }
        return 0;
    }

    /** Of a file that has pages, or may get some. */
    private Descriptors descriptors(FrontOptions front, BackendFile backend) {
        if (backend != null) {
            return backend.descriptors();
        }
        return front.hints() && key() != null
                ? Backends.descriptors(key(), inner())
                : Descriptors.NONE;
    }

    /** Through the channel among what is opened. */
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
