package io.mio.fs;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.Channel;
import java.nio.file.ClosedFileSystemException;
import java.util.ArrayList;
import java.util.List;

/**
 * What was opened through a file system that can be closed. Held weakly: an object the program
 * forgot is left to the garbage collector, as with the platform. Closed channels are forgotten as
 * more are opened, before the collector has to look at them. Safe for use by several threads.
 */
final class OpenObjects {
    /** Below this size the list is never swept. */
    private static final int FEW = 64;

    private final List<WeakReference<Closeable>> objects = new ArrayList<>();

    /** Size at which the list is swept the next time. */
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

    /** Forgets closed objects; next when the list has doubled, so an add costs a few looks. */
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

    /** Number of objects remembered: for tests. */
    int size() {
        synchronized (objects) {
            return objects.size();
        }
    }

    /** True if this object will be closed: for tests. */
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

    /** Refuses all further objects. False if they were refused already. */
    boolean close() {
        synchronized (objects) {
            boolean first = !closed;
            closed = true;
            return first;
        }
    }

    /** Closes all objects, even if one of them fails; throws the first failure. */
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
