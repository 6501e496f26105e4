package io.mio.cli.experiment;

import io.mio.cli.bench.BenchOptions.Door;

/**
 * What the user wants of every experiment.
 *
 * @param sizeBytes size of the file; 0: as the scale says
 * @param runs runs of each configuration; 0: as the experiment says
 */
public record Settings(Scale scale, long sizeBytes, int runs, Door door) {
    /** Returns the size given, or the one of three that belongs to the scale. */
    public long bytes(long small, long usual, long full) {
        return sizeBytes > 0 ? sizeBytes : scale.choose(small, usual, full);
    }

    /** Returns the number given, or the one of three that belongs to the scale. */
    public int runs(int small, int usual, int full) {
        return runs > 0 ? runs : scale.choose(small, usual, full);
    }
}
