package io.mio.trace;

import io.mio.counters.CounterFile;
import io.mio.counters.CounterLayout;
import io.mio.counters.CounterRecord;
import io.mio.counters.CounterStripe;
import io.mio.counters.ShownDecisions;
import io.mio.jfr.Watch;
import io.mio.layer.DecisionWatch;
import io.mio.layer.ErrorName;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.ByteUnit;
import io.mio.stats.FileReport;
import io.mio.stats.IoTotals;
import io.mio.stats.IoTotals.Kind;
import io.mio.stats.OperationStats;
import io.mio.stats.ProcessFacts;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import io.mio.stats.TraceSnapshot.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one trace layer counts for one open file.
 *
 * <p>A call costs two readings of the clock by the layer and, here, one compare-and-set and plain
 * stores: the sums live in stripes, of which a thread takes a free one. What belongs to the file as
 * a whole (the position, the last request) is a handful of plain fields: exact where requests
 * follow one another, a good guess where threads overlap. Sums are always exact.
 *
 * <p>Sum of seek deltas: the position moves by seeks and by data, so in any order the deltas add up
 * to last position - first position - bytes moved (reference 4.4 f).
 */
final class TraceCounters implements FileReport.Source, DecisionWatch {
    /** Stands for a request of unknown size. */
    static final long NO_REQUEST = -1;

    private final OpenRequest request;
    private final String above;
    private final String below;
    private final ByteUnit unit;
    private final boolean direct;
    private final long sectorBytes;
    private final TraceStripes stripes;
    private final AtomicLong currentSize;

    /** Where the file will end when all submitted writes are done. */
    private final AtomicLong submittedSize;

    private volatile long maxSize;
    private volatile long closedNanos = Long.MIN_VALUE;

    /** Guarded by this. */
    private final ErrorCounts errors = new ErrorCounts();

    /** Record in which others see the file as a whole, or null; guarded by this. */
    private CounterRecord shown;

    /** Decisions of layers below, beside that record; guarded by this. */
    private final ShownDecisions decisions = new ShownDecisions();

    // Fields of the file as a whole; the class comment says what races between threads do to them.
    private long position;
    private long lastOffset = -1;
    private long lastEnd = -1;
    private long lastStride;

    TraceCounters(OpenRequest request, String above, String below, ByteUnit unit) {
        this.request = request;
        this.above = above;
        this.below = below;
        this.unit = unit;
        this.currentSize = new AtomicLong(request.sizeBytes());
        this.submittedSize = new AtomicLong(request.sizeBytes());
        this.maxSize = request.sizeBytes();
        this.direct = request.isDirect();
        this.sectorBytes = direct ? Math.max(1, request.place().sectorBytes()) : 1;
        this.shown = CounterFile.take(CounterLayout.TRACE, null);
        this.stripes = new TraceStripes(shown);
        if (shown != null) {
            show(shown);
        }
        timed(TraceOperation.OPEN, request.openNanos());
    }

    private void show(CounterRecord record) {
        record.put(CounterLayout.OPENED, request.openedNanos());
        record.put(CounterLayout.LAST_OFFSET, -1);
        record.put(CounterLayout.LAST_END, -1);
        record.put(CounterLayout.MODE, request.mode());
        record.put(CounterLayout.OFLAGS, request.oflags());
        record.put(CounterLayout.SECTOR_BYTES, direct ? sectorBytes : 0);
        record.put(CounterLayout.DIRECT, direct ? 1 : 0);
        record.put(CounterLayout.UNIT, Long.numberOfTrailingZeros(unit.bytes()));
        record.put(CounterLayout.DEVICE, request.key() == null ? 0 : request.key().device());
        record.text(CounterLayout.ABOVE, CounterLayout.WORD_BYTES, above);
        record.text(CounterLayout.BELOW, CounterLayout.WORD_BYTES, below);
        record.name(request.name());
        showSizes();
        record.show();
    }

    /** Called with the lock, after a change: the last caller shows the last values. */
    private void showSizes() {
        if (shown != null) {
            shown.put(CounterLayout.CURRENT_SIZE, currentSize.get());
            shown.put(CounterLayout.MAX_SIZE, maxSize);
            shown.put(CounterLayout.SUBMITTED_SIZE, submittedSize.get());
        }
    }

    CounterStripe own() {
        return stripes.own();
    }

    /** Counts a call that moves no data. */
    void timed(TraceOperation operation, long nanos) {
        CounterStripe mine = own();
        try {
            mine.call(operation, nanos);
        } finally {
            mine.release();
        }
    }

