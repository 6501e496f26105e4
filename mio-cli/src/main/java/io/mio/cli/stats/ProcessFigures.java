package io.mio.cli.stats;

/** All that is kept of one process. */
final class ProcessFigures {
    private static final int TOP = 0;
    private static final int LOWER = 1;
    private static final int PF = 2;

    private final ProgramFigures program;
    private final String name;

    /** Null unless the process has a row of its own: there can be very many. */
    private Counts[] kept;

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
        kept = new Counts[3];
    }

    void addTrace(boolean isTop, Counts counts) {
        if (kept != null) {
            int kind = isTop ? TOP : LOWER;
            if (kept[kind] == null) {
                kept[kind] = Counts.ofTrace();
            }
            kept[kind].add(counts);
        }
    }

    void addPf(Counts counts) {
        if (kept != null) {
            if (kept[PF] == null) {
                kept[PF] = Counts.ofPf();
            }
            kept[PF].add(counts);
        }
    }

    void ranUntil(long nanos) {
        runNanos = Math.max(runNanos, nanos);
    }

    /** {@link Counts#UNKNOWN} if no block says. */
    long runNanos() {
        return runNanos;
    }

    /** What the program did; where that is not traced, what was seen below. */
    Counts top() {
        Counts counts = kept[TOP] == null ? kept[LOWER] : kept[TOP];
        return counts == null ? Counts.ofTrace() : counts;
    }

    /** Null if there was no block of pf. */
    Counts pf() {
        return kept[PF];
    }
}
