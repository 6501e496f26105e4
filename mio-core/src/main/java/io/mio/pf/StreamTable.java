package io.mio.pf;

import io.mio.pf.Stream.Kind;
import java.util.Arrays;

/**
 * Recognises the streams of one file, several at the same time (design section 6, "Detection").
 * Pure: requests in, streams out. Not thread-safe; called under the lock of the cache.
 *
 * <p>A stream is recognised at its second step. A request right behind (or before) an earlier one
 * makes a stream; so do two steps of the same size, with a stride. Requests inside a page that is
 * there need not be reported: the caller tells the last request of its channel, and the next page
 * counts as a continuation. The start of a file counts as the start of a forward stream, as in
 * Linux's own readahead, until the next request says otherwise.
 */
final class StreamTable {
    /** Steps that a strided reader may leave out and still be followed. */
    static final int SKIPPED_STEPS_MAX = 4;

    /** A step of this many requests is still worth whole pages. */
    private static final int DENSE_SHARE = 4;

    /** A step this small is worth whole pages in any case, bytes. */
    private static final int DENSE_BYTES = 64 << 10;

    /**
     * Requests after which what was seen is old. Then a stream goes on only right behind (or
     * before) its last request, and two requests side by side are a guess: among many random
     * requests some are always near each other.
     */
    private static final int LATELY = 16;

    /**
     * Rounds through all slots after which a stream that was not used no longer counts as active.
     */
    private static final int ACTIVE_ROUNDS = 16;

    private static final long NONE = -1;

    private final Stream[] streams;

    /** Number of streams in use, which are the first ones of the array. */
    private int used;

    private final int pageBytes;
    private final int stride;
    private final Distance distance;

    /** The last requests that belong to no stream, a ring. */
    private final long[] offsets;

    private final long[] lengths;

    /** When they were seen, in requests: sorted by age, no two at the same time. */
    private final long[] times;

    private int newest;

    private long clock;
    private long recognised;
    private int distanceMax;

    /**
     * An empty table.
     *
     * @param slots streams followed at the same time
     * @param stride forced step between pages; 1 for none
     */
    StreamTable(int slots, int pageBytes, int stride, Distance distance) {
        this.streams = new Stream[slots];
        this.offsets = new long[seenCount(slots)];
        this.lengths = new long[offsets.length];
        this.times = new long[offsets.length];
        this.pageBytes = pageBytes;
        this.stride = stride;
        this.distance = distance;
        Arrays.fill(offsets, NONE);
    }

    /** Pages from one step of a dense stream to the next. */
    int stride() {
        return stride;
    }

    /** Streams recognised so far. */
    long recognised() {
        return recognised;
    }

    /**
     * The largest distance that any stream had, steps; before there was one, the first distance.
     */
    int distanceMax() {
        return Math.max(distanceMax, distance.first());
    }

    /**
     * Enough for streams in all slots to take turns, but few, so that random requests seldom meet.
     */
    private static int seenCount(int slots) {
        return Math.max(4, Math.min(2 * slots, slots + 8));
    }

    /** Streams that were used lately. Guesses count, since streams that give way have to share. */
    int active() {
        int active = 0;
        for (int i = 0; i < used; i++) {
            active += clock - streams[i].usedAt < (long) ACTIVE_ROUNDS * streams.length ? 1 : 0;
        }
        return active;
    }

    /**
     * Looks at a request.
     *
     * @param offset bytes
     * @param length bytes, at least 1
     * @param lastOffset the request that the same channel made before, -1 for none
     * @return the stream that the request belongs to, or null
     */
    Stream seen(long offset, long length, long lastOffset, long lastLength) {
        clock++;
        Stream found = continued(offset, length, lastOffset, lastLength);
        if (found != null) {
            found.proven = true;
        } else {
            found = recognised(offset, length, lastOffset, lastLength);
        }
        if (found == null || !found.proven) {
            // A guess may be wrong: the request it began with may begin something else.
            newest = (newest + 1) % offsets.length;
            offsets[newest] = offset;
            lengths[newest] = length;
            times[newest] = clock;
        }
        if (found == null) {
            return null;
        }
        found.at(offset, length, pageBytes);
        found.usedAt = clock;
        return found;
    }

    /**
     * True if a request begins where the stream, or the same channel's last request, ended; for a
     * backward stream, if it ends where that began.
     */
    private static boolean touches(
            Stream stream, long offset, long length, long lastOffset, long lastLength) {
        if (stream.kind == Kind.BACKWARD) {
            return offset + length == stream.offset
                    || (lastOffset != NONE && offset + length == lastOffset);
        }
        return offset == stream.offset + stream.length
                || (lastOffset != NONE && offset == lastOffset + lastLength);
    }

    private boolean isCertain(Stream stream) {
        return stream.proven && clock - stream.usedAt <= LATELY;
    }

