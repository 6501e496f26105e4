package io.mio.cli.experiment;

/**
 * What an experiment needs, said before it begins.
 *
 * @param spaceBytes on the disk, at the most
 * @param movedBytes between program and storage, in all runs
 * @param starts of programs
 */
public record Estimate(long spaceBytes, long movedBytes, int starts) {
    /** A disk that is not the slowest; people want to know whether it is a minute or an hour. */
    private static final long BYTES_PER_SECOND = 400_000_000;

    private static final int STARTS_PER_SECOND = 1;

    /** Seconds, very roughly. */
    public long seconds() {
        return movedBytes / BYTES_PER_SECOND + starts / STARTS_PER_SECOND + 1;
    }
}
