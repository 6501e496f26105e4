package io.mio.cli.plot;

/**
 * The range of offsets that needs an axis: that of events that moved bytes. An event that has an
 * offset and moved nothing, such as a read behind the end, counts only if there is nothing else.
 */
public final class Touched {
    private long begin = Long.MAX_VALUE;
    private long end = -1;
    private long emptyBegin = Long.MAX_VALUE;
    private long emptyEnd = -1;

    /** Adds what begins at an offset, or has none (-1), and goes so many bytes up. */
    public void add(long offset, long bytes) {
        if (offset >= 0) {
            add(offset, offset + bytes, bytes);
        }
    }

    /** Adds a range in any direction, of which so many bytes were moved. */
    public void add(long from, long to, long bytes) {
        if (from < 0) {
            return;
        }
        long low = Math.min(from, to);
        long high = Math.max(from, to);
        if (bytes > 0) {
            begin = Math.min(begin, low);
            end = Math.max(end, high);
        } else {
            emptyBegin = Math.min(emptyBegin, low);
            emptyEnd = Math.max(emptyEnd, high);
        }
    }

    /** Returns the least offset, -1 if there is none. */
    public long begin() {
        return end >= 0 ? begin : emptyEnd >= 0 ? emptyBegin : -1;
    }

    /** Returns the end behind the last byte, -1 if there is none. */
    public long end() {
        return end >= 0 ? end : emptyEnd;
    }
}
