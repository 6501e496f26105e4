package io.mio.cli.stats;

import java.util.Locale;

/**
 * The figures of report blocks that are added up. Their names in lower case are the members of the
 * JSON and the columns of the CSV; docs/format/stats.md has their meaning. {@link #OPENS} to {@link
 * #UNFINISHED} come from trace blocks, the others from pf blocks.
 */
enum Counter {
    /** Number of blocks: each one is of one open of a file. */
    OPENS,
    READS,
    WRITES,
    READ_BYTES,
    WRITTEN_BYTES,
    READ_REQUESTED_BYTES,
    WRITE_REQUESTED_BYTES,
    SMALLEST_READ_BYTES(Merge.MIN),
    LARGEST_READ_BYTES(Merge.MAX),
    SMALLEST_WRITE_BYTES(Merge.MIN),
    LARGEST_WRITE_BYTES(Merge.MAX),
    /** Time beneath the layer in reads, writes and waits for them. */
    IO_NS,
    READ_NS,
    WRITE_NS,
    SUSPENDS,
    SUSPEND_NS,
    SEEKS,
    SEEK_NS,
    FSYNCS,
    FSYNC_NS,
    OPEN_NS,
    CLOSE_NS,
    ILL_FORMED,
    MISALIGNED,
    /** Calls that made the file longer. */
    EXTENSIONS,
    MAX_SIZE_BYTES(Merge.MAX),
    SEQUENTIAL_BYTES,
    BACKWARD_BYTES,
    STRIDED_BYTES,
    RANDOM_BYTES,
    ERRORS,
    /** Opens whose last block is {@code exit}. */
    UNCLOSED,
    /** Opens whose last block is {@code inter}. */
    UNFINISHED,

    CACHE_PAGES(Merge.MAX),
    PAGE_BYTES(Merge.MAX),
    NOT_PREREAD,
    NOT_PREREAD_FOR_WRITE,
    STARTED_PREFETCHES,
    UNUSED_PREFETCHES,
    DISTANCE_PAGES(Merge.MAX),
    WRITE_BEHINDS,
    FORCED_SYNCS,
    RETAINED_PAGES,
    PF_WRITES,
    PF_WRITTEN_BYTES,
    PF_READS,
    PF_READ_BYTES,
    PAGE_WRITES,
    PAGE_WRITTEN_BYTES,
    PAGE_READS,
    PAGE_READ_BYTES,
    HITS,
    MISSES,
    PARTIAL_READS,
    PREFETCH_WAITS,
    PREFETCH_WAIT_NS,
    EVICTIONS,
    DIRTY_EVICTIONS,
    WRITE_ERRORS,
    STREAMS,
    GATE_WAITS,
    GATE_WAIT_NS;

    /** How two values become one in a sum. */
    enum Merge {
        SUM,
        MAX,
        MIN
    }

    private final Merge merge;

    Counter() {
        this(Merge.SUM);
    }

    Counter(Merge merge) {
        this.merge = merge;
    }

    Merge merge() {
        return merge;
    }

    /** Returns true if the counter comes from pf blocks. */
    boolean isOfPf() {
        return compareTo(CACHE_PAGES) >= 0;
    }

    /** Returns the counter of the calls that move these bytes or take this time; else null. */
    Counter calls() {
        return switch (this) {
            case READ_BYTES, READ_REQUESTED_BYTES, READ_NS -> READS;
            case WRITTEN_BYTES, WRITE_REQUESTED_BYTES, WRITE_NS -> WRITES;
            case SUSPEND_NS -> SUSPENDS;
            case SEEK_NS -> SEEKS;
            case FSYNC_NS -> FSYNCS;
            case OPEN_NS, CLOSE_NS -> OPENS;
            case PF_READ_BYTES -> PF_READS;
            case PF_WRITTEN_BYTES -> PF_WRITES;
            case PAGE_READ_BYTES -> PAGE_READS;
            case PAGE_WRITTEN_BYTES -> PAGE_WRITES;
            default -> null;
        };
    }

    boolean isTime() {
        return name().endsWith("_NS");
    }

    boolean isBytes() {
        return name().endsWith("_BYTES");
    }

    boolean isSumOfBytes() {
        return isBytes() && merge == Merge.SUM;
    }

    /** Returns the name as in JSON and CSV. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
