package io.mio.cli.top;

/**
 * Figures that go up and down.
 *
 * @param files open files; for one file, how often it is open; null if not known, as no trace layer
 *     counts it
 * @param dirtyBytes bytes in dirty pages, at most
 * @param requestsInFlight page requests on their way
 * @param threadsWaiting threads that wait for one now
 */
public record Gauges(Long files, long dirtyBytes, long requestsInFlight, long threadsWaiting) {
    static final Gauges NONE = new Gauges(0L, 0, 0, 0);

    Gauges plus(Gauges other) {
        return new Gauges(
                files == null || other.files == null ? null : Long.valueOf(files + other.files),
                dirtyBytes + other.dirtyBytes,
                requestsInFlight + other.requestsInFlight,
                threadsWaiting + other.threadsWaiting);
    }
}
