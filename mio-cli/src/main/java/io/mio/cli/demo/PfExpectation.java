package io.mio.cli.demo;

import io.mio.cli.PfBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The values that pf's counters must have after {@link AlotBuf} with the original's options, by the
 * rules the original's figures show (reference 4.5). Each page is written once, full ones behind
 * the program. The forward pass reads every page, and the backward pass all but those the cache
 * holds where the program turns. A file that fits into the cache is not read at all.
 *
 * @param pages pages of the file, the last one may be short
 * @param pageWrites each page once
 * @param writeBehinds each full page
 * @param pageReads reads of both passes
 * @param programBytes bytes in the file
 * @param pageReadBytes bytes of both passes; a short page is read once
 * @param records records of the program
 * @param notPreread pages that were written as a whole, and those a prefetch reached beyond the end
 */
record PfExpectation(
        long pages,
        long pageWrites,
        long writeBehinds,
        long pageReads,
        long programBytes,
        long pageReadBytes,
        long records,
        long notPreread) {
    private static final long PAGE_BYTES = 2 << 20;
    private static final long CACHE_PAGES = 50;
    private static final long PREFETCH = 4;

    /**
     * Number of pages that {@code replace=auto} remembers for a while after their eviction. A file
     * of no more pages is a loop to it, of which it keeps a part from the beginning, so that the
     * backward pass finds fewer of the last pages.
     */
    private static final long REMEMBERED_PAGES = 9 * CACHE_PAGES;

    /** Most synchronous reads: the first ones, before the direction is known. */
    private static final long MOST_SYNCHRONOUS_READS = 3;

    static PfExpectation of(long fileBytes, long records) {
        long pages = (fileBytes + PAGE_BYTES - 1) / PAGE_BYTES;
        long pageReads = pages > CACHE_PAGES ? 2 * pages - CACHE_PAGES : 0;
        long shortBy = pageReads == 0 ? 0 : pages * PAGE_BYTES - fileBytes;
        return new PfExpectation(
                pages,
                pages,
                fileBytes / PAGE_BYTES,
                pageReads,
                fileBytes,
                pageReads * PAGE_BYTES - shortBy,
                records,
                pages + PREFETCH);
    }

    /**
     * Returns where a run differs, one entry each; empty if it does not.
     *
     * @throws IllegalArgumentException if the run has no pf block
     */
    List<String> differences(RunFigures run) {
        PfBlock pf = run.pf();
        if (pf == null) {
            throw new IllegalArgumentException("no pf block");
        }
        List<String> found = new ArrayList<>();
        compare(found, "page writes", pf.pageWrites().requests(), pageWrites);
        compare(found, "page writes traced", run.count("write") + run.count("awrite"), pageWrites);
        compare(found, "bytes of page writes", pf.pageWrites().amount(), programBytes);
        compare(found, "write behinds", pf.writeBehinds(), writeBehinds);
        long reads = pf.pageReads().requests();
        if (isRemembered() && reads > pageReads && reads <= 2 * pages) {
            compare(found, "page reads traced", run.count("read") + run.count("aread"), reads);
        } else {
            compare(found, "page reads", reads, pageReads);
            compare(found, "page reads traced", run.count("read") + run.count("aread"), pageReads);
            compare(found, "bytes of page reads", pf.pageReads().amount(), pageReadBytes);
        }
        if (run.count("read") > MOST_SYNCHRONOUS_READS) {
            found.add(
                    "synchronous page reads "
                            + run.count("read")
                            + ", expected at most "
                            + MOST_SYNCHRONOUS_READS);
        }
        compare(found, "pages not preread", pf.notPreread(), notPreread);
        compare(found, "pages not to be preread", pf.notPrereadOf(), notPreread);
        compare(found, "writes of the program", pf.programWrites().requests(), records);
        compare(found, "bytes written by the program", pf.programWrites().amount(), programBytes);
        compare(found, "reads of the program", pf.programReads().requests(), 2 * records);
        compare(found, "bytes read by the program", pf.programReads().amount(), 2 * programBytes);
        return found;
    }

    private boolean isRemembered() {
        return pages > CACHE_PAGES && pages <= REMEMBERED_PAGES;
    }

    private static void compare(List<String> found, String what, long is, long expected) {
        if (is != expected) {
            found.add(what + " " + is + ", expected " + expected);
        }
    }

    /** Returns the figures in words, for a run that does not differ. */
    String inWords(long reads, long synchronousReads) {
        return String.format(
                Locale.ROOT,
                "%d page writes, %d of them behind; %d page reads, %d of them synchronous;"
                        + " %d/%d pages not preread for write",
                pageWrites,
                writeBehinds,
                reads,
                synchronousReads,
                notPreread,
                notPreread);
    }
}
