package io.mio.counters;

import java.util.List;

/**
 * Offsets in live counter files, bytes from the start of a record: docs/format/live.md in code.
 * Twin of live_format.h.
 */
public final class CounterLayout {
    /** Size of every record, bytes. */
    public static final int RECORD_BYTES = 4096;

    /** Most records of a file, the header included. */
    public static final int RECORDS_MAX = 4096;

    // The header.

    /** The first 8 bytes, {@code MIOLIVE} and a line feed, as a little-endian number. */
    public static final long MAGIC = 0x0a4556494c4f494dL;

    public static final int VERSION = 8;
    public static final long VERSION_NOW = 1;
    public static final int RECORD_SIZE = 16;
    public static final int RECORDS = 24;
    public static final int PID = 32;
    public static final int START_TIME = 40;
    public static final int STACK_BEGIN = 48;
    public static final int BEGAN_REAL = 56;
    public static final int BEGAN = 64;
    public static final int STATE = 72;
    public static final long STATE_RUNS = 1;
    public static final long STATE_ENDED = 2;
    public static final int DOOR = 80;
    public static final long DOOR_NATIVE = 1;
    public static final long DOOR_JVM = 2;
    public static final int UNRECORDED = 88;
    public static final int PROGRAM = 256;
    public static final int PROGRAM_BYTES = 256;
    public static final int ENGINE = 512;
    public static final int WORD_BYTES = 64;

    // Every other record.

    public static final int KIND = 0;
    public static final long FREE = 0;
    public static final long TRACE = 1;
    public static final long STRIPE = 2;
    public static final long PF_FILE = 3;
    public static final long PF_CACHE = 4;
    public static final long DECISIONS = 5;
    public static final int GENERATION = 8;
    public static final int OWNER = 16;
    public static final int OWNER_GENERATION = 24;

    /** In a trace over pf/auto: 1 and the index in {@link #AUTO_STATES}; 0: no pf/auto below it. */
    public static final int AUTO_STATE = 32;

    /** The states of pf/auto. */
    public static final List<String> AUTO_STATES =
            List.of("looking", "hints", "kernel", "random", "cached", "pages");

    public static final int BODY = 48;

    // Of trace and pf records alike.

    /** Name of the layer above a trace; in a cache's record, how page requests are done. */
    public static final int ABOVE = 1496;

    public static final int BELOW = 1560;
    public static final int NAME_LENGTH = 1624;
    public static final int NAME = 1632;
    public static final int NAME_BYTES = RECORD_BYTES - NAME;

    // A trace layer.

    public static final int OPENED = 48;
    public static final int CLOSED = 56;
    public static final int POSITION = 64;
    public static final int LAST_OFFSET = 72;
    public static final int LAST_END = 80;
    public static final int LAST_STRIDE = 88;
    public static final int CURRENT_SIZE = 96;
    public static final int MAX_SIZE = 104;
    public static final int SUBMITTED_SIZE = 112;
    public static final int MODE = 120;
    public static final int OFLAGS = 128;
    public static final int SECTOR_BYTES = 136;
    public static final int DIRECT = 144;
    public static final int UNIT = 152;
    public static final int DEVICE = 160;
    public static final int ERROR_COUNT = 168;
    public static final int ERRORS = 176;
    public static final int ERRORS_MAX = 33;
    public static final int ERROR_BYTES = 40;
    public static final int ERROR_NAME_BYTES = 32;

    // A stripe.

    public static final int BIN_SHIFT = 52;
    public static final int ROWS = 56;
    public static final int ROW_BYTES = 72;
    public static final int OPERATIONS = 12;
    public static final int SEEK_DELTA = 920;
    public static final int EXTENSIONS = 928;
    public static final int ILL_FORMED = 936;
    public static final int MISALIGNED = 944;
    public static final int PATTERNS = 952;
    public static final int PATTERN_COUNT = 4;
    public static final int BUCKETS = 65;
    public static final int READ_NANOS = 984;
    public static final int WRITE_NANOS = 1504;
    public static final int READ_BYTES = 2024;
    public static final int WRITE_BYTES = 2544;
    public static final int BINS = 64;
    public static final int ACTIVITY_READ = 3064;
    public static final int ACTIVITY_WRITTEN = 3576;

    // Pages of a file, and a cache.

    public static final int CACHE_NUMBER = 56;
    public static final int FRAMES = 64;
    public static final int PAGE_BYTES = 72;
    public static final int PF_SECTOR_BYTES = 80;
    public static final int PF_UNIT = 88;
    public static final int PF_DIRECT = 96;
    public static final int RESIDENT = 104;
    public static final int DIRTY = 112;
    public static final int IN_FLIGHT = 120;
    public static final int WAITING = 128;
    public static final int DISTANCE = 136;
    public static final int STREAMS = 144;
    public static final int GATE_WAITS = 152;
    public static final int GATE_WAIT_NANOS = 160;
    public static final int PF_SIZE = 168;
    public static final int PAGE_READS = 176;
    public static final int PAGE_READ_BYTES = 184;
    public static final int PAGE_WRITES = 192;
    public static final int PAGE_WRITE_BYTES = 200;
    public static final int NOT_PREREAD = 208;
    public static final int READ_AFTER_ALL = 216;
    public static final int READ_AHEADS = 224;
    public static final int UNUSED = 232;
    public static final int WRITE_BEHINDS = 240;
    public static final int FORCED_SYNCS = 248;
    public static final int RETAINED = 256;
    public static final int MISSES = 264;
    public static final int DEMAND_READS = 272;
    public static final int PARTIAL_READS = 280;
    public static final int WAITS = 288;
    public static final int WAIT_NANOS = 296;
    public static final int EVICTIONS = 304;
    public static final int DIRTY_EVICTIONS = 312;
    public static final int WRITE_ERRORS = 320;

    /** The shares of the program's requests, see {@link CounterRecord#share}. */
    public static final int SHARES = 384;

    public static final int SHARE_COUNT = 8;
    public static final int SHARE_BYTES = 64;

    /** Offsets in a share, each of a count with the bytes behind it. */
    public static final int SHARE_READS = 0;

    public static final int SHARE_WRITES = 16;

    // Decisions. Decision n is at place (n - 1) % DECISIONS_KEPT.

    public static final int DECISION_COUNT = 48;
    public static final int DECISION = 64;
    public static final int DECISION_BYTES = 224;
    public static final int DECISIONS_KEPT = 16;

    // Offsets in a decision.

    public static final int DECISION_NUMBER = 0;
    public static final int DECISION_NANOS = 8;
    public static final int DECISION_WHAT = 16;
    public static final int DECISION_WHAT_BYTES = 16;
    public static final int DECISION_REASON = 32;
    public static final int DECISION_REASON_BYTES = 192;

    private CounterLayout() {}
}
