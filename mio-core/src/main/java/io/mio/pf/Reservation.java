package io.mio.pf;

/**
 * The bytes of a file that space was set aside for: the stretch that is being written, and the
 * sectors of earlier stretches. A thread that asks the file system for more holds this object's
 * monitor from its look here until it has noted the new stretch.
 */
final class Reservation {
    /**
     * A cut by less than this is a small one: of a journal, or of a log that begins anew. Bytes.
     */
    private static final long SMALL_BYTES = 1 << 20;

    /** After this many small cuts in a row, more are expected. */
    private static final int CUTS = 4;

    /** Size of a sector, bytes; 0: the file has no pages. */
    private int sector;

    private long from;
    private long to;

    /** The sectors of earlier stretches. */
    private final ReservedSectors before = new ReservedSectors();

    private int smallCuts;
    private long cutAt;

    /**
     * True if space is to be set aside for bytes up to this place. Not right behind a cut where the
     * file is cut time and again: giving back what was set aside takes a file system longer than
     * the cut and the writes do.
     */
    synchronized boolean isWorth(long end) {
        return smallCuts < CUTS || end <= cutAt || end - cutAt > SMALL_BYTES;
    }

    synchronized boolean has(long first, long end) {
        return (first >= from && end <= to)
                || (sector > 0 && before.has(first / sector, (end + sector - 1) / sector));
    }

    /** Bytes right before this place for which space was set aside. */
    synchronized long before(long first) {
        return follows(first) ? first - from : 0;
    }

    private boolean follows(long first) {
        return first >= from && first <= to;
    }

    /** Space was set aside for these bytes. */
    synchronized void add(long first, long end) {
        if (follows(first)) {
            to = Math.max(to, end);
            return;
        }
        if (sector > 0) {
            // A cut may have left a part of a sector.
            before.add(from / sector, to / sector);
        }
        from = first;
        to = end;
    }

    /** The file, known to have {@code known} bytes, was cut: space behind its new end is free. */
    synchronized void cut(long known, long size) {
        to = Math.min(to, size);
        if (sector > 0) {
            before.cut(size / sector);
        }
        if (size < known) {
            smallCuts = known - size < SMALL_BYTES ? Math.min(smallCuts + 1, CUTS) : 0;
            cutAt = size;
        }
    }

    /** What was set aside may have been given back. */
    synchronized void gone() {
        from = 0;
        to = 0;
        before.clear();
    }

    /** The file gets pages, with sectors of this size; nothing is known of set-aside space. */
    synchronized void begin(int sectorBytes) {
        gone();
        sector = sectorBytes;
        smallCuts = 0;
    }

    /** The file has no pages any more. */
    synchronized void end() {
        begin(0);
    }
}
