package io.mio.cli.simulate;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fewest page fetches that any cache with a given number of frames needs. The victim is the
 * page that is read again latest (Belady's MIN). A page that is wanted needs a frame. A page that
 * is written gets one without a fetch. So a page whose next use is a write is as good a victim as
 * one that is not used again.
 *
 * @param reads how often a page was wanted for reading
 * @param fetches the reads whose page was not in a frame
 * @param readBytes bytes of the sectors that were wanted from the fetched pages
 * @param writtenBytes bytes of the sectors that were changed while their page was in a frame
 */
record Belady(long reads, long fetches, long readBytes, long writtenBytes) {
    static final Belady NONE = new Belady(0, 0, 0, 0);

    private static final int NEVER = Integer.MAX_VALUE;

    /** A page in a frame. */
    private static final class Resident {
        int nextRead;
        final BitSet valid = new BitSet();
        final BitSet dirty = new BitSet();
    }

    Belady plus(Belady other) {
        return new Belady(
                reads + other.reads,
                fetches + other.fetches,
                readBytes + other.readBytes,
                writtenBytes + other.writtenBytes);
    }

    /** Share of {@code reads} that needed no fetch, 0 to 1; NaN if there were no reads. */
    double hitShare() {
        return 1 - (double) fetches / reads;
    }

    static Belady of(References references, int frames, int sectorBytes) {
        int[] next = nextReads(references);
        Map<Integer, Resident> residents = new HashMap<>();
        TreeMap<Integer, Integer> byNext = new TreeMap<>();
        LinkedHashSet<Integer> idle = new LinkedHashSet<>();
        long fetches = 0;
        long readSectors = 0;
        long writtenSectors = 0;
        for (int i = 0; i < references.count(); i++) {
            Integer page = references.page(i);
            boolean write = references.isWrite(i);
            Resident resident = residents.get(page);
            if (resident == null) {
                fetches += write ? 0 : 1;
                if (residents.size() >= frames) {
                    residents.remove(victim(byNext, idle));
                }
                resident = new Resident();
                residents.put(page, resident);
            } else if (resident.nextRead == NEVER) {
                idle.remove(page);
            } else {
                byNext.remove(resident.nextRead);
            }
            long more = set(resident.valid, references.from(i), references.to(i));
            if (write) {
                writtenSectors += set(resident.dirty, references.from(i), references.to(i));
            } else {
                readSectors += more;
            }
            resident.nextRead = next[i];
            if (next[i] == NEVER) {
                idle.add(page);
            } else {
                byNext.put(next[i], page);
            }
        }
        return new Belady(
                references.reads(),
                fetches,
                readSectors * sectorBytes,
                writtenSectors * sectorBytes);
    }

    private static Integer victim(TreeMap<Integer, Integer> byNext, LinkedHashSet<Integer> idle) {
        if (idle.isEmpty()) {
            return byNext.pollLastEntry().getValue();
        }
        Integer page = idle.iterator().next();
        idle.remove(page);
        return page;
    }

    /**
     * For each entry the next entry of the same page, if that is a read; otherwise {@link #NEVER}.
     */
    private static int[] nextReads(References references) {
        int[] later = new int[references.pages()];
        Arrays.fill(later, NEVER);
        int[] next = new int[references.count()];
        for (int i = next.length - 1; i >= 0; i--) {
            int page = references.page(i);
            next[i] = later[page];
            later[page] = references.isWrite(i) ? NEVER : i;
        }
        return next;
    }

    /** Sets the bits; returns how many of them were not set before. */
    private static long set(BitSet bits, int from, int to) {
        long more = 0;
        for (int at = bits.nextClearBit(from); at < to; at = bits.nextClearBit(at + 1)) {
            more++;
        }
        bits.set(from, to);
        return more;
    }
}
