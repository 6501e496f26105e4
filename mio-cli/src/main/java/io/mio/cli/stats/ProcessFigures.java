package io.mio.cli.stats;

/** All that is kept of one process. */
final class ProcessFigures {
    private final ProgramFigures program;
    private final String name;

    /** Null unless the process has a row of its own: there can be very many. */
    private Counts top;

    private Counts pf;
    private long runNanos = Counts.UNKNOWN;
    private boolean counted;

    /**
     * @param name its number, or where it began in the input
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

    /** True the first time. */
    boolean count() {
        boolean first = !counted;
        counted = true;
        return first;
    }

    /** From here on its figures are added up. */
    void keep() {
        top = Counts.ofTrace();
    }

    boolean isKept() {
        return top != null;
    }

    /** What it did on a file. */
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

    /** {@link Counts#UNKNOWN} if no block says. */
    long runNanos() {
        return runNanos;
    }

    /** What the program did: of each file as {@link FileFigures#top} has it. */
    Counts top() {
        return top;
    }

    /** Null if there was no block of pf. */
    Counts pf() {
        return pf;
    }
}
