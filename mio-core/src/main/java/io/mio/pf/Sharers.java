package io.mio.pf;

import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * Decides whose streams share the frames of a cache: those of all its files that were used lately,
 * for each file its reads and its writes by themselves. Otherwise each file would read ahead as if
 * the cache were its own, and files that are read in turns would push each other's pages out. Pure.
 * Twin of {@code pf_sharers.h}, held together by {@code twin/stride}. Not thread-safe; called under
 * the lock of the cache.
 */
final class Sharers {
    /**
     * Rounds after which a sharer that was not used no longer counts, as for streams of one file.
     */
    private static final int ROUNDS = 16;

    /** The least number of uses in a round. */
    private static final int ROUND_LEAST = 16;

    private static final class Share {
        int streams;
        long usedAt;
    }

    /** The sharers, those used longest ago first. */
    private final LinkedHashMap<Object, Share> shares = new LinkedHashMap<>(16, 0.75f, true);

    private long clock;
    private int streams;

    /**
     * Notes that streams of a file look ahead.
     *
     * @param who the reads, or the writes, of a file
     * @param active the file's streams that were used lately
     * @return streams of all that share, at least 1
     */
    int used(Object who, int active) {
        clock++;
        Share share = shares.get(who);
        if (share == null) {
            share = new Share();
            shares.put(who, share);
        }
        share.usedAt = clock;
        streams += active - share.streams;
        share.streams = active;
        if (shares.size() > 1) {
            forgetOld();
        }
        return Math.max(1, streams);
    }

    /** The file has no pages any more. */
    void left(Object who) {
        Share share = shares.remove(who);
        if (share != null) {
            streams -= share.streams;
        }
    }

    private void forgetOld() {
        Iterator<Share> oldest = shares.values().iterator();
        while (true) {
            Share share = oldest.next();
            if (clock - share.usedAt < (long) ROUNDS * Math.max(ROUND_LEAST, shares.size())) {
                return;
            }
            streams -= share.streams;
            oldest.remove();
        }
    }
}
