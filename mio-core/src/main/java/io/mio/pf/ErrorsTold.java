package io.mio.pf;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which failed page writes of a file an open was told of, whether it has a cache or not: those
 * before it began, and then each once (design section 10). Twin of {@code mio_pf_told}. Any thread.
 */
final class ErrorsTold {
    private final WriteErrors errors;

    /** As the file counts them. */
    private final AtomicLong count;

    ErrorsTold(WriteErrors errors) {
        this.errors = errors;
        this.count = new AtomicLong(errors.count());
    }

    /** One failed that the open was not told of. */
    boolean isDue() {
        return count.getPlain() != errors.count();
    }

    /**
     * Tells it.
     *
     * @param name of the file, for the message
     * @throws IOException with the last one, if there is any
     */
    void tell(String name) throws IOException {
        if (!isDue()) {
            return;
        }
        long now = errors.count();
        // Of threads that ask at once one is told.
        if (count.getAndAccumulate(now, Math::max) < now) {
            throw errors.failure("a write behind of " + name + " failed");
        }
    }

    /** It was told of all there are, by a call that failed. */
    void all() {
        count.set(errors.count());
    }
}
