package io.mio.pf;

import java.io.IOException;

/**
 * Errors of page writes of one file that the program does not wait for. Added under the lock of the
 * cache; read without it.
 */
final class WriteErrors {
    private volatile long count;
    private Throwable last;

    /** A page could not be written. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the cache
    void add(Throwable error) {
        last = error;
        count++;
    }

    /** Goes up with every failed write of a page. */
    long count() {
        return count;
    }

    /** The exception by which the program is told of the last error. */
    IOException failure(String what) {
        Throwable error = last;
        String reason = error == null || error.getMessage() == null ? "" : error.getMessage();
        return new IOException(what.isEmpty() ? reason : what + ": " + reason, error);
    }
}