    /** Counts a move of the position, or a request that names its offset. */
    void seek(long offset) {
        CounterStripe mine = own();
        try {
            mine.call(TraceOperation.SEEK, 0);
            mine.sought(offset - position);
            position = offset;
        } finally {
            mine.release();
        }
    }

    /**
     * Counts a synchronous read or write that succeeded.
     *
     * @param offset where, or {@link io.mio.layer.Layer#APPEND}
     * @param wanted bytes requested
     * @param moved bytes delivered, or -1 at the end of the file
     * @param began {@link System#nanoTime} before
     * @param nanos time it took
     * @return where it was, as far as is known
     */
    long transferred(
            TraceOperation operation,
            long offset,
            long wanted,
            long moved,
            long began,
            long nanos,
            boolean aligned) {
        boolean write = operation.isWrite();
        long bytes = Math.max(0, moved);
        boolean appends = write && offset < 0;
        long at = appends ? currentSize.getAndAdd(bytes) : offset;
        Pattern pattern = pattern(at, bytes);
        CounterStripe mine = own();
        try {
            mine.call(operation, nanos);
            mine.requested(operation, wanted);
            mine.delivered(operation, bytes, pattern, began - request.openedNanos());
            mine.lasted(operation, nanos);
            if (direct) {
                form(mine, at, wanted, aligned);
            }
            if (appends) {
                raiseMax(at + bytes);
                if (bytes > 0) {
                    mine.extended();
                }
            } else if (write && at + bytes > currentSize.get() && grow(at + bytes)) {
                mine.extended();
            }
        } finally {
            mine.release();
        }
        position = at + bytes;
        Watch.tick(began);
        return at;
    }

    /**
     * Counts an asynchronous request that is about to be handed down. A write makes the file longer
     * if it ends behind all those submitted before, because completions come in any order.
     */
    void submitting(TraceOperation operation, long offset, long wanted, boolean aligned) {
        boolean lengthens = operation.isWrite() && extendsFile(offset + wanted);
        CounterStripe mine = own();
        try {
            mine.call(operation, 0);
            mine.requested(operation, wanted);
            if (lengthens) {
                mine.extended();
            }
            position = offset + wanted;
            if (direct) {
                form(mine, offset, wanted, aligned);
            }
        } finally {
            mine.release();
        }
    }

    /** Counts the {@code nanos} that handing the request down took. */
    void submitted(TraceOperation operation, long nanos) {
        CounterStripe mine = own();
        try {
            mine.took(operation, nanos);
        } finally {
            mine.release();
        }
    }

    /** Counts an asynchronous request that came back; returns how long it was on its way. */
    long completed(TraceOperation operation, long offset, long wanted, long moved, long began) {
        long bytes = Math.max(0, moved);
        boolean write = operation.isWrite();
        long now = System.nanoTime();
        Pattern pattern = pattern(offset, bytes);
        CounterStripe mine = own();
        try {
            mine.delivered(operation, bytes, pattern, now - request.openedNanos());
            mine.lasted(operation, now - began);
            // The position had moved by what was asked for, but the data moved it by less.
            mine.sought(wanted - bytes);
            if (write) {
                grow(offset + bytes);
            }
        } finally {
            mine.release();
        }
        Watch.tick(now);
        return now - began;
    }

    /** Counts a wait for an asynchronous request. */
    void suspended(TraceOperation operation, long nanos) {
        CounterStripe mine = own();
        try {
            mine.suspended(operation, nanos);
        } finally {
            mine.release();
        }
    }

    /** Counts a failed call, as a call too; a transfer counts what it asked for, if known. */
    void failed(TraceOperation operation, long wanted, long nanos, Throwable why) {
        CounterStripe mine = own();
        try {
            mine.call(operation, nanos);
            mine.failed(operation);
            if (operation.isTransfer() && wanted != NO_REQUEST) {
                mine.requested(operation, wanted);
            }
        } finally {
            mine.release();
        }
        named(why);
    }

    /** Counts an asynchronous request that failed; its submission is counted already. */
    void failedLater(TraceOperation operation, long wanted, Throwable why) {
        CounterStripe mine = own();
        try {
            mine.failed(operation);
            mine.sought(wanted);
        } finally {
            mine.release();
        }
        named(why);
    }

    /** Notes that the file was cut to {@code size} bytes; a shorter file stays as it is. */
    void truncated(long size) {
        currentSize.accumulateAndGet(size, Math::min);
        submittedSize.accumulateAndGet(size, Math::min);
        raiseMax(0);
    }