    /**
     * The stream, of those followed, that this request is the next step of. A guess has to be
     * touched, and so has a stream that was not used lately.
     */
    private Stream continued(long offset, long length, long lastOffset, long lastLength) {
        Stream youngest = null;
        for (int i = 0; i < used; i++) {
            Stream stream = streams[i];
            if ((youngest == null || stream.usedAt > youngest.usedAt)
                    && (isCertain(stream)
                            || touches(stream, offset, length, lastOffset, lastLength))
                    && stream.goesOn(offset, length, pageBytes, stride)) {
                youngest = stream;
            }
        }
        return youngest;
    }

    private Stream recognised(long offset, long length, long lastOffset, long lastLength) {
        Stream found = followed(offset, length, lastOffset, lastLength);
        if (found != null) {
            return found;
        }
        return offset == 0 && length < pageBytes ? follow(Kind.FORWARD, 0, false) : null;
    }

    private Stream followed(long offset, long length, long lastOffset, long lastLength) {
        if (lastOffset != NONE && offset == lastOffset + lastLength) {
            return follow(Kind.FORWARD, 0, true);
        }
        if (lastOffset != NONE && offset + length == lastOffset) {
            return follow(Kind.BACKWARD, 0, true);
        }
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] == NONE) {
                continue;
            }
            long step = offset - offsets[i];
            if (step == lengths[i]) {
                return followFrom(i, Kind.FORWARD, 0, isRecent(i));
            }
            if (step == -length) {
                return followFrom(i, Kind.BACKWARD, 0, isRecent(i));
            }
            if (stride > 1 && Math.abs(offset / pageBytes - offsets[i] / pageBytes) == stride) {
                return followFrom(i, step > 0 ? Kind.FORWARD : Kind.BACKWARD, 0, isRecent(i));
            }
            if (step != 0 && wasStep(i, step)) {
                return followFrom(i, kindOf(step, length), step, true);
            }
        }
        return null;
    }

    /**
     * True if a request lies as long before request {@code i} as that lies before this one, and was
     * the same step away from it. Streams that take turns come at equal gaps. Among random places
     * there are often three that are equally far apart, but seldom in this order.
     */
    private boolean wasStep(int i, long step) {
        long wanted = offsets[i] - step;
        int before = wanted < 0 ? -1 : seenAt(2 * times[i] - clock);
        return before >= 0 && offsets[before] == wanted;
    }

    /** Index of the remembered request of that time, or -1. */
    private int seenAt(long time) {
        long back = times[newest] - time;
        if (back < 0) {
            return -1;
        }
        int count = offsets.length;
        int at = newest - (int) Math.min(back, count - 1);
        at += at < 0 ? count : 0;
        while (times[at] < time) {
            at = at + 1 == count ? 0 : at + 1;
        }
        return times[at] == time ? at : -1;
    }

    private Kind kindOf(long step, long length) {
        long size = Math.abs(step);
        if (size > Math.max(DENSE_BYTES, DENSE_SHARE * length) || size > pageBytes) {
            return Kind.STRIDED;
        }
        return step > 0 ? Kind.FORWARD : Kind.BACKWARD;
    }

    private boolean isRecent(int i) {
        return clock - times[i] <= LATELY;
    }

    private Stream followFrom(int earlier, Kind kind, long step, boolean proven) {
        offsets[earlier] = NONE;
        return follow(kind, step, proven);
    }

    /** Begins a stream, in place of the one used longest ago if there is no free slot. */
    private Stream follow(Kind kind, long step, boolean proven) {
        int place = 0;
        if (used < streams.length) {
            place = used++;
        } else {
            for (int i = 1; i < streams.length; i++) {
                place = streams[i].usedAt < streams[place].usedAt ? i : place;
            }
            streams[place].isOver = true;
        }
        Stream stream = new Stream(kind, step);
        stream.proven = proven;
        streams[place] = stream;
        recognised++;
        set(stream, distance.first());
        return stream;
    }

    /** A stream for a run that goes by a plan: it has a distance like all others, and no slot. */
    Stream planned() {
        Stream stream = new Stream(Kind.PLANNED, 0);
        stream.proven = true;
        set(stream, distance.first());
        return stream;
    }

    /** The stream came to a new place. */
    void stepped(Stream stream) {
        set(stream, distance.stepped(stream.distance));
    }

    /**
     * The program had to wait for a page that was being read ahead.
     *
     * @param most steps that the cache has room for
     */
    void late(Stream stream, int most) {
        if (!stream.isOver) {
            set(stream, distance.late(stream.distance, most));
        }
    }

    /**
     * A page that was read ahead was given up unused. A dense stream with an automatic distance is
     * a guess again: among random requests two lie side by side by chance, and others near enough
     * in front of them to continue them.
     */
    void unused(Stream stream) {
        set(stream, distance.unused(stream.distance));
        if (distance.isAuto() && stream.isDense()) {
            stream.proven = false;
        }
    }

    private void set(Stream stream, int steps) {
        stream.distance = steps;
        distanceMax = Math.max(distanceMax, steps);
    }
}
