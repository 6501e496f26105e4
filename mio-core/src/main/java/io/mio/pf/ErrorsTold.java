package io.mio.pf;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows which failed page writes of a file an open was told of, whether it has a cache or not. An
 * open is told of none from before it began, and of each later one once (design section 10). Twin
 * of {@code mio_pf_told}. Any thread.
 */
final class ErrorsTold {
    private final WriteErrors errors;

    /** Value of {@link WriteErrors#count} up to which the open was told. */
    private final AtomicLong count;

    ErrorsTold(WriteErrors errors) {
        this.errors = errors;
        this.count = new AtomicLong(errors.count());
    }

    /** True if a write failed that the open was not told of. */
    boolean isDue() {
        return count.getPlain() != errors.count();
    }

    /**
     * Tells of failed writes, if there are any that the open was not told of.
     *
     * @param name of the file, for the message
     * @throws IOException with the last error, if there is one to tell
     */
    void tell(String name) throws IOException {
        if (!isDue()) {
            return;
        }
        long now = errors.count();
        // Only one of several threads that ask at the same time is told.
        if (count.getAndAccumulate(now, Math::max) < now) {
            throw errors.failure("a write behind of " + name + " failed");
        }
    }

    /** Notes that the open was told of all errors so far, by a call that failed. */
    void all() {
        count.set(errors.count());
    }

    /**
     * Notes that the program is told by an error, which may be that pages could not be written
     * first; returns it, to be thrown.
     */
    IOException by(IOException error) {
        all();
        return error;
    }
}
