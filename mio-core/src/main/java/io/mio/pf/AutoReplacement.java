package io.mio.pf;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps pages that are read again against one-time scans, and keeps part of a loop that is larger
 * than the cache.
 *
 * <p>A page begins on trial. It is kept once the program comes back to it after having read
 * elsewhere, or if it was evicted a short while ago. Pages on trial give way before kept ones,
 * least recently used first, as long as enough frames are left for them to stream through. When all
 * places for kept pages are taken, a newcomer gets one only if the kept page used longest ago has
 * not been used for several cachefuls. In a loop the kept part is used once in each round and
 * stays, instead of every page giving way just before it is needed. When the program changes its
 * ways, the kept part goes.
 *
 * <p>Where the program goes by a plan, pages that are not wanted soon according to the plan give
 * way first, the one used last before all others: in a loop that one is wanted last.
 */
final class AutoReplacement extends Replacement {
    /**
     * Cachefuls of pages that may come in before an unused kept page counts as forgotten. If a loop
     * is known to be longer, as many pages as it has, as far as they are remembered.
     */
    private static final int PATIENCE = 4;

    /** Cachefuls of evicted pages that are remembered. */
    private static final int MEMORY = 8;

    /**
     * Evicted pages that are remembered, in cachefuls of the largest cache that there may be, if
     * that is more: what is remembered shows whether more frames would serve.
     */
    private static final int MEMORY_OF_MOST = 2;

    /**
     * Evicted pages are remembered up to this many, or up to one for each {@link
     * #MEMORY_SHARE_BYTES} of the cache if that is more: an entry takes some 90 bytes of heap,
     * natively 36.
     */
    private static final int MEMORY_PAGES_CHEAP = 1 << 15;

    private static final int MEMORY_SHARE_BYTES = 8192;

    /**
     * Evicted pages that are remembered at most, however large the cache is: some 12 MB of heap.
     */
    private static final int MEMORY_PAGES_MAX = 1 << 17;

    private static final int TRIAL_SHARE = 5;
    private static final int TRIAL_MIN = 2;

    private final PageList trial = new PageList(PageList.REPLACEMENT);
    private final PageList kept = new PageList(PageList.REPLACEMENT);
    private final Map<Evicted, Boolean> evicted;
    private final Sizes sizes;
    private int frames;
    private int keptMax;
    private long patience;
    private int memory;
    private long added;
    private long cameBack;

    private record Evicted(long file, long index) {
        // As in FileKey: the methods that a record has by itself cost a starting JVM ten
        // milliseconds.

        @Override
        public boolean equals(Object other) {
            return other instanceof Evicted page && file == page.file && index == page.index;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(31 * file + index);
        }
    }

    /**
     * What decides how many evicted pages are remembered.
     *
     * @param framesMost frames that there may be one day
     * @param pageBytes size of a page
     * @param loopPages pages of a loop of which a part should be kept, however large; 0: as usual
     */
    record Sizes(int framesMost, int pageBytes, long loopPages) {
        /** How many evicted pages are remembered with this many frames. */
        int remembered(int frames) {
            long usual = Math.max((long) MEMORY * frames, (long) MEMORY_OF_MOST * framesMost);
            long share = (long) frames * pageBytes / MEMORY_SHARE_BYTES;
            long wanted = Math.min(Math.max(usual, loopPages), share);
            long most = Math.max(Math.min(usual, MEMORY_PAGES_CHEAP), wanted);
            // If fewer were remembered than there are frames, nothing would stay of a loop that is
            // hardly larger than the cache.
            return (int) Math.min(Math.max(most, frames), MEMORY_PAGES_MAX);
        }
    }

    /** A replacement for this many frames. */
    AutoReplacement(int frames, Sizes sizes) {
        this.sizes = sizes;
        grew(frames);
        this.evicted =
                new LinkedHashMap<>() {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Evicted, Boolean> eldest) {
                        return size() > memory;
                    }
                };
    }

    @Override
    void grew(int now) {
        frames = now;
        keptMax = Math.max(0, now - Math.max(TRIAL_MIN, now / TRIAL_SHARE));
        memory = sizes.remembered(now);
        patience = Math.max((long) PATIENCE * now, Math.min(sizes.loopPages(), memory));
    }

    @Override
    long cameBack() {
        return cameBack;
    }

    @Override
    int remembered() {
        return evicted.size();
    }

    @Override
    void added(Page page) {
        added++;
        page.touchedAt = added;
        boolean again = evicted.remove(new Evicted(page.file.number(), page.index)) != null;
        cameBack += again ? 1 : 0;
        put(page, again && hasPlace() ? kept : trial);
    }

    @Override
    void touched(Page page, boolean byProgram) {
        page.touchedAt = added;
        page.away = false;
        if (byProgram && page.left && page.list == trial && hasPlace()) {
            trial.remove(page);
            put(page, kept);
        } else {
            page.list.moveLast(page);
        }
    }

    /** A plan is better than any guess: whether a page was read again means nothing. */
    @Override
    void planned(Page page, boolean soon) {
        page.touchedAt = added;
        page.away = !soon;
        page.list.remove(page);
        page.list = trial;
        if (soon) {
            trial.addLast(page);
        } else {
            trial.addFirst(page);
        }
    }

    /** True if there is a place among the kept pages, if need be that of a forgotten page. */
    private boolean hasPlace() {
        if (kept.size() < keptMax) {
            return true;
        }
        Page oldest = kept.first();
        if (oldest == null || added - oldest.touchedAt <= patience) {
            return false;
        }
        kept.remove(oldest);
        put(oldest, trial);
        return true;
    }

    private static void put(Page page, PageList list) {
        list.addLast(page);
        page.list = list;
    }

    @Override
    void removed(Page page) {
        page.list.remove(page);
        page.list = null;
        if (page.ahead || !page.left) {
            // The program has not come to the page, or is still there: a later visit would be no
            // return.
            return;
        }
        try {
            evicted.put(new Evicted(page.file.number(), page.index), Boolean.TRUE);
        } catch (OutOfMemoryError e) {
            // Then a return of the page is not recognised.
            return;
        }
    }

    @Override
    int kept() {
        return kept.size();
    }

    @Override
    Page first() {
        PageList list = startsWithTrial() ? trial : kept;
        return list.first() != null ? list.first() : other(list).first();
    }

    @Override
    Page after(Page page) {
        Page next = page.list.after(page);
        boolean wasFirst = page.list == (startsWithTrial() ? trial : kept);
        return next != null || !wasFirst ? next : other(page.list).first();
    }

    private boolean startsWithTrial() {
        Page first = trial.first();
        return trial.size() >= frames - keptMax
                || kept.size() == 0
                || (first != null && first.away);
    }

    private PageList other(PageList list) {
        return list == trial ? kept : trial;
    }
}
