package io.mio.cli.stats;

/** All figures that are kept of one process. */
final class ProcessFigures {
    private final ProgramFigures program;
    private final String name;

    /**
     * What the process did; null unless it has a row of its own, as there can be very many
     * processes.
     */
    private Counts top;

    private Counts pf;
    private long runNanos = Counts.UNKNOWN;
    private boolean counted;

    /**
     * Makes the figures.
     *
     * @param name the process's number, or its place in the input
     */
    ProcessFigures(ProgramFigures program, String name) {
        this.program = program;
        this.name = name;
    }

    ProgramFigures program() {
        return program;
    }

    String name() {
        return name;
    }

    /** Returns true the first time. */
    boolean count() {
        boolean first = !counted;
        counted = true;
        return first;
    }

    /** Makes the process one with a row of its own, whose figures are added up from now on. */
    void keep() {
        top = Counts.ofTrace();
    }

    boolean isKept() {
        return top != null;
    }

    /** Adds what the process did on a file. */
    void addTop(Counts counts) {
        top.add(counts);
    }

    void addPf(Counts counts) {
        if (pf == null) {
            pf = Counts.ofPf();
        }
        pf.add(counts);
    }

    void ranUntil(long nanos) {
        runNanos = Math.max(runNanos, nanos);
    }

    /** Returns how long the process ran; {@link Counts#UNKNOWN} if no block says. */
    long runNanos() {
        return runNanos;
    }

    /** Returns what the program did, of each file as {@link FileFigures#top} has it. */
    Counts top() {
        return top;
    }

    /** Returns the counts of pf; null if there was no block of pf. */
    Counts pf() {
        return pf;
    }
}
