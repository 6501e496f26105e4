package io.mio.cli.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The series of a run, in the order in which they were met. */
final class SeriesTable {
    private static final int STAGES = Stage.values().length;
    private static final int WHATS = What.values().length;

    /** Index + 1, by file, then stage and what. */
    private final int[][] indexes;

    private final List<Series> series = new ArrayList<>();
    private boolean[] lines = new boolean[16];
    private boolean[] failed = new boolean[16];
    private int[] files = new int[16];

    SeriesTable(int fileCount) {
        indexes = new int[fileCount][];
    }

    int index(int file, Stage stage, What what) {
        if (indexes[file] == null) {
            indexes[file] = new int[STAGES * WHATS];
        }
        int[] ofFile = indexes[file];
        int at = stage.ordinal() * WHATS + what.ordinal();
        if (ofFile[at] == 0) {
            int index = series.size();
            if (index == files.length) {
                lines = Arrays.copyOf(lines, 2 * index);
                failed = Arrays.copyOf(failed, 2 * index);
                files = Arrays.copyOf(files, 2 * index);
            }
            lines[index] = what.isTransfer();
            failed[index] = what == What.FAILED;
            files[index] = file;
            series.add(new Series(file, stage, what));
            ofFile[at] = index + 1;
        }
        return ofFile[at] - 1;
    }

    /** Returns whether the marks of a series may follow one another and become lines. */
    boolean hasLines(int index) {
        return lines[index];
    }

    boolean isFailed(int index) {
        return failed[index];
    }

    int file(int index) {
        return files[index];
    }

    List<Series> all() {
        return List.copyOf(series);
    }
}
