package io.mio.fs;

import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.Watchable;
import java.util.ArrayList;
import java.util.List;

/** The platform's key for a directory the program registered as {@link #watchable}. */
final class MioWatchKey implements WatchKey {
    private final WatchKey inner;
    private final MioPath directory;

    MioWatchKey(WatchKey inner, MioPath directory) {
        this.inner = inner;
        this.directory = directory;
    }

    @Override
    public boolean isValid() {
        return inner.isValid();
    }

    @Override
    public List<WatchEvent<?>> pollEvents() {
        List<WatchEvent<?>> events = inner.pollEvents();
        List<WatchEvent<?>> wrapped = new ArrayList<>(events.size());
        for (WatchEvent<?> event : events) {
            wrapped.add(wrap(event));
        }
        return wrapped;
    }

    private WatchEvent<?> wrap(WatchEvent<?> event) {
        if (!(event.context() instanceof Path)) {
            return event; // OVERFLOW: it names no file
        }
        @SuppressWarnings("unchecked") // an event whose context is a path has a kind of paths
        WatchEvent<Path> ofPath = (WatchEvent<Path>) event;
        return new MioWatchEvent(ofPath.kind(), ofPath.count(), directory.wrap(ofPath.context()));
    }

    @Override
    public boolean reset() {
        return inner.reset();
    }

    @Override
    public void cancel() {
        inner.cancel();
    }

    @Override
    public Watchable watchable() {
        return directory;
    }
}
