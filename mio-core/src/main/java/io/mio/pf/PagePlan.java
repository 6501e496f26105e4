package io.mio.pf;

import io.mio.stats.PfSnapshot;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The pages of one file in the order in which an earlier run read them, and how far this run has
 * come in it. Pure: requests in, places of the plan out. Not thread-safe; called under the lock of
 * the cache. Constant work for each page of a request.
 *
 * <p>A <em>place</em> is one visit of a page: its number and the part of it that was read. A run
 * goes by the plan as long as most of its requests lie near the place where it is: a few places in
 * front of it, since threads overtake each other, or behind. If they do not, the run is elsewhere,
 * until some requests follow one another as somewhere in the plan.
 */
final class PagePlan {
    /** The most places; each takes 10 bytes, and up to 12 for finding pages. */
    static final int PLACES_MAX = 4 << 20;

    /** No place. */
    static final int NONE = -1;

    /** Number of parts in which a page is planned. */
    private static final int PARTS = 256;

    /** Bytes between two parts of a page up to which both are read together. */
    private static final int TOGETHER_BYTES = 16 << 10;

    /** Number of places that are looked at in front of the run, and behind. */
    private static final int WINDOW = 64;

    /** A request fewer places than this in front of the run shows that the run goes by the plan. */
    private static final int NEAR = 8;

    // Trust: one more for each request near in front, TRUST_LOST less for each that is nowhere
    // near.
    private static final int TRUST_FIRST = 4;
    private static final int TRUST_MAX = 16;
    private static final int TRUST_LOST = 2;

    /** Requests that must follow one another as in the plan for the run to go by it again. */
    private static final int FOUND_AGAIN = 3;

    /** Requests in a row that are looked up while the run does not go by the plan. */
    private static final int LOOKS = 8;

    /** Such a row begins once in this many requests: a look misses the processor's caches. */
    private static final int LOOKS_OF = 128;

    /** Visits of one page that are looked at to find the one that comes next. */
    private static final int HOPS = 8;

    private final int pageBytes;
    private int[] pages = new int[64];

    /** First and last part of the page that was read. */
    private byte[] first = new byte[64];

    private byte[] last = new byte[64];
    private int count;

    /** The next place of the same page, or none. */
    private final int[] next;

    /** Hash table by page: the page's first place. */
    private final int[] heads;

    private boolean isOn = true;
    private int trust = TRUST_FIRST;

    /** The place behind the one where the run is. */
    private int cursor;

    /** The next place to be read ahead. */
    private int ahead;

    // While the run is elsewhere: where it seems to go on, and how many requests have done so.
    private int expected;
    private int matched;

    /** Requests since the run is known to be elsewhere. */
    private int strangers;

    // For the report, see PfSnapshot.Plan.
    private long requests;
    private long followed;
    private long left;
    private long stray;
    private long strayOf;

    /**
     * Makes a plan.
     *
     * @param reads what the earlier run read; reads for which {@link #PLACES_MAX} leaves no room
     *     are left out
     */
    PagePlan(PlannedReads reads, int pageBytes) {
        this.pageBytes = pageBytes;
        Map<Integer, Integer> lastOfChannel = new HashMap<>();
        int channel = NONE;
        int before = NONE;
        for (int i = 0; i < reads.size(); i++) {
            if (reads.channel(i) != channel) {
                lastOfChannel.put(channel, before);
                channel = reads.channel(i);
                before = lastOfChannel.getOrDefault(channel, NONE);
            }
            before = add(reads.offset(i), reads.length(i), before);
        }
        pages = Arrays.copyOf(pages, count);
        first = Arrays.copyOf(first, count);
        last = Arrays.copyOf(last, count);
        next = new int[count];
        heads = new int[Integer.highestOneBit(Math.max(8, count + count / 2)) * 2];
        Arrays.fill(heads, NONE);
        for (int place = count - 1; place >= 0; place--) {
            int slot = slot(pages[place]);
            next[place] = heads[slot];
            heads[slot] = place;
        }
    }

    /**
     * Appends a read.
     *
     * @param before last place of its channel: more reads near there are the same visit
     * @return the new last place
     */
    private int add(long offset, long length, int before) {
        int place = before;
        long end = offset + length;
        for (long page = offset / pageBytes; page * pageBytes < end; page++) {
            if (page > Integer.MAX_VALUE) {
                return place;
            }
            long start = page * pageBytes;
            int from = (int) ((Math.max(offset, start) - start) * PARTS / pageBytes);
            int to = (int) ((Math.min(end, start + pageBytes) - 1 - start) * PARTS / pageBytes);
            if (place != NONE && pages[place] == page && isNear(place, from, to)) {
                first[place] = (byte) Math.min(from, Byte.toUnsignedInt(first[place]));
                last[place] = (byte) Math.max(to, Byte.toUnsignedInt(last[place]));
            } else if (count == PLACES_MAX) {
                return place;
            } else {
                place = append((int) page, from, to);
            }
        }
        return place;
    }

    /** True if a part of the page is so near to what is read of it that both are read together. */
    private boolean isNear(int place, int from, int to) {
        int gap = 1 + PARTS * TOGETHER_BYTES / pageBytes;
        return from <= Byte.toUnsignedInt(last[place]) + gap
                && to + gap >= Byte.toUnsignedInt(first[place]);
    }

    private int append(int page, int from, int to) {
        if (count == pages.length) {
            pages = Arrays.copyOf(pages, 2 * count);
            first = Arrays.copyOf(first, 2 * count);
            last = Arrays.copyOf(last, 2 * count);
        }
        pages[count] = page;
        first[count] = (byte) from;
        last[count] = (byte) to;
        return count++;
    }

