package io.mio.layer;

/**
 * Counts the descriptors that this process has of one file. A count costs system calls for each
 * descriptor of the process that is not known to be MIO's own or another file's.
 */
public interface Descriptors {
    /** Counts for a file that nobody else can have open. */
    Descriptors NONE = new None();

    /**
     * Descriptors of a file.
     *
     * @param readers number of those that can only read
     * @param writers number of those that can write
     */
    record Count(int readers, int writers) {}

    /**
     * Counts all descriptors of the file but MIO's own, through which page requests go. A
     * descriptor that is opened during the count may be missed.
     *
     * @param others the platform's objects of opens of other files; their descriptors are passed
     *     over
     * @return null if the descriptors cannot be counted
     */
    Count count(Iterable<PlatformObjects> others);

    /** Finds no descriptors. */
    final class None implements Descriptors {
        private None() {}

        @Override
        public Count count(Iterable<PlatformObjects> others) {
            return new Count(0, 0);
        }
    }
}
