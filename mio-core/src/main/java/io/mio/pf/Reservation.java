package io.mio.pf;

/**
 * The stretch of a file that space was set aside for. Whoever asks the file system for more holds
 * its monitor from the look to the note.
 */
final class Reservation {
    private long from;
    private long to;

    synchronized boolean has(long first, long end) {
        return first >= from && end <= to;
    }

    /** Bytes right before this place for which it was. */
    synchronized long before(long first) {
        return follows(first) ? first - from : 0;
    }

    private boolean follows(long first) {
        return first >= from && first <= to;
    }

    /** Space was set aside for these bytes. */
    synchronized void add(long first, long end) {
        boolean follows = follows(first) && end > 0;
        to = follows ? Math.max(to, end) : end;
        from = follows ? from : first;
    }

    /** The file was cut: what lay behind its new end is free again. */
    synchronized void cut(long size) {
        to = Math.min(to, size);
    }

    /** Nothing is known of it. */
    synchronized void clear() {
        from = 0;
        to = 0;
    }
}
