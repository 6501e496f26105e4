package io.mio.pf;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps pages that are read again against one-time scans, and part of a loop that is larger than
 * the cache.
 *
 * <p>A page begins on trial. It is kept once the program comes back to it after having read
 * elsewhere, or if it was evicted a short while ago. Pages on trial give way before kept ones,
 * least recently used first, as long as enough frames are left for them to stream through. When all
 * places for kept pages are taken, a newcomer gets one only if the kept page used longest ago has
 * not been used for several cachefuls: in a loop the kept part is used once in each round and
 * stays, instead of every page giving way just before it is needed; after a change of the program's
 * ways it goes.
 *
 * <p>Where the program goes by a plan, pages that it says are not wanted soon give way first, the
 * one used last before all others: in a loop that is the one wanted last.
 */
final class AutoReplacement extends Replacement {
    /**
     * Cachefuls of pages that may come in before an unused kept page counts as forgotten; or as
     * many as a loop has that is known to be longer, as far as it is remembered.
     */
    private static final int PATIENCE = 4;

    /** Cachefuls of evicted pages that are remembered. */
    private static final int MEMORY = 8;

    /** Of what there may be one day: what is remembered says whether more would serve. */
    private static final int MEMORY_OF_MOST = 2;

    /**
     * Up to so many pages, or one for so many bytes of the cache, whichever is more: an entry takes
     * some 90 bytes of heap, natively 36.
     */
    private static final int MEMORY_PAGES_CHEAP = 1 << 15;

    private static final int MEMORY_SHARE_BYTES = 8192;

    /** However large the cache is: some 12 MB of heap. */
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
        // As in FileKey.

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
     * What tells how many evicted pages are remembered.
     *
     * @param framesMost that there may be one day
     * @param pageBytes of a page
     * @param loopPages of a loop that part should be kept of, however large; 0: as usual
     */
    record Sizes(int framesMost, int pageBytes, long loopPages) {
        /** Evicted pages to be remembered where there are so many frames. */
        int remembered(int frames) {
            long usual = Math.max((long) MEMORY * frames, (long) MEMORY_OF_MOST * framesMost);
            long share = (long) frames * pageBytes / MEMORY_SHARE_BYTES;
            long wanted = Math.min(Math.max(usual, loopPages), share);
            long most = Math.max(Math.min(usual, MEMORY_PAGES_CHEAP), wanted);
            // With fewer than frames nothing is left of a loop that is hardly larger than the
            // cache.
            return (int) Math.min(Math.max(most, frames), MEMORY_PAGES_MAX);
        }
    }

    /** For so many frames. */
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

    /** What a plan says is better than any guess: whether a page was read again means nothing. */
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

    /** A place among the kept ones, if need be that of a forgotten page. */
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
            // The program has not come to it, or is still there: it does not come back to it then.
            return;
        }
        try {
            evicted.put(new Evicted(page.file.number(), page.index), Boolean.TRUE);
        } catch (OutOfMemoryError e) {
            // Then it is not known when it comes back.
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
