package io.mio.trace;

import io.mio.jfr.Watch;
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
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What one trace layer counts for one open file.
 *
 * <p>A call costs two readings of the clock by the layer and, here, one compare-and-set and plain
 * stores: the sums live in stripes, of which a thread takes one that is free. What belongs to the
 * file as a whole — the position, the last request — is a handful of plain fields: exact where
 * requests follow one another, a good guess where threads overlap. Sums are exact always.
 *
 * <p>Sum of seek deltas: the position moves by seeks and by data, so whatever the order the deltas
 * add up to last position - first position - bytes moved (reference 4.4 f).
 */
final class TraceCounters implements FileReport.Source {
    private static final int STRIPES =
            Integer.highestOneBit(Math.min(16, 2 * Runtime.getRuntime().availableProcessors() + 1));

    /** Size of a request that nobody knows. */
    static final long NO_REQUEST = -1;

    private static final int OTHER_ERRORS_MAX = 32;

    /** How long the owner of a stripe, who needs it for some stores, is waited for. */
    private static final long OWNER_NANOS_MAX = 20_000_000;

    private final OpenRequest request;
    private final String above;
    private final String below;
    private final ByteUnit unit;
    private final boolean direct;
    private final long sectorBytes;
    private final AtomicReferenceArray<CounterStripe> stripes = new AtomicReferenceArray<>(STRIPES);
    private final AtomicLong currentSize;

    /** Where the file will end when all writes that were submitted are done. */
    private final AtomicLong submittedSize;

    private volatile long maxSize;
    private volatile long closedNanos = Long.MIN_VALUE;
    private Map<String, Long> errors;

