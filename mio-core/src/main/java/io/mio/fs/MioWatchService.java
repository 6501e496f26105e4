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

/** The platform's watch service; the keys it gives out are always the same objects. */
final class MioWatchService implements WatchService {
    private final MioFileSystem fileSystem;
    private final WatchService inner;

    /**
     * The key the program holds for each of the platform's. Weak both ways: a cancelled key goes
     * when the program drops it, and one that was dropped and still has events is wrapped anew.
     */
    private final Map<WatchKey, WeakReference<MioWatchKey>> keys = new WeakHashMap<>();

    MioWatchService(MioFileSystem fileSystem, WatchService inner) {
        this.fileSystem = fileSystem;
        this.inner = inner;
    }

    /** Registers a directory; null checks of the other arguments are the platform's. */
    WatchKey register(
            MioPath directory, WatchEvent.Kind<?>[] events, WatchEvent.Modifier[] modifiers)
            throws IOException {
        // The platform's poller thread would die of it and this call never return.
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
