package io.mio.fs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * What was opened through a file system that can be closed. Weak: an object the program forgot is
 * the garbage collector's, as with the platform. Safe for use by several threads.
 */
final class OpenObjects {
    private final Map<Closeable, Boolean> objects = new WeakHashMap<>();
    private boolean closed;

    /** Adds an object, or closes it if the file system was closed meanwhile. */
    void add(Closeable object) throws IOException {
        synchronized (objects) {
            if (!closed) {
                objects.put(object, Boolean.TRUE);
                return;
            }
        }
        object.close();
        throw new ClosedFileSystemException();
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
        List<Closeable> all;
        synchronized (objects) {
            all = new ArrayList<>(objects.keySet());
            objects.clear();
        }
        IOException first = null;
        for (Closeable object : all) {
            try {
                object.close();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