    // Of the file as a whole; see above for what races between threads do to them.
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
        timed(TraceOperation.OPEN, request.openNanos());
    }

    @SuppressWarnings("ThreadPriorityCheck") // correct without it; see the comment below
    CounterStripe own() {
        long id = Thread.currentThread().getId();
        int first = (int) (id * 0x9E3779B97F4A7C15L >>> 32) & STRIPES - 1;
        long waitsSince = 0;
        for (int tries = 0; ; tries++) {
            int index = first + tries & STRIPES - 1;
            CounterStripe stripe = stripes.get(index);
            if (stripe == null) {
                stripe = new CounterStripe();
                if (!stripes.compareAndSet(index, null, stripe)) {
                    stripe = stripes.get(index);
                }
            }
            if (stripe.tryOwn()) {
                return stripe;
            }
            if (tries % STRIPES < STRIPES - 1) {
                continue;
            }
            // All taken: an owner has lost its processor. Let it run.
            long now = System.nanoTime();
            if (tries == STRIPES - 1) {
                waitsSince = now;
            }
            if (now - waitsSince > OWNER_NANOS_MAX) {
                // Owners died on the way, of a stack overflow perhaps. If this one did not, nothing
                // is lost either: what is put beside still counts.
                CounterStripe fresh = new CounterStripe(stripe);
                if (fresh.tryOwn() && stripes.compareAndSet(index, stripe, fresh)) {
                    return fresh;
                }
            }
            Thread.yield();
        }
    }

    /** A call that moves no data. */
    void timed(TraceOperation operation, long nanos) {
        CounterStripe mine = own();
        try {
            mine.call(operation.ordinal(), nanos);
        } finally {
            mine.release();
        }
    }

    /** The position was moved, or a request names its offset. */
    void seek(long offset) {
        CounterStripe mine = own();
        try {
            mine.call(TraceOperation.SEEK.ordinal(), 0);
            mine.seekDelta += offset - position;
            position = offset;
        } finally {
            mine.release();
        }
    }

    /**
     * A synchronous read or write that ended well.
     *
     * @param offset where, or {@link io.mio.layer.Layer#APPEND}
     * @param wanted bytes requested
     * @param moved bytes delivered, or -1 at the end of the file
     * @param began {@link System#nanoTime} before
     * @param nanos time it took
     */
    void transferred(
            TraceOperation operation,
            long offset,
            long wanted,
            long moved,
            long began,
            long nanos,
            boolean aligned) {
        int row = operation.ordinal();
        boolean write = operation.isWrite();
        long bytes = Math.max(0, moved);
        boolean appends = write && offset < 0;
        long at = appends ? currentSize.getAndAdd(bytes) : offset;
        Pattern pattern = pattern(at, bytes);
        CounterStripe mine = own();
        try {
            mine.call(row, nanos);
            mine.requested(row, write, wanted);
            mine.delivered(row, write, bytes, pattern, began - request.openedNanos());
            (write ? mine.writeNanos : mine.readNanos)[CounterStripe.bucket(nanos)]++;
            if (direct) {
                form(mine, at, wanted, aligned);
            }
            if (appends) {
                raiseMax(at + bytes);
                mine.extensions += bytes > 0 ? 1 : 0;
            } else if (write && at + bytes > currentSize.get() && grow(at + bytes)) {
                mine.extensions++;
            }
        } finally {
            mine.release();
        }
        position = at + bytes;
        Watch.tick(began);
    }

    /**
     * An asynchronous request is about to be handed down. A write counts as one that makes the file
     * longer by where it lies among those submitted: completions come in any order.
     */
    void submitting(TraceOperation operation, long offset, long wanted, boolean aligned) {
        int row = operation.ordinal();
        boolean lengthens = operation.isWrite() && extendsFile(offset + wanted);
        CounterStripe mine = own();
        try {
            mine.call(row, 0);
            mine.requested(row, operation.isWrite(), wanted);
            mine.extensions += lengthens ? 1 : 0;
            position = offset + wanted;
            if (direct) {
                form(mine, offset, wanted, aligned);
            }
        } finally {
            mine.release();
        }
    }

    /** It was handed down, which took {@code nanos}. */
    void submitted(TraceOperation operation, long nanos) {
        CounterStripe mine = own();
        try {
            mine.nanos[operation.ordinal()] += nanos;
        } finally {
            mine.release();
        }
    }

    /** An asynchronous request came back. */
    void completed(TraceOperation operation, long offset, long wanted, long moved, long began) {
        long bytes = Math.max(0, moved);
        boolean write = operation.isWrite();
        long now = System.nanoTime();
        Pattern pattern = pattern(offset, bytes);
        CounterStripe mine = own();
        try {
            mine.delivered(operation.ordinal(), write, bytes, pattern, now - request.openedNanos());
            (write ? mine.writeNanos : mine.readNanos)[CounterStripe.bucket(now - began)]++;
            // The position had moved by what was asked for; the data moved it by less.
            mine.seekDelta += wanted - bytes;
            if (write) {
                grow(offset + bytes);
            }
        } finally {
            mine.release();
        }
        Watch.tick(now);
    }

    /** Somebody waited for an asynchronous request. */
    void suspended(TraceOperation operation, long nanos) {
        CounterStripe mine = own();
        try {
            mine.suspends[operation.ordinal()]++;
            mine.suspendNanos[operation.ordinal()] += nanos;
        } finally {
            mine.release();
        }
    }

    /** A call failed. It counts as a call; a transfer counts what it asked for, if known. */
    void failed(TraceOperation operation, long wanted, long nanos, Throwable why) {
        CounterStripe mine = own();
        try {
            mine.call(operation.ordinal(), nanos);
            mine.errors[operation.ordinal()]++;
            if (operation.isTransfer() && wanted != NO_REQUEST) {
                mine.requested(operation.ordinal(), operation.isWrite(), wanted);
            }
        } finally {
            mine.release();
        }
        named(why);
    }

    /** An asynchronous request came back with an error; its submission is counted already. */
    void failedLater(TraceOperation operation, long wanted, Throwable why) {
        CounterStripe mine = own();
        try {
            mine.errors[operation.ordinal()]++;
            mine.seekDelta += wanted;
        } finally {
            mine.release();
        }
        named(why);
    }

    /** The file was cut to {@code size} bytes, or is as long as before if it was shorter. */
    void truncated(long size) {
        currentSize.accumulateAndGet(size, Math::min);
        submittedSize.accumulateAndGet(size, Math::min);
    }

    /** The file was seen to have {@code size} bytes: somebody else may have changed it. */
    void sized(long size) {
        currentSize.set(size);
        raiseMax(size);
    }

    /** Bytes from {@code offset} to the end, at most {@code length}. */
    long within(long offset, long length) {
        return Math.min(length, Math.max(0, currentSize.get() - offset));
    }

    void closed(long nanos) {
        timed(TraceOperation.CLOSE, nanos);
        closedNanos = System.nanoTime();
    }

    long sectorBytes() {
        return sectorBytes;
    }

    boolean isDirect() {
        return direct;
    }

    private void form(CounterStripe mine, long offset, long wanted, boolean aligned) {
        if (offset % sectorBytes != 0 || wanted % sectorBytes != 0) {
            mine.illFormed++;
        }
        if (!aligned) {
            mine.misaligned++;
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
    }

    private Pattern pattern(long offset, long bytes) {
        long stride = offset - lastOffset;
        Pattern pattern;
        if (offset == lastEnd || lastOffset < 0) {
            pattern = Pattern.SEQUENTIAL;
        } else if (offset + bytes == lastOffset) {
            pattern = Pattern.BACKWARD;
        } else if (stride == lastStride && stride != 0) {
            pattern = Pattern.STRIDED;
        } else {
            pattern = Pattern.RANDOM;
        }
        lastStride = stride;
        lastOffset = offset;
        lastEnd = offset + bytes;
        return pattern;
    }

    private synchronized void named(Throwable why) {
        if (errors == null) {
            errors = new TreeMap<>();
        }
        String name = ErrorName.of(why);
        if (errors.size() >= OTHER_ERRORS_MAX && !errors.containsKey(name)) {
            name = "other";
        }
        errors.merge(name, 1L, Long::sum);
    }

    /** All shares together. */
    @SuppressWarnings("ThreadPriorityCheck") // bounded, and correct without it
    CounterStripe sum() {
        CounterStripe sum = new CounterStripe();
        for (int i = 0; i < STRIPES; i++) {
            for (CounterStripe stripe = stripes.get(i); stripe != null; stripe = stripe.before) {
                long began = System.nanoTime();
                boolean owned = stripe.tryOwn();
                while (!owned && System.nanoTime() - began < OWNER_NANOS_MAX) {
                    Thread.yield();
                    owned = stripe.tryOwn();
                }
                // An owner that died on the way must not hang a report: read beside it then.
                stripe.addTo(sum);
                if (owned) {
                    stripe.release();
                }
            }
        }
        return sum;
    }

    @Override
    public TraceSnapshot snapshot(Event event) {
        CounterStripe sum = sum();
        List<OperationStats> operations = new ArrayList<>();
        for (TraceOperation operation : TraceOperation.values()) {
            operations.add(sum.of(operation));
        }
        long now = closedNanos == Long.MIN_VALUE ? System.nanoTime() : closedNanos;
        return new TraceSnapshot(
                event,
                above,
                below,
                request.name(),
                unit,
                operations,
                sum.extensions,
                currentSize.get(),
                maxSize,
                request.mode(),
                request.place().type(),
                request.place().sectorBytes(),
                request.oflags(),
                OpenFlags.names(request.oflags()),
                direct,
                sum.illFormed,
                sum.misaligned,
                sum.seekDelta,
                ProcessFacts.sinceStart(request.openedNanos()),
                ProcessFacts.sinceStart(now),
                new TraceSnapshot.Distributions(
                        sum.readNanos,
                        sum.writeNanos,
                        sum.readBytes,
                        sum.writeBytes,
                        sum.patternBytes,
                        1L << sum.binShift,
                        sum.activityRead,
                        sum.activityWritten,
                        errorsSoFar()));
    }

    @Override
    public boolean addProgram(IoTotals totals) {
        CounterStripe sum = sum();
        totals.counted(true);
        for (TraceOperation operation : TraceOperation.values()) {
            if (operation.isTransfer()) {
                OperationStats one = sum.of(operation);
                boolean write = operation.isWrite();
                totals.add(write ? Kind.WRITES : Kind.READS, one.count());
                totals.add(write ? Kind.WRITE_BYTES : Kind.READ_BYTES, one.delivered());
                long nanos = one.nanos() + one.suspendNanos();
                totals.add(write ? Kind.WRITE_NANOS : Kind.READ_NANOS, nanos);
            }
        }
        return true;
    }

    private synchronized Map<String, Long> errorsSoFar() {
        return errors == null ? Map.of() : new TreeMap<>(errors);
    }
}
