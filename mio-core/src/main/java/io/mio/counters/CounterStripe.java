package io.mio.counters;

import static io.mio.counters.CounterLayout.BINS;
import static io.mio.counters.CounterLayout.BUCKETS;
import static io.mio.counters.CounterLayout.OPERATIONS;
import static io.mio.counters.CounterLayout.PATTERN_COUNT;

import io.mio.stats.OperationStats;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot.Pattern;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;

/**
 * One share of a file's counters. A thread owns the stripe for the few stores of one call, by a
 * flag that it takes with one compare-and-set and gives back with one release store. A file has
 * several stripes so that threads seldom meet. All but the flag is plain and touched by the owner
 * only.
 *
 * <p>The sums lie in a record of the process's counter file, where others read them meanwhile, or
 * in memory of their own. Indices are those of the record, in words of 8 bytes.
 */
public final class CounterStripe {
    private static final VarHandle OWNED;

    static {
        try {
            OWNED = MethodHandles.lookup().findVarHandle(CounterStripe.class, "owned", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int ROWS = CounterLayout.ROWS / 8;
    private static final int ROW = CounterLayout.ROW_BYTES / 8;

    // Words of a row.
    private static final int COUNT = 0;
    private static final int NANOS = 1;
    private static final int REQUESTED = 2;
    private static final int DELIVERED = 3;
    private static final int SMALLEST = 4;
    private static final int LARGEST = 5;
    private static final int SUSPENDS = 6;
    private static final int SUSPEND_NANOS = 7;
    private static final int ERRORS = 8;

    // Single words, see CounterLayout.
    private static final int SEEK_DELTA = CounterLayout.SEEK_DELTA / 8;
    private static final int EXTENSIONS = CounterLayout.EXTENSIONS / 8;
    private static final int ILL_FORMED = CounterLayout.ILL_FORMED / 8;
    private static final int MISALIGNED = CounterLayout.MISALIGNED / 8;
    private static final int PATTERNS = CounterLayout.PATTERNS / 8;
    private static final int READ_NANOS = CounterLayout.READ_NANOS / 8;
    private static final int WRITE_NANOS = CounterLayout.WRITE_NANOS / 8;
    private static final int READ_BYTES = CounterLayout.READ_BYTES / 8;
    private static final int WRITE_BYTES = CounterLayout.WRITE_BYTES / 8;
    private static final int ACTIVITY_READ = CounterLayout.ACTIVITY_READ / 8;
    private static final int ACTIVITY_WRITTEN = CounterLayout.ACTIVITY_WRITTEN / 8;
    private static final int SHIFT_WORD = CounterLayout.BIN_SHIFT / 8;

    /** Width of a bin at first: 2^20 ns, about a millisecond. */
    private static final int FIRST_BIN_SHIFT = 20;

    /** At this width the bins together are longer than any time that a clock shows. */
    private static final int LAST_BIN_SHIFT = 58;

    @SuppressWarnings("UnusedVariable") // by the handle
    private int owned;

    private LongBuffer words;

    /** The record that holds the words; null if they are in memory of their own. */
    private CounterRecord record;

    private int binShift;

    /** The stripe it replaced because its owner did not give it back, or null; counts as well. */
    private final CounterStripe before;

    private CounterStripe(LongBuffer words, int binShift, CounterStripe before) {
        this.words = words;
        this.binShift = binShift;
        this.before = before;
    }

    /** Makes an empty stripe in memory of its own. */
    public static CounterStripe make() {
        return make(null, null);
    }

    /**
     * Makes an empty stripe.
     *
     * @param record where it is to lie, to be shown then; or null: in memory of its own
     * @param before the stripe this one replaces because its owner did not give it back, or null
     */
    public static CounterStripe make(CounterRecord record, CounterStripe before) {
        LongBuffer words =
                record == null
                        ? LongBuffer.allocate(CounterLayout.RECORD_BYTES / 8)
                        : record.words();
        CounterStripe stripe = new CounterStripe(words, FIRST_BIN_SHIFT, before);
        stripe.record = record;
        for (int i = 0; i < OPERATIONS; i++) {
            words.put(ROWS + i * ROW + SMALLEST, Long.MAX_VALUE);
        }
        stripe.tellShift();
        return stripe;
    }

    LongBuffer words() {
        return words;
    }

    /** Has readers look at the stripe from now on. For the owner. */
    public void show() {
        if (record != null) {
            record.show();
        }
    }

    /**
     * Moves the counts to memory of their own, and gives the record back. For the owner. A thread
     * that comes later, as after the close of the file, must not count in the record of another
     * file.
     */
    public void detach() {
        CounterRecord given = record;
        if (given != null) {
            words = copyOfWords();
            record = null;
            given.give();
        }
    }

    private LongBuffer copyOfWords() {
        int body = CounterLayout.BODY / 8;
        LongBuffer copy = LongBuffer.allocate(CounterLayout.RECORD_BYTES / 8);
        return copy.put(body, words, body, copy.capacity() - body);
    }

    /** Returns the same counts in memory of their own, which nobody else sees. For the owner. */
    public CounterStripe copy() {
        return new CounterStripe(copyOfWords(), binShift, null);
    }

    /** A stripe over words that were read; what they say of the bins is checked. */
    public static CounterStripe of(LongBuffer words) {
        long shift = words.get(SHIFT_WORD) >> 32;
        boolean sane = shift >= FIRST_BIN_SHIFT && shift <= LAST_BIN_SHIFT;
        return new CounterStripe(words, sane ? (int) shift : FIRST_BIN_SHIFT, null);
    }

    /** The stripe this one replaced, or null; it counts as well. */
    public CounterStripe before() {
        return before;
    }

    /** Takes the stripe if nobody has it. */
    public boolean tryOwn() {
        return OWNED.compareAndSet(this, 0, 1);
    }

    /** Gives the stripe back. */
    public void release() {
        OWNED.setRelease(this, 0);
    }

    /** Returns the power-of-two bucket: 0 for 0, i for 2^(i-1) to 2^i - 1. */
    public static int bucket(long value) {
        return 64 - Long.numberOfLeadingZeros(value);
    }

    private void add(int word, long more) {
        words.put(word, words.get(word) + more);
    }

    private static int row(TraceOperation operation) {
        return ROWS + operation.ordinal() * ROW;
    }

    /** Counts a call, with the nanoseconds it took. */
    public void call(TraceOperation operation, long took) {
        int row = row(operation);
        add(row + COUNT, 1);
        add(row + NANOS, took);
    }

    /** Adds the time of calls that are counted already. */
    public void took(TraceOperation operation, long nanos) {
        add(row(operation) + NANOS, nanos);
    }

    /** Counts the size of a request, when it is made. */
    public void requested(TraceOperation operation, long bytes) {
        int row = row(operation);
        add(row + REQUESTED, bytes);
        if (bytes < words.get(row + SMALLEST)) {
            words.put(row + SMALLEST, bytes);
        }
        if (bytes > words.get(row + LARGEST)) {
            words.put(row + LARGEST, bytes);
        }
        add((operation.isWrite() ? WRITE_BYTES : READ_BYTES) + bucket(bytes), 1);
    }

    /** Counts what a request moved, when it is done. */
    public void delivered(TraceOperation operation, long bytes, Pattern pattern, long sinceOpen) {
        add(row(operation) + DELIVERED, bytes);
        add(PATTERNS + pattern.ordinal(), bytes);
        long at = Math.max(0, sinceOpen);
        long bin = at >>> binShift;
        if (bin >= BINS) {
            bin = widen(at);
        }
        add((operation.isWrite() ? ACTIVITY_WRITTEN : ACTIVITY_READ) + (int) bin, bytes);
    }

    /** Counts how long a request took until it was done. */
    public void lasted(TraceOperation operation, long nanos) {
        add((operation.isWrite() ? WRITE_NANOS : READ_NANOS) + bucket(nanos), 1);
    }

    /** Counts a wait for an asynchronous request. */
    public void suspended(TraceOperation operation, long nanos) {
        int row = row(operation);
        add(row + SUSPENDS, 1);
        add(row + SUSPEND_NANOS, nanos);
    }

    /** Counts a failed call. */
    public void failed(TraceOperation operation) {
        add(row(operation) + ERRORS, 1);
    }

    /** Counts a move of the position by so many bytes. */
    public void sought(long delta) {
        add(SEEK_DELTA, delta);
    }

    /** Counts a call that made the file longer. */
    public void extended() {
        add(EXTENSIONS, 1);
    }

    /** Counts a direct request whose offset or length is no multiple of the sector. */
    public void illFormed() {
        add(ILL_FORMED, 1);
    }

    /** Counts a direct request whose memory does not begin on a sector. */
    public void misaligned() {
        add(MISALIGNED, 1);
    }

    private long widen(long sinceOpen) {
        while (sinceOpen >>> binShift >= BINS) {
            doubleWidth();
        }
        return sinceOpen >>> binShift;
    }

    private void doubleWidth() {
        fold(ACTIVITY_READ);
        fold(ACTIVITY_WRITTEN);
        binShift++;
        tellShift();
    }

    private void tellShift() {
        words.put(SHIFT_WORD, (long) binShift << 32);
    }

    /** Halves the resolution of the bins from {@code bins} on, in place. */
    private void fold(int bins) {
        for (int i = 0; i < BINS / 2; i++) {
            words.put(bins + i, words.get(bins + 2 * i) + words.get(bins + 2 * i + 1));
        }
        for (int i = BINS / 2; i < BINS; i++) {
            words.put(bins + i, 0);
        }
    }

    /** Adds this stripe to {@code sum}, which nobody else sees. */
    public void addTo(CounterStripe sum) {
        for (int i = 0; i < OPERATIONS; i++) {
            addRow(ROWS + i * ROW, sum.words);
        }
        addAll(SEEK_DELTA, ACTIVITY_READ, sum.words);
        while (sum.binShift < binShift) {
            sum.doubleWidth();
        }
        int narrower = sum.binShift - binShift;
        for (int i = 0; i < BINS; i++) {
            addTo(sum.words, ACTIVITY_READ + (i >> narrower), ACTIVITY_READ + i);
            addTo(sum.words, ACTIVITY_WRITTEN + (i >> narrower), ACTIVITY_WRITTEN + i);
        }
    }

    private void addRow(int row, LongBuffer sum) {
        long smallest = Math.min(sum.get(row + SMALLEST), words.get(row + SMALLEST));
        long largest = Math.max(sum.get(row + LARGEST), words.get(row + LARGEST));
        addAll(row, row + ROW, sum);
        sum.put(row + SMALLEST, smallest);
        sum.put(row + LARGEST, largest);
    }

    private void addAll(int from, int to, LongBuffer sum) {
        for (int i = from; i < to; i++) {
            addTo(sum, i, i);
        }
    }

    /** Adds to any buffer; {@link #add} is compiled for the one kind of buffer of stripes. */
    private void addTo(LongBuffer sum, int at, int from) {
        sum.put(at, sum.get(at) + words.get(from));
    }

    /** The counters of one operation. */
    public OperationStats stats(TraceOperation operation) {
        int row = row(operation);
        long smallest = words.get(row + SMALLEST);
        return new OperationStats(
                words.get(row + COUNT),
                words.get(row + NANOS),
                words.get(row + REQUESTED),
                words.get(row + DELIVERED),
                smallest == Long.MAX_VALUE ? 0 : smallest,
                words.get(row + LARGEST),
                words.get(row + SUSPENDS),
                words.get(row + SUSPEND_NANOS),
                words.get(row + ERRORS));
    }

    /** Operations that made the file longer. */
    public long extensions() {
        return words.get(EXTENSIONS);
    }

    /** See {@link #illFormed()}. */
    public long illFormedCount() {
        return words.get(ILL_FORMED);
    }

    /** See {@link #misaligned()}. */
    public long misalignedCount() {
        return words.get(MISALIGNED);
    }

    /** Sum of all moves of the position, bytes. */
    public long seekDelta() {
        return words.get(SEEK_DELTA);
    }

    /** Histogram of the time of reads or writes. */
    public long[] nanos(boolean write) {
        return copy(write ? WRITE_NANOS : READ_NANOS, BUCKETS);
    }

    /** Histogram of the requested bytes of reads or writes. */
    public long[] bytes(boolean write) {
        return copy(write ? WRITE_BYTES : READ_BYTES, BUCKETS);
    }

    /** Bytes by pattern. */
    public long[] patternBytes() {
        return copy(PATTERNS, PATTERN_COUNT);
    }

    /** Bytes read or written per bin. */
    public long[] activity(boolean write) {
        return copy(write ? ACTIVITY_WRITTEN : ACTIVITY_READ, BINS);
    }

    /** Width of a bin, nanoseconds. */
    public long binNanos() {
        return 1L << binShift;
    }

    private long[] copy(int from, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = words.get(from + i);
        }
        return values;
    }
}
