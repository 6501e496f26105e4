package io.mio.cli.advise;

import io.mio.cli.stats.FileSum;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.layer.OpenFlags;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** What the calls on a file add up to, or those on the files of a group. */
final class FileProfile {
    /**
     * A read has waited for the device if it took longer than this, plus {@link
     * #WAITED_NANOS_EACH_BYTE} for each byte.
     */
    private static final long WAITED_NANOS = 15_000;

    private static final double WAITED_NANOS_EACH_BYTE = 0.5;

    /** Opens of native programs with one of these flags have no cache. */
    private static final int UNCACHED_FLAGS =
            OpenFlags.APPEND | OpenFlags.DIRECT | OpenFlags.SYNC | OpenFlags.DSYNC;

    /** Writes of opens with one of these flags go to the device before they return. */
    private static final int THROUGH_FLAGS = OpenFlags.DIRECT | OpenFlags.SYNC | OpenFlags.DSYNC;

    private static final int SMALL_BYTES = 16 << 10;
    private static final int ANSWERS_MAX = 256;

    /** Linux numbers no process with more bits. */
    private static final int PROCESS_BITS = 22;

    private static final long[] NO_SIZES = {};

    /** The last request of an open: its offset and end, and its distance from the one before. */
    private static final class Last {
        long offset = -1;
        long end;
        long stride;

        /** The blocks of the file that its process has read; null if there are none. */
        Passes.Blocks read;

        /** End of the latest asynchronous request of the open that came back. */
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

    /** The profiles of all names of the file, this one included. */
    Set<FileProfile> aliases = Set.of();

    /** True if the file is written only under another name. */
    boolean writtenElsewhere;

    /** True if it is written by an open whose writes go to the device before they return. */
    boolean writtenThrough;

    /** True if the file is read by an open that has no cache because of its flags. */
    boolean uncached;

    long firstNanos = Long.MAX_VALUE;
    long lastNanos = Long.MIN_VALUE;

    /** False if a report does not say how much is read and written. */
    boolean counted = true;

    /** False if a report does not say how long reads and writes took. */
    boolean timed = true;

    /** False if a report does not say how reads lie to one another. */
    boolean patterned = true;

    /** Largest error of the times of reads and of writes, in nanoseconds; 0 if they are exact. */
    long nanosOff;

    /** Most opens at the same time in one process; set by {@link OpenLog} for groups. */
    int openMost;

    Set<Long> threads = Set.of();
    Set<Long> processes = Set.of();

    /**
     * Reads by {@link TraceSnapshot.Pattern}: calls, or delivered bytes if they are of a report.
     */
    final long[] patterns = new long[TraceSnapshot.Pattern.values().length];

    /** Reads and writes by size: place i counts those above 2^(i-1) and up to 2^i bytes. */
    private long[] sizes = NO_SIZES;

    /**
     * Times of the last small reads that waited and were not sequential: how long the device takes
     * to answer. A ring; null until there is such a read.
     */
    private long[] answers;

    private int answered;
    private final Passes passes = new Passes();

    /** The last requests of opens; null if there are none. */
    private Map<Integer, Last> lasts;

    FileProfile(String path) {
        this.path = path;
    }

