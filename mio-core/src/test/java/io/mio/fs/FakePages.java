package io.mio.fs;

import io.mio.layer.FileKey;
import io.mio.layer.Layer;
import io.mio.os.BackendFile;
import io.mio.os.Backends;
import io.mio.os.FakeBackend;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Claims that files have pages; keeps what it was asked. */
class FakePages extends PageFiles {
    final Set<FileKey> cached = new HashSet<>();
    final List<FileKey> published = new ArrayList<>();
    final List<FileKey> truncated = new ArrayList<>();
    final List<Backends.Wish> wishes = new ArrayList<>();
    IOException failure;

    /** For each close of what was opened in vain, whether the program's channel was still open. */
    final List<Boolean> vain = new ArrayList<>();

    boolean serves = true;

    /** Claims that every file has pages, with nothing to publish. */
    static FakePages ofAll() {
        return new FakePages() {
            @Override
            boolean any() {
                return true;
            }

            @Override
            boolean has(FileKey key) {
                return key != null;
            }
        };
    }

    @Override
    boolean any() {
        return !cached.isEmpty();
    }

    @Override
    boolean has(FileKey key) {
        return cached.contains(key);
    }

    @Override
    void publish(FileKey key) throws IOException {
        if (has(key)) {
            published.add(key);
            if (failure != null) {
                throw failure;
            }
        }
    }

    @Override
    <T> T truncating(FileKey key, Layer.IoCall<T> open, Predicate<T> isThis) throws IOException {
        T opened = open.call();
        if (has(key)) {
            truncated.add(key);
        }
        return opened;
    }

    /** False, because a fake backend opens by name. */
    @Override
    boolean servesUnnamed() {
        return false;
    }

    @Override
    BackendFile backend(
            Channel channel,
            Path path,
            int oflags,
            Backends.Wish wish,
            Consumer<String> debug,
            Consumer<Closeable> kept) {
        wishes.add(wish);
        if (!serves) {
            debug.accept("cannot be served");
            kept.accept(() -> vain.add(channel.isOpen()));
        }
        return serves ? FakeBackend.open(path, wish.direct()) : null;
    }
}
