package io.mio.fs;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/** The platform's watch service; it always gives out the same object for the same key. */
final class MioWatchService implements WatchService {
    private final MioFileSystem fileSystem;
    private final WatchService inner;

    /**
     * The key the program holds for each of the platform's. Both are held weakly: a cancelled key
     * goes when the program drops it, and a dropped key that still has events is wrapped anew.
     */
    private final Map<WatchKey, WeakReference<MioWatchKey>> keys = new WeakHashMap<>();

    MioWatchService(MioFileSystem fileSystem, WatchService inner) {
        this.fileSystem = fileSystem;
        this.inner = inner;
    }

    /** Registers a directory. The platform checks the other arguments for null. */
    WatchKey register(
            MioPath directory, WatchEvent.Kind<?>[] events, WatchEvent.Modifier[] modifiers)
            throws IOException {
        // With null the platform's poller thread would die and this call would never return.
        Objects.requireNonNull(modifiers);
        // Held while registering: a thread that takes the key first must see this directory in it.
        synchronized (keys) {
            WatchKey key = directory.inner().register(inner, events, modifiers);
            return find(key, directory);
        }
    }

    private MioWatchKey find(WatchKey key, MioPath directory) {
        WeakReference<MioWatchKey> reference = keys.get(key);
        MioWatchKey known = reference == null ? null : reference.get();
        if (known == null) {
            Path watched = (Path) key.watchable();
            MioPath own =
                    directory == null ? new MioPath(fileSystem, watched) : directory.wrap(watched);
            known = new MioWatchKey(key, own);
            keys.put(key, new WeakReference<>(known));
        }
        return known;
    }

    private WatchKey wrap(WatchKey key) {
        if (key == null) {
            return null;
        }
        synchronized (keys) {
            return find(key, null);
        }
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }

    @Override
    public WatchKey poll() {
        return wrap(inner.poll());
    }

    @Override
    public WatchKey poll(long timeout, TimeUnit unit) throws InterruptedException {
        return wrap(inner.poll(timeout, unit));
    }

    @Override
    public WatchKey take() throws InterruptedException {
        return wrap(inner.take());
    }
}
