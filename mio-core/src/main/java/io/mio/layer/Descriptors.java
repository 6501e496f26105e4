package io.mio.layer;

/**
 * What can be found out about the descriptors this process has of one file. Asking costs system
 * calls for each descriptor of the process that nobody knows.
 */
public interface Descriptors {
    /** For a file that nobody else can have open. */
    Descriptors NONE = new None();

    /**
     * Descriptors of a file.
     *
     * @param readers that can only read
     * @param writers that can write
     */
    record Count(int readers, int writers) {}

    /**
     * Counts all but MIO's own, through which page requests go. One that is opened meanwhile may be
     * missed.
     *
     * @param others what serves opens of other files, whose descriptors are passed over
     * @return null if it cannot be told
     */
    Count count(Iterable<PlatformObjects> others);

    /** Counts none. */
    final class None implements Descriptors {
        private None() {}

        @Override
        public Count count(Iterable<PlatformObjects> others) {
            return new Count(0, 0);
        }
    }
}
