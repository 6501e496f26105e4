package io.mio.cli.advise;

import io.mio.cli.stats.FileSum;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** What the calls on files add up to: on one path, or on the files of a group. */
final class FileProfile {
    /** Bytes that are looked at as one to tell how often a file is gone through. */
    private static final int BLOCK_BYTES = 16 << 10;

    /** So many are told apart, 256 GiB; what is farther behind is taken for one of them. */
    private static final int BLOCKS_MAX = 1 << 24;

    /** A read that took so long has waited for the device; for each byte more. */
    private static final long WAITED_NANOS = 15_000;

    private static final double WAITED_NANOS_EACH_BYTE = 0.5;

    private static final int SMALL_BYTES = 16 << 10;
    private static final int ANSWERS_MAX = 256;

    /** One open: where its last request was, and when it ended. */
    private static final class Last {
        long offset = -1;
        long end;
        long stride;

        /** Until then requests that it did not wait for were on their way. */
        long underWay = Long.MIN_VALUE;
    }

    final String path;
    int files = 1;
    long opens;
    long sizeBytes;
    long reads;
    long writes;
    long readBytes;
    long writtenBytes;
    long readNanos;
    long writeNanos;
    long otherNanos;
    long waitedReads;
    long waitedNanos;
    long mmaps;
    long locks;

    /** The same file is written by another name. */
    boolean writtenElsewhere;

    long firstNanos = Long.MAX_VALUE;
    long lastNanos = Long.MIN_VALUE;

    /** False if a report does not say what is read and written. */
    boolean counted = true;

    /** False if a report does not say how long it took. */
    boolean timed = true;

    /** False if a report does not say how reads lie to one another. */
    boolean patterned = true;

    /** What times can be off by. */
    long nanosOff;

    /** Opened at the same time in one process, at most; told by {@link OpenLog}. */
    int openMost;

    final Set<Long> threads = new HashSet<>();
    final Set<Long> processes = new HashSet<>();

    /** Of reads, by {@link TraceSnapshot.Pattern}: calls. */
    final long[] patterns = new long[TraceSnapshot.Pattern.values().length];

    /** Reads and writes, by the power of two that is not below their bytes. */
    private final long[] sizes = new long[Long.SIZE];

    /** Of small reads that nobody could foresee: what the device takes to answer. */
    private long[] answers;

    private int answered;
    private final BitSet touched = new BitSet();
    private long touchedBlocks;
    private final Map<Integer, Last> lasts = new HashMap<>();

    FileProfile(String path) {
        this.path = path;
    }

    /** What a report says of a file: no single calls, so that waits and passes are not known. */
    static FileProfile of(FileSum sum) {
        FileProfile profile = new FileProfile(Typable.ofReport(sum.path()));
        profile.sizeBytes = sum.sizeBytes();
        profile.reads = Math.max(0, sum.reads());
        profile.writes = Math.max(0, sum.writes());
        profile.readBytes = Math.max(0, sum.readBytes());
        profile.writtenBytes = Math.max(0, sum.writtenBytes());
        profile.readNanos = Math.max(0, sum.readNanos());
        profile.writeNanos = Math.max(0, sum.writeNanos());
        profile.nanosOff = sum.nanosOff();
        profile.counted = areKnown(sum.reads(), sum.writes(), sum.readBytes(), sum.writtenBytes());
        profile.timed = areKnown(sum.readNanos(), sum.writeNanos());
        profile.patterned = !sum.patternBytes().isEmpty();
        for (int i = 0; i < sum.patternBytes().size(); i++) {
            profile.patterns[i] = sum.patternBytes().get(i);
        }
        long calls = profile.reads + profile.writes;
        if (calls > 0) {
            long mean = profile.bytes() / calls;
            profile.sizes[place(mean)] = calls;
        }
        return profile;
    }

    private static boolean areKnown(long... figures) {
        return LongStream.of(figures).noneMatch(figure -> figure == FileSum.UNKNOWN);
    }

