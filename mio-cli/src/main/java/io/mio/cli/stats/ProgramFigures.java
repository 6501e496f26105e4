package io.mio.cli.stats;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All figures that are kept of the processes of one program. */
final class ProgramFigures {
    private final String name;
    private final Map<String, FileFigures> files = new LinkedHashMap<>();
    private FileFigures others;
    private long processes;
    private long runNanosSum;
    private long runNanosMax;

    ProgramFigures(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Returns the figures of a file; null if there is none of that name. */
    FileFigures file(String file) {
        return files.get(file);
    }

    FileFigures addFile(String file) {
        FileFigures figures = new FileFigures(name, file);
        files.put(file, figures);
        return figures;
    }

    /** Returns the figures that take all files beyond the limits. */
    FileFigures others() {
        if (others == null) {
            others = new FileFigures(name, Names.OTHERS);
        }
        return others;
    }

    List<FileFigures> files() {
        List<FileFigures> all = new ArrayList<>(files.values());
        if (others != null) {
            all.add(others);
        }
        return all;
    }

    void addProcess() {
        processes++;
    }

    /** Adds the time of one process, when all of its blocks are known. */
    void addRun(long nanos) {
        runNanosSum = Counts.add(runNanosSum, nanos);
        runNanosMax = Math.max(runNanosMax, nanos);
    }

    long processes() {
        return processes;
    }

    /**
     * Returns the time from the first use of the library to the last block, of all processes
     * together; {@link Counts#UNKNOWN} if one of them did not say.
     */
    long runNanosSum() {
        return runNanosSum;
    }

    /**
     * Returns the time of the process that ran longest; {@link Counts#UNKNOWN} if a process did not
     * say.
     */
    long runNanosMax() {
        return runNanosSum < 0 ? Counts.UNKNOWN : runNanosMax;
    }
}
