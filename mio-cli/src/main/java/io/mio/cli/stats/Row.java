package io.mio.cli.stats;

import java.util.Map;

/**
 * One line of a table: what it is of, and its figures.
 *
 * @param labels what it is of, for example a file or a program; empty for the total
 * @param top what the program did
 * @param pf null if there was no block of pf
 * @param processes that took part; {@link Counts#UNKNOWN} if it makes no sense
 * @param files names; likewise
 * @param runNanos time of these processes; likewise
 * @param systemRequests requests that reached the system; likewise
 * @param retries attempts of recov
 * @param failures calls that failed after all attempts
 */
record Row(
        Map<String, String> labels,
        Counts top,
        Counts pf,
        long processes,
        long files,
        long runNanos,
        long systemRequests,
        long retries,
        long failures) {
    static final String PROGRAM = "program";
    static final String PROCESS = "process";
    static final String FILE = "file";
    static final String ABOVE = "above";
    static final String BELOW = "below";

    /** Both together, with the labels of this one. */
    Row plus(Row other) {
        Counts tops = Counts.ofTrace();
        tops.add(top);
        tops.add(other.top);
        Counts pfs = Counts.ofPf();
        for (Counts each : new Counts[] {pf, other.pf}) {
            if (each != null) {
                pfs.add(each);
            }
        }
        return new Row(
                labels,
                tops,
                pfs.isEmpty() ? null : pfs,
                Counts.add(processes, other.processes),
                Counts.add(files, other.files),
                Counts.add(runNanos, other.runNanos),
                Counts.add(systemRequests, other.systemRequests),
                Counts.add(retries, other.retries),
                Counts.add(failures, other.failures));
    }

    /** {@link Counts#UNKNOWN} if there is none. */
    long get(Counter counter) {
        if (!counter.isOfPf()) {
            return top.get(counter);
        }
        return pf == null ? Counts.UNKNOWN : pf.get(counter);
    }

    long calls() {
        return top.sum(Counter.READS, Counter.WRITES);
    }

    long bytes() {
        return top.sum(Counter.READ_BYTES, Counter.WRITTEN_BYTES);
    }

    /**
     * Bytes per second of the time spent in I/O; NaN if not known, no time passed, or it may as
     * well have been none.
     */
    double rate() {
        long nanos = top.get(Counter.IO_NS);
        boolean isKnown = bytes() >= 0 && nanos > top.nanosOff();
        return isKnown ? bytes() / (nanos / 1e9) : Double.NaN;
    }

    /** True if the figure is rounded by more than a few percent of it. */
    boolean isRough(Counter counter) {
        if (counter == Counter.IO_NS && calls() == 0) {
            return false;
        }
        return counter.isOfPf() ? pf != null && pf.isRough(counter) : top.isRough(counter);
    }

    /** The same of {@link #bytes} and {@link #rate}. */
    boolean isRoughRate() {
        return isRough(Counter.IO_NS) || isRoughBytes();
    }

    boolean isRoughBytes() {
        return isRough(Counter.READ_BYTES) || isRough(Counter.WRITTEN_BYTES);
    }

    /** The same of {@link #meanRequest}. */
    boolean isRoughRequest() {
        return isRough(Counter.READ_REQUESTED_BYTES) || isRough(Counter.WRITE_REQUESTED_BYTES);
    }

    /** Bytes asked for by a call; NaN if not known, or if there was none. */
    double meanRequest() {
        long bytes = top.sum(Counter.READ_REQUESTED_BYTES, Counter.WRITE_REQUESTED_BYTES);
        return quotient(bytes < 0 ? bytes() : bytes, calls());
    }

    /** Bytes from one position to the next; NaN without seeks. */
    double meanSeek() {
        long seeks = top.get(Counter.SEEKS);
        return seeks <= 0 ? Double.NaN : (double) top.seekDelta() / seeks;
    }

    /** Of the pages that were wanted, those that were there: 0 to 1; NaN if not known. */
    double hitShare() {
        long wanted = pf == null ? Counts.UNKNOWN : pf.sum(Counter.HITS, Counter.MISSES);
        return quotient(get(Counter.HITS), wanted);
    }

    /** The quotient; NaN if a part is not known or there is nothing to divide by. */
    static double quotient(long dividend, long divisor) {
        return dividend < 0 || divisor <= 0 ? Double.NaN : (double) dividend / divisor;
    }

    /** The names of all labels in one, for sorting. */
    String name() {
        return String.join("\0", labels.values());
    }
}