    /** Of the power of two that is not below these bytes. */
    private static int place(long bytes) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, 2 * bytes - 1));
    }

    /** A call of it is over, or an asynchronous request. */
    void add(Event event, EventFile file) {
        sizeBytes = Math.max(sizeBytes, file.sizeBytes());
        threads.add(event.thread() << 32 ^ event.process());
        processes.add(event.process());
        firstNanos = Math.min(firstNanos, event.startNanos());
        lastNanos = Math.max(lastNanos, event.endNanos());
        boolean end = event.kind() == Event.Kind.END;
        TraceOperation operation = event.operation();
        if (operation.isTransfer()) {
            if (end == operation.isAsynchronous()) {
                transfer(
                        event,
                        operation.isWrite(),
                        end ? underWayNanos(event) : event.durationNanos());
            }
            return;
        }
        otherNanos += event.durationNanos();
        switch (operation) {
            case OPEN -> opens++;
            case CLOSE -> lasts.remove(event.file());
            case MMAP -> mmaps++;
            case FCNTL -> locks++;
            default -> {}
        }
    }

    /** Of a request that came back: what goes on beside others of its open counts once. */
    private long underWayNanos(Event end) {
        Last last = lasts.computeIfAbsent(end.file(), any -> new Last());
        long from = Math.max(end.startNanos(), last.underWay);
        last.underWay = Math.max(end.endNanos(), last.underWay);
        return Math.max(0, end.endNanos() - from);
    }

    private void transfer(Event event, boolean write, long nanos) {
        long bytes = Math.max(0, event.delivered());
        // What is asked for is not known of a program that asks for the impossible.
        sizes[place(Math.max(event.requested(), bytes))]++;
        if (write) {
            writes++;
            writtenBytes += bytes;
            writeNanos += nanos;
            sizeBytes = Math.max(sizeBytes, event.offset() + bytes);
        } else {
            reads++;
            readBytes += bytes;
            readNanos += nanos;
            if (event.durationNanos() > WAITED_NANOS + bytes * WAITED_NANOS_EACH_BYTE) {
                waitedReads++;
                waitedNanos += nanos;
            }
        }
        if (event.failed() || event.offset() < 0 || bytes == 0) {
            return;
        }
        Last last = lasts.computeIfAbsent(event.file(), any -> new Last());
        if (!write) {
            TraceSnapshot.Pattern pattern =
                    TraceSnapshot.Pattern.of(
                            event.offset(), bytes, last.offset, last.end, last.stride);
            patterns[pattern.ordinal()]++;
            touch(event.offset(), bytes);
            boolean alone = pattern != TraceSnapshot.Pattern.SEQUENTIAL;
            if (alone && bytes <= SMALL_BYTES && event.durationNanos() > WAITED_NANOS) {
                answers = answers == null ? new long[ANSWERS_MAX] : answers;
                answers[answered++ % ANSWERS_MAX] = event.durationNanos();
            }
        }
        last.stride = event.offset() - last.offset;
        last.offset = event.offset();
        last.end = event.offset() + bytes;
    }

    private void touch(long offset, long bytes) {
        long to = (offset + bytes - 1) / BLOCK_BYTES;
        long from = Math.max(offset / BLOCK_BYTES, to - BLOCKS_MAX);
        for (long block = from; block <= to; block++) {
            int bit = (int) (block % BLOCKS_MAX);
            if (!touched.get(bit)) {
                touched.set(bit);
                touchedBlocks++;
            }
        }
    }

    /** No open is there any more. */
    void forgetOpens() {
        lasts.clear();
    }

    /** Adds another file, for a group. */
    void add(FileProfile other) {
        opens += other.opens;
        sizeBytes += other.sizeBytes;
        reads += other.reads;
        writes += other.writes;
        readBytes += other.readBytes;
        writtenBytes += other.writtenBytes;
        readNanos += other.readNanos;
        writeNanos += other.writeNanos;
        otherNanos += other.otherNanos;
        waitedReads += other.waitedReads;
        waitedNanos += other.waitedNanos;
        mmaps += other.mmaps;
        locks += other.locks;
        firstNanos = Math.min(firstNanos, other.firstNanos);
        lastNanos = Math.max(lastNanos, other.lastNanos);
        threads.addAll(other.threads);
        processes.addAll(other.processes);
        touchedBlocks += other.touchedBlocks;
        writtenElsewhere |= other.writtenElsewhere;
        counted &= other.counted;
        timed &= other.timed;
        patterned &= other.patterned;
        nanosOff += other.nanosOff;
        for (int i = 0; i < patterns.length; i++) {
            patterns[i] += other.patterns[i];
        }
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] += other.sizes[i];
        }
    }

    /** True if a part is missing of what tells whether a rule helps. */
    boolean isUntold() {
        return !counted || reads > 0 && !(timed && patterned);
    }

    /** In calls, all threads together. */
    long ioNanos() {
        return readNanos + writeNanos + otherNanos;
    }

    long bytes() {
        return readBytes + writtenBytes;
    }

    /** Different bytes that were read, about. */
    long touchedBytes() {
        return Math.min(touchedBlocks * BLOCK_BYTES, Math.max(readBytes, 0));
    }

    /** How often each byte that was read was read; 0 if none was. */
    double passes() {
        return touchedBlocks == 0 ? 0 : (double) readBytes / touchedBytes();
    }

    /** Of reads, 0 to 1. */
    double share(TraceSnapshot.Pattern pattern) {
        long all = 0;
        for (long each : patterns) {
            all += each;
        }
        return all == 0 ? 0 : (double) patterns[pattern.ordinal()] / all;
    }

    /** Median of the small reads that waited for the device alone; 0 if too few did. */
    long answerNanos() {
        if (answered < ANSWERS_MAX) {
            return 0;
        }
        long[] sorted = answers.clone();
        Arrays.sort(sorted);
        return sorted[ANSWERS_MAX / 2];
    }

    /** How most reads lie to one another; null if there is none. */
    TraceSnapshot.Pattern mostly() {
        TraceSnapshot.Pattern most = null;
        for (TraceSnapshot.Pattern each : TraceSnapshot.Pattern.values()) {
            most = share(each) > (most == null ? 0 : share(most)) ? each : most;
        }
        return most;
    }

    /** Half of all requests are not larger, rounded up to a power of two. */
    long requestBytes() {
        long half = (reads + writes + 1) / 2;
        for (int i = 0; i < sizes.length; i++) {
            half -= sizes[i];
            if (half <= 0) {
                return 1L << i;
            }
        }
        return 0;
    }

    Access access() {
        if (readBytes == 0) {
            return writtenBytes == 0 ? Access.NOTHING : Access.WRITTEN;
        }
        return writtenBytes == 0 ? Access.READ : Access.BOTH;
    }

    /** What is done with a file. */
    enum Access {
        NOTHING,
        READ,
        WRITTEN,
        BOTH
    }
}
