package io.mio.cli.stats;

import java.util.Map;

/**
 * One line of a table: its labels and its figures.
 *
 * @param labels what the row is of, for example a file or a program; empty for the total
 * @param top what the program did
 * @param pf null if there was no block of pf
 * @param processes processes that took part; {@link Counts#UNKNOWN} if it makes no sense
 * @param files names of files; likewise
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

    /** Returns the sum of both rows, with the labels of this one. */
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

    /** Returns a figure; {@link Counts#UNKNOWN} if there is none. */
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
     * Returns the bytes per second of the time spent in I/O; NaN if not known, if no time passed,
     * or if the time may be nothing but rounding.
     */
    double rate() {
        long nanos = top.get(Counter.IO_NS);
        boolean isKnown = bytes() >= 0 && nanos > top.nanosOff();
        return isKnown ? bytes() / (nanos / 1e9) : Double.NaN;
    }

    /** Returns true if the figure is rounded by more than a few percent of it. */
    boolean isRough(Counter counter) {
        if (counter == Counter.IO_NS && calls() == 0) {
            return false;
        }
        return counter.isOfPf() ? pf != null && pf.isRough(counter) : top.isRough(counter);
    }

    /**
     * Returns true if {@link #rate} is rounded by more than a few percent, as its time or {@link
     * #bytes} is.
     */
    boolean isRoughRate() {
        return isRough(Counter.IO_NS) || isRoughBytes();
    }

    boolean isRoughBytes() {
        return isRough(Counter.READ_BYTES) || isRough(Counter.WRITTEN_BYTES);
    }

    /** Returns true if {@link #meanRequest} is rounded by more than a few percent. */
    boolean isRoughRequest() {
        return isRough(Counter.READ_REQUESTED_BYTES) || isRough(Counter.WRITE_REQUESTED_BYTES);
    }

    /** Returns the mean bytes that a call asked for; NaN if not known, or if there was no call. */
    double meanRequest() {
        long bytes = top.sum(Counter.READ_REQUESTED_BYTES, Counter.WRITE_REQUESTED_BYTES);
        return quotient(bytes < 0 ? bytes() : bytes, calls());
    }

    /** Returns the mean bytes from one position to the next; NaN without seeks. */
    double meanSeek() {
        long seeks = top.get(Counter.SEEKS);
        return seeks <= 0 ? Double.NaN : (double) top.seekDelta() / seeks;
    }

    /** Returns the share of hits in the pages that were wanted, from 0 to 1; NaN if not known. */
    double hitShare() {
        long wanted = pf == null ? Counts.UNKNOWN : pf.sum(Counter.HITS, Counter.MISSES);
        return quotient(get(Counter.HITS), wanted);
    }

    /** Returns the quotient; NaN if a part is not known or there is nothing to divide by. */
    static double quotient(long dividend, long divisor) {
        return dividend < 0 || divisor <= 0 ? Double.NaN : (double) dividend / divisor;
    }

    /** Returns all labels joined into one text, for sorting. */
    String name() {
        return String.join("\0", labels.values());
    }
}