    /**
     * The profile of a file in a report, which has no single calls: waits and passes are unknown.
     */
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
            profile.size(place(mean), calls);
        }
        return profile;
    }

    private static boolean areKnown(long... figures) {
        return LongStream.of(figures).noneMatch(figure -> figure == FileSum.UNKNOWN);
    }

    /** Exponent of the least power of two that is not below these bytes. */
    private static int place(long bytes) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, 2 * bytes - 1));
    }

    private void size(int place, long calls) {
        sizes = sizes.length <= place ? Arrays.copyOf(sizes, place + 1) : sizes;
        sizes[place] += calls;
    }

    /** The set with one more. Most files have one: a set of that takes little memory. */
    private static Set<Long> with(Set<Long> set, long one) {
        if (set.contains(one)) {
            return set;
        }
        if (set.isEmpty()) {
            return Set.of(one);
        }
        Set<Long> more = set.size() == 1 ? new HashSet<>(set) : set;
        more.add(one);
        return more;
    }

    private Last last(Event event) {
        lasts = lasts == null ? new HashMap<>(2) : lasts;
        return lasts.computeIfAbsent(event.file(), any -> new Last());
    }

    private void closed(Event event) {
        if (lasts != null && lasts.remove(event.file()) != null && lasts.isEmpty()) {
            lasts = null;
        }
    }

    /**
     * Adds a call that has ended, or the end of an asynchronous request.
     *
     * @param recording its number
     * @param door of the process, as in {@link io.mio.events.EventProcess#door}
     */
    void add(Event event, EventFile file, int recording, int door) {
        sizeBytes = Math.max(sizeBytes, file.sizeBytes());
        // Another recording may have a process of the same number.
        long process = (long) recording << PROCESS_BITS ^ event.process();
        threads = with(threads, event.thread() << 32 ^ process);
        processes = with(processes, process);
        firstNanos = Math.min(firstNanos, event.startNanos());
        lastNanos = Math.max(lastNanos, event.endNanos());
        boolean end = event.kind() == Event.Kind.END;
        TraceOperation operation = event.operation();
        if (operation.isTransfer()) {
            if (end == operation.isAsynchronous()) {
                writtenThrough |= operation.isWrite() && (file.oflags() & THROUGH_FLAGS) != 0;
                uncached |=
                        !operation.isWrite()
                                && door == EventFormat.NATIVE
                                && (file.oflags() & UNCACHED_FLAGS) != 0;
                transfer(event, file, end ? underWayNanos(event) : event.durationNanos());
            }
            return;
        }
        otherNanos += event.durationNanos();
        switch (operation) {
            case OPEN -> opens++;
            case CLOSE -> closed(event);
            case MMAP -> mmaps++;
            case FCNTL -> locks++;
            default -> {}
        }
    }

    /** Time of an asynchronous request that no earlier one of its open covers, in nanoseconds. */
    private long underWayNanos(Event end) {
        Last last = last(end);
        long from = Math.max(end.startNanos(), last.underWay);
        last.underWay = Math.max(end.endNanos(), last.underWay);
        return Math.max(0, end.endNanos() - from);
    }

    private void transfer(Event event, EventFile file, long nanos) {
        boolean write = event.operation().isWrite();
        long bytes = Math.max(0, event.delivered());
        // The requested size is -1 where the program asked for the impossible.
        size(place(Math.max(event.requested(), bytes)), 1);
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
        Last last = last(event);
        if (!write) {
            TraceSnapshot.Pattern pattern =
                    TraceSnapshot.Pattern.of(
                            event.offset(), bytes, last.offset, last.end, last.stride);
            patterns[pattern.ordinal()]++;
            last.read = last.read == null ? passes.of(file) : last.read;
            passes.add(last.read, event.offset(), bytes);
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

    /** Forgets all opens and processes, because none is there any more. */
    void nextRecording() {
        lasts = null;
        passes.nextRecording();
    }

    /** Adds the figures of another file, for a group. */
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
        other.threads.forEach(each -> threads = with(threads, each));
        other.processes.forEach(each -> processes = with(processes, each));
        passes.add(other.passes);
        writtenElsewhere |= other.writtenElsewhere;
        writtenThrough |= other.writtenThrough;
        uncached |= other.uncached;
        counted &= other.counted;
        timed &= other.timed;
        patterned &= other.patterned;
        nanosOff += other.nanosOff;
        for (int i = 0; i < patterns.length; i++) {
            patterns[i] += other.patterns[i];
        }
        for (int i = 0; i < other.sizes.length; i++) {
            size(i, other.sizes[i]);
        }
    }

    /** True if the report lacks a part of what tells whether a rule helps. */
    boolean isUntold() {
        return !counted || reads > 0 && !(timed && patterned);
    }

    /** True if it is a device, or those of a group are, as far as the name tells. */
    boolean isDevice() {
        return path.startsWith("/dev/") && !path.startsWith("/dev/shm/");
    }

    /** Time in calls, all threads together, in nanoseconds. */
    long ioNanos() {
        return readNanos + writeNanos + otherNanos;
    }

    long bytes() {
        return readBytes + writtenBytes;
    }

    /** About how many different bytes one process read: on average, or of one file if more. */
    long loopBytes() {
        return Math.max(passes.mostBytes(), touchedBytes() / Math.max(1, processes.size()));
    }

    private long touchedBytes() {
        return Math.min(passes.bytes(), Math.max(readBytes, 0));
    }

    /**
     * How often each byte that a process read was read by that process, on average; 0 if none was.
     */
    double passes() {
        return passes.bytes() == 0 ? 0 : (double) readBytes / touchedBytes();
    }

    /** Share of the reads that have this pattern, 0 to 1. */
    double share(TraceSnapshot.Pattern pattern) {
        long all = 0;
        for (long each : patterns) {
            all += each;
        }
        return all == 0 ? 0 : (double) patterns[pattern.ordinal()] / all;
    }

    /** Median time of the reads in {@link #answers}, in nanoseconds; 0 if there were too few. */
    long answerNanos() {
        if (answered < ANSWERS_MAX) {
            return 0;
        }
        long[] sorted = answers.clone();
        Arrays.sort(sorted);
        return sorted[ANSWERS_MAX / 2];
    }

    /** The pattern that most reads have; null if there is no read. */
    TraceSnapshot.Pattern mostly() {
        TraceSnapshot.Pattern most = null;
        for (TraceSnapshot.Pattern each : TraceSnapshot.Pattern.values()) {
            most = share(each) > (most == null ? 0 : share(most)) ? each : most;
        }
        return most;
    }

    /** Median size of a request, rounded up to a power of two, in bytes; 0 without requests. */
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