    /** Where the table has this page, or the free slot for it. */
    private int slot(int page) {
        int mixed = page * 0x9E3779B1;
        int slot = (mixed ^ mixed >>> 15) & (heads.length - 1);
        while (heads[slot] != NONE && pages[heads[slot]] != page) {
            slot = (slot + 1) & (heads.length - 1);
        }
        return slot;
    }

    /** The file is opened: its requests are counted from here on. */
    void countAnew() {
        requests = 0;
        followed = 0;
        left = 0;
    }

    /** How the requests went by the plan so far. */
    PfSnapshot.Plan counted() {
        return new PfSnapshot.Plan(
                null, isOn, count, cursor, requests, followed, left, stray, strayOf);
    }

    /** Number of places in the plan. */
    int size() {
        return count;
    }

    /** True if the run goes by the plan. */
    boolean isOn() {
        return isOn;
    }

    /**
     * Looks at a request.
     *
     * @param offset bytes
     * @param length bytes, at least 1
     * @return true if the request goes by the plan; else it is for detection
     */
    boolean follow(long offset, long length) {
        long page = offset / pageBytes;
        long end = (offset + length - 1) / pageBytes;
        requests++;
        if (end > Integer.MAX_VALUE) {
            return false;
        }
        boolean follows = (isOn && goesOn((int) page)) || isFoundAgain((int) page);
        followed += follows ? 1 : 0;
        while (++page <= end) {
            if (follows) {
                cursor = Math.max(cursor, find((int) page) + 1);
            } else if (expected < count && pages[expected] == page) {
                expected++;
            }
        }
        return follows;
    }

    private boolean goesOn(int page) {
        int place = find(page);
        strayOf++;
        if (place == NONE) {
            stray++;
            trust -= TRUST_LOST;
            isOn = trust > 0;
            left += isOn ? 0 : 1;
            strangers = 0;
            return false;
        }
        matched = 0;
        if (place >= cursor) {
            trust = place - cursor < NEAR ? Math.min(TRUST_MAX, trust + 1) : trust;
            cursor = place + 1;
        }
        if (trust == TRUST_MAX) {
            forgetStray();
        }
        return true;
    }

    /** The run is trusted as before: what lay elsewhere until now counts no more. */
    private void forgetStray() {
        stray = 0;
        strayOf = 0;
    }

    /** The place of the page that is nearest to the run, in front of it or behind, or none. */
    private int find(int page) {
        for (int away = 0; away < WINDOW; away++) {
            if (cursor + away < count && pages[cursor + away] == page) {
                return cursor + away;
            }
            if (away < cursor && pages[cursor - 1 - away] == page) {
                return cursor - 1 - away;
            }
        }
        return NONE;
    }

    private int behind(int page) {
        for (int place = cursor - 1; place >= Math.max(0, cursor - WINDOW); place--) {
            if (pages[place] == page) {
                return place;
            }
        }
        return NONE;
    }

    private boolean isFoundAgain(int page) {
        if ((strangers++ & (LOOKS_OF - 1)) >= LOOKS && matched < 2) {
            matched = 0;
            return false;
        }
        int place = matched == 0 ? NONE : nearExpected(page);
        if (place != NONE) {
            matched++;
        } else {
            place = heads[slot(page)];
            int later = laterThan(place);
            place = later == NONE ? place : later;
            matched = place == NONE ? 0 : 1;
        }
        expected = place + 1;
        if (matched < FOUND_AGAIN) {
            return false;
        }
        isOn = true;
        trust = TRUST_FIRST;
        cursor = expected;
        ahead = expected;
        forgetStray();
        return true;
    }

    private int nearExpected(int page) {
        int end = Math.min(count, expected + NEAR);
        for (int place = expected; place < end; place++) {
            if (pages[place] == page) {
                return place;
            }
        }
        return NONE;
    }

    /**
     * The next visit of the same page, from this place on, that lies in front of the run; none if
     * there is none, or it is far.
     */
    private int laterThan(int place) {
        int later = place;
        for (int hop = 0; later != NONE && later < cursor; hop++) {
            if (hop == HOPS) {
                return NONE;
            }
            later = next[later];
        }
        return later;
    }

    /**
     * The next place to be read ahead, or none; {@link #taken} is to be called when it is.
     *
     * @param places how far in front of the run
     */
    int ahead(int places) {
        ahead = Math.max(ahead, cursor);
        return ahead < Math.min(count, (long) cursor + places) ? ahead : NONE;
    }

    /** The place that {@link #ahead} told is being read ahead. */
    void taken() {
        ahead++;
    }

    /** The pages that were read ahead are gone. */
    void rewind() {
        ahead = cursor;
    }

    /** The page of a place. */
    long page(int place) {
        return pages[place];
    }

    /** The first byte of the file that was read at a place. */
    long from(int place) {
        return (long) pages[place] * pageBytes + part(Byte.toUnsignedInt(first[place]));
    }

    /** The byte behind the last one that was read at a place. */
    long to(int place) {
        return (long) pages[place] * pageBytes + part(Byte.toUnsignedInt(last[place]) + 1);
    }

    private long part(int number) {
        return (long) pageBytes / PARTS * number;
    }

    /**
     * The end, in the file, of what this visit of the page reads of it; 0 if the page is not
     * planned.
     */
    long wantedTo(long page) {
        int place = isOn && page <= Integer.MAX_VALUE ? behind((int) page) : NONE;
        return place == NONE ? 0 : to(place);
    }

    /**
     * True if the page, used just now, is visited again within this many places; also if it is not
     * planned, as then nobody knows.
     */
    boolean isSoon(long page, int places) {
        int place = page <= Integer.MAX_VALUE ? behind((int) page) : NONE;
        if (place == NONE) {
            return true;
        }
        int later = laterThan(next[place]);
        return later != NONE && later - cursor < places;
    }
}
