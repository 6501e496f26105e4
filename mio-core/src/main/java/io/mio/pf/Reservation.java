package io.mio.pf;

/**
 * The stretch of a file that space was set aside for. Whoever asks the file system for more holds
 * its monitor from the look to the note.
 */
final class Reservation {
    /** A cut by less is a small one: of a journal, or a log that begins anew. */
    private static final long SMALL_BYTES = 1 << 20;

    /** So many small cuts in a row, and more are expected. */
    private static final int CUTS = 4;

    private long from;
    private long to;
    private int smallCuts;
    private long cutAt;

    /**
     * Whether space is to be set aside for bytes up to this place. Not right behind a cut where the
     * file is cut time and again: giving back what was set aside takes a file system longer than
     * the cut and the writes do.
     */
    synchronized boolean isWorth(long end) {
        return smallCuts < CUTS || end <= cutAt || end - cutAt > SMALL_BYTES;
    }

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

    /** The file, known to have had so many bytes, was cut: what lay behind its new end is free. */
    synchronized void cut(long known, long size) {
        to = Math.min(to, size);
        if (size < known) {
            smallCuts = known - size < SMALL_BYTES ? Math.min(smallCuts + 1, CUTS) : 0;
            cutAt = size;
        }
    }

    /** Nothing is known of it. */
    synchronized void clear() {
        from = 0;
        to = 0;
        smallCuts = 0;
    }
}
