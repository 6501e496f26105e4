package io.mio.cli.simulate;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a recording adds up to, and what it tells about the device. */
final class Survey {
    private static final int SMALL_MAX = 32 << 10;
    private static final int LARGE_MIN = 64 << 10;
    private static final int TIMES_MAX = 1 << 16;
    private static final int TIMES_MIN = 4;
    private static final long WAITED_NANOS = 20_000;

    /** Times and bytes of one kind of reads, to find the figures of the device. */
    private static final class Requests {
        private final long[] small = new long[TIMES_MAX];
        private int smallCount;
        private long largeBytes;
        private long largeNanos;
        private long coveredUntil = Long.MIN_VALUE;
        private long largeLeast = Long.MAX_VALUE;

        void add(Event read, boolean waitedFor) {
            if (read.delivered() >= LARGE_MIN) {
                largeBytes += read.delivered();
                long from = Math.max(read.startNanos(), coveredUntil);
                largeNanos += Math.max(0, read.endNanos() - from);
                coveredUntil = Math.max(coveredUntil, read.endNanos());
                largeLeast = Math.min(largeLeast, read.durationNanos());
            } else if (waitedFor && read.delivered() <= SMALL_MAX && smallCount < TIMES_MAX) {
                small[smallCount++] = read.durationNanos();
            }
        }

        Device device(String of) {
            Device assumed = Device.assumed();
            boolean knowsRate = largeBytes > 0 && largeNanos > 0;
            boolean knowsLatency = smallCount >= TIMES_MIN;
            if (!knowsRate && !knowsLatency) {
                return null;
            }
            long rate =
                    knowsRate
                            ? (long) Math.max(1, largeBytes * 1e9 / largeNanos)
                            : assumed.bytesPerSecond();
            long latency = assumed.latencyNanos();
            if (knowsLatency) {
                Arrays.sort(small, 0, smallCount);
                latency = small[smallCount / 2];
            } else {
                latency = Math.min(latency, largeLeast);
            }
            String source =
                    of
                            + (knowsLatency ? "" : "; latency assumed, as no small request waited")
                            + (knowsRate ? "" : "; bandwidth assumed, as no request was large");
            return Device.of(latency, rate, 0, source);
        }
    }

    private final Requests pages = new Requests();
    private final Requests calls = new Requests();
    private final Requests program = new Requests();
    private final long[] counts = new long[TraceOperation.values().length];
    private long failed;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /**
     * Adds an event.
     *
     * @param chosen whether it is of a layer whose calls are simulated
     */
    void add(Event event, EventFile file, boolean chosen) {
        if (chosen) {
            if (event.kind() == Event.Kind.CALL || event.kind() == Event.Kind.END) {
                first = Math.min(first, event.startNanos());
                last = Math.max(last, event.endNanos());
            }
            if (event.kind() == Event.Kind.CALL) {
                counts[event.operation().ordinal()]++;
                failed += event.failed() ? 1 : 0;
                // A faster read was served from the kernel's cache.
                if (event.operation() == TraceOperation.READ
                        && event.durationNanos() >= WAITED_NANOS) {
                    program.add(event, true);
                }
            }
        } else if (!event.failed() && event.delivered() > 0) {
            if (event.page() == PageOperation.ARRIVED) {
                pages.add(event, !event.asynchronous());
            } else if (file.layer() == EventFormat.OF_TRACE && file.place() > 1 && isRead(event)) {
                calls.add(event, event.kind() == Event.Kind.CALL);
            }
        }
    }

    private static boolean isRead(Event event) {
        return event.kind() == Event.Kind.END
                ? event.operation() == TraceOperation.AREAD
                : event.operation() == TraceOperation.READ;
    }

    /** Number of reads and writes of the program. */
    long transfers() {
        return count(TraceOperation.READ)
                + count(TraceOperation.AREAD)
                + count(TraceOperation.WRITE)
                + count(TraceOperation.AWRITE);
    }

    long count(TraceOperation operation) {
        return counts[operation.ordinal()];
    }

    /** Time from the first call to the end of the last one; 0 without any call. */
    long nanos() {
        return last < first ? 0 : last - first;
    }

    /** The device as the recording shows it below a cache, or null if it does not. */
    Device device() {
        Device seen = pages.device("as recorded, from page requests");
        return seen != null ? seen : calls.device("as recorded, from calls below the cache");
    }

    /**
     * The device as reads that the program waited for show it, or null if they do not; the
     * bandwidth includes that of the kernel's cache.
     */
    Device deviceOfProgram() {
        return program.device("as recorded, from reads of the program that waited");
    }

    /** What of the recording is not simulated, a line each. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        add(notes, count(TraceOperation.MMAP), "mappings: what goes through them is not seen");
        add(notes, count(TraceOperation.FCNTL), "locks: a cache may drop pages for them");
        add(notes, failed, "calls failed: they take their time and do nothing");
        return notes;
    }

    private static void add(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add("not simulated: " + count + " " + what);
        }
    }
}
