package io.mio.fs;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.Channel;
import java.nio.file.ClosedFileSystemException;
import java.util.ArrayList;
import java.util.List;

/**
 * What was opened through a file system that can be closed. Weak: an object the program forgot is
 * the garbage collector's, as with the platform. Channels that have been closed are forgotten as
 * more are opened, before the collector has to look at them. Safe for use by several threads.
 */
final class OpenObjects {
    /** So few are not looked through. */
    private static final int FEW = 64;

    private final List<WeakReference<Closeable>> objects = new ArrayList<>();

    /** Looked through when there are so many. */
    private int sweepAt = FEW;

    private boolean closed;

    /** Adds an object, or closes it if the file system was closed meanwhile. */
    void add(Closeable object) throws IOException {
        synchronized (objects) {
            if (!closed) {
                if (objects.size() >= sweepAt) {
                    sweep();
                }
                objects.add(new WeakReference<>(object));
                return;
            }
        }
        object.close();
        throw new ClosedFileSystemException();
    }

    /** As many are kept as are looked through: an add costs a few looks, however many are open. */
    private void sweep() {
        objects.removeIf(OpenObjects::isOver);
        sweepAt = Math.max(FEW, 2 * objects.size());
    }

    private static boolean isOver(WeakReference<Closeable> reference) {
        Closeable object = reference.get();
        if (object instanceof MioFileChannel channel) {
            return channel.hasEnded();
        }
        return object == null || (object instanceof Channel channel && !channel.isOpen());
    }

    /** How many are remembered: for tests. */
    int size() {
        synchronized (objects) {
            return objects.size();
        }
    }

    /** True if this one will be closed: for tests. */
    boolean remembers(Closeable object) {
        synchronized (objects) {
            return objects.stream().anyMatch(reference -> object.equals(reference.get()));
        }
    }

    boolean isOpen() {
        synchronized (objects) {
            return !closed;
        }
    }

    /** Lets nothing more in. False if that was so already. */
    boolean close() {
        synchronized (objects) {
            boolean first = !closed;
            closed = true;
            return first;
        }
    }

    /** Closes all objects, whatever happens to the others; throws the first failure. */
    void closeAll() throws IOException {
        List<WeakReference<Closeable>> all;
        synchronized (objects) {
            all = new ArrayList<>(objects);
            objects.clear();
        }
        Exception first = null;
        for (WeakReference<Closeable> reference : all) {
            try {
                Closeable object = reference.get();
                if (object != null) {
                    object.close();
                }
            } catch (IOException | RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof IOException failure) {
            throw failure;
        }
        if (first instanceof RuntimeException failure) {
            throw failure;
        }
    }
}
