package io.mio.cli.simulate;

import io.mio.stats.PfSnapshot;

/** The counters of caches, added up over files. The names are those of the report. */
public final class PageCounts {
    public long programReads;
    public long programReadBytes;
    public long programWrites;
    public long programWrittenBytes;
    public long pageReads;
    public long pageReadBytes;
    public long pageWrites;
    public long pageWrittenBytes;
    public long hits;
    public long misses;
    public long demandReads;
    public long readAheads;
    public long prepared;
    public long unusedPrefetches;
    public long partialReads;
    public long waits;
    public long evictions;
    public long dirtyEvictions;
    public long writeBehinds;
    public long forcedSyncs;
    public long retainedPages;

    PageCounts() {}

    void add(PfSnapshot file) {
        programReads += file.program().reads();
        programReadBytes += file.program().bytesRead();
        programWrites += file.program().writes();
        programWrittenBytes += file.program().bytesWritten();
        pageReads += file.child().reads();
        pageReadBytes += file.child().bytesRead();
        pageWrites += file.child().writes();
        pageWrittenBytes += file.child().bytesWritten();
        hits += file.details().hits();
        misses += file.program().reads() - file.details().hits();
        demandReads += file.details().misses();
        readAheads += file.startedPrefetches() - file.notPrereadForWrite();
        prepared += file.notPrereadForWrite();
        unusedPrefetches += file.unusedPrefetches();
        partialReads += file.details().partialReads();
        waits += file.details().prefetchWaits();
        evictions += file.details().evictions();
        dirtyEvictions += file.details().dirtyEvictions();
        writeBehinds += file.writeBehinds();
        forcedSyncs += file.forcedSyncs();
        retainedPages += file.retainedPages();
    }
}