    /** Notes that the file was seen to have {@code size} bytes: another may have changed it. */
    void sized(long size) {
        currentSize.set(size);
        raiseMax(size);
    }

    /** Returns the bytes from {@code offset} to the end, at most {@code length}. */
    long within(long offset, long length) {
        return Math.min(length, Math.max(0, currentSize.get() - offset));
    }

    void closed() {
        closedNanos = System.nanoTime();
        showClosed();
    }

    private synchronized void showClosed() {
        if (shown != null) {
            shown.put(CounterLayout.CLOSED, closedNanos);
        }
    }

    /** Shows a decision of a layer below to other processes. */
    @Override
    public synchronized void decided(String what, String reason) {
        if (shown != null) {
            decisions.add(shown, what, reason);
        }
    }

    @Override
    public void release() {
        CounterRecord given;
        synchronized (this) {
            given = shown;
            shown = null;
            decisions.release();
        }
        if (given != null) {
            stripes.release();
            given.give();
        }
    }

    /** Returns the record in which others see the counters, or null. */
    synchronized CounterRecord record() {
        return shown;
    }

    long sectorBytes() {
        return sectorBytes;
    }

    boolean isDirect() {
        return direct;
    }

    private void form(CounterStripe mine, long offset, long wanted, boolean aligned) {
        if (offset % sectorBytes != 0 || wanted % sectorBytes != 0) {
            mine.illFormed();
        }
        if (!aligned) {
            mine.misaligned();
        }
    }

    private boolean extendsFile(long end) {
        return end > Math.max(submittedSize.getAndAccumulate(end, Math::max), currentSize.get());
    }

    private boolean grow(long end) {
        long size = currentSize.get();
        while (end > size) {
            if (currentSize.compareAndSet(size, end)) {
                raiseMax(end);
                return true;
            }
            size = currentSize.get();
        }
        return false;
    }

    private synchronized void raiseMax(long size) {
        maxSize = Math.max(maxSize, size);
        showSizes();
    }

    private Pattern pattern(long offset, long bytes) {
        Pattern pattern = Pattern.of(offset, bytes, lastOffset, lastEnd, lastStride);
        lastStride = offset - lastOffset;
        lastOffset = offset;
        lastEnd = offset + bytes;
        return pattern;
    }

    private synchronized void named(Throwable why) {
        errors.add(ErrorName.of(why), shown);
    }

    private synchronized Map<String, Long> errorsSoFar() {
        return errors.soFar();
    }

    /** Returns the sum of all stripes. */
    CounterStripe sum() {
        return stripes.sum();
    }

    @Override
    public TraceSnapshot snapshot(Event event) {
        CounterStripe sum = sum();
        List<OperationStats> operations = new ArrayList<>();
        for (TraceOperation operation : TraceOperation.values()) {
            operations.add(sum.stats(operation));
        }
        long now = closedNanos == Long.MIN_VALUE ? System.nanoTime() : closedNanos;
        return new TraceSnapshot(
                event,
                above,
                below,
                request.name(),
                unit,
                operations,
                sum.extensions(),
                currentSize.get(),
                maxSize,
                request.mode(),
                request.place().type(),
                request.place().sectorBytes(),
                request.oflags(),
                OpenFlags.names(request.oflags()),
                direct,
                sum.illFormedCount(),
                sum.misalignedCount(),
                sum.seekDelta(),
                ProcessFacts.sinceStart(request.openedNanos()),
                ProcessFacts.sinceStart(now),
                new TraceSnapshot.Distributions(
                        sum.nanos(false),
                        sum.nanos(true),
                        sum.bytes(false),
                        sum.bytes(true),
                        sum.patternBytes(),
                        sum.binNanos(),
                        sum.activity(false),
                        sum.activity(true),
                        errorsSoFar()));
    }

    @Override
    public boolean addProgram(IoTotals totals) {
        CounterStripe sum = sum();
        totals.counted(true);
        for (TraceOperation operation : TraceOperation.values()) {
            if (operation.isTransfer()) {
                OperationStats one = sum.stats(operation);
                boolean write = operation.isWrite();
                totals.add(write ? Kind.WRITES : Kind.READS, one.count());
                totals.add(write ? Kind.WRITE_BYTES : Kind.READ_BYTES, one.delivered());
                long nanos = one.nanos() + one.suspendNanos();
                totals.add(write ? Kind.WRITE_NANOS : Kind.READ_NANOS, nanos);
            }
        }
        return true;
    }
}
