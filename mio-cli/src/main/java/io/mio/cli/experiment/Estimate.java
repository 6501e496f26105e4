package io.mio.cli.experiment;

/**
 * What an experiment needs, told before it begins.
 *
 * @param spaceBytes most bytes on the disk
 * @param movedBytes bytes between program and storage, in all runs
 * @param starts number of times a program is started
 */
public record Estimate(long spaceBytes, long movedBytes, int starts) {
    /**
     * Rate of a disk that is not the slowest; people want to know whether it takes a minute or an
     * hour.
     */
    private static final long BYTES_PER_SECOND = 400_000_000;

    private static final int STARTS_PER_SECOND = 1;

    /** Returns a very rough number of seconds. */
    public long seconds() {
        return movedBytes / BYTES_PER_SECOND + starts / STARTS_PER_SECOND + 1;
    }
}
