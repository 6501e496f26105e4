package io.mio.cli.simulate;

import io.mio.cli.bench.Sizes;
import io.mio.cli.term.Amounts;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * A few figures that describe a device and the machine it is in.
 *
 * @param latencyNanos from the submission of a request to its first byte
 * @param bytesPerSecond bandwidth of all requests together
 * @param requestNanos time in which the device can do nothing else, for each request, however small
 * @param depth requests that the device works on at the same time; others wait for their turn
 * @param callNanos processor time of a call of the program that is served from pages, without the
 *     copy
 * @param kernelNanos the same of a call that the kernel serves from its cache
 * @param copyBytesPerSecond rate at which memory is copied
 * @param submitNanos processor time to submit a page request and get it back, and the same again
 *     for each 128 KB of it
 * @param recordNanos what recording a call cost the program, beside the call's own time
 * @param wakeNanos what a wait cost the program afterwards, because the processor's caches were
 *     cold
 * @param handoffNanos from the signal of one thread until a waiting thread continues; a page
 *     request goes to a thread of its own, and its answer comes back to the thread that waits for
 *     it
 * @param freshBytesPerSecond rate at which memory is touched for the first time, as that of caches
 *     is
 * @param source where the figures come from, in words
 */
public record Device(
        long latencyNanos,
        long bytesPerSecond,
        long requestNanos,
        int depth,
        long callNanos,
        long kernelNanos,
        long copyBytesPerSecond,
        long submitNanos,
        long recordNanos,
        long wakeNanos,
        long handoffNanos,
        long freshBytesPerSecond,
        String source) {
    /** Default of {@code depth}. */
    static final int DEPTH = 32;

    /** Size of a small request, bytes. */
    static final int SMALL = 4096;

    private static final int DEPTH_MAX = 65536;
    private static final long IOPS_MAX = 1_000_000_000;
    private static final long CALL_NANOS = 200;

    /** Default of {@code kernelNanos}. */
    static final long KERNEL_NANOS = 550;

    private static final long COPY_BYTES_PER_SECOND = 12L << 30;
    private static final long SUBMIT_NANOS = 5000;

    /**
     * What a traced call and its record cost, as measured by {@code benchmarks/native/events.sh}.
     */
    private static final long RECORD_NANOS = 150;

    private static final long WAKE_NANOS = 800;
    private static final long HANDOFF_NANOS = 5000;
    private static final long FRESH_BYTES_PER_SECOND = 4L << 30;

    private static final double NANOS = 1e9;
    private static final String SYNTAX = "write latency=1ms,bandwidth=2g,depth=32";

    /** A device with these figures, and with the defaults for memory and processor. */
    static Device of(long latencyNanos, long bytesPerSecond, long requestNanos, String source) {
        return new Device(
                latencyNanos,
                bytesPerSecond,
                requestNanos,
                DEPTH,
                CALL_NANOS,
                KERNEL_NANOS,
                COPY_BYTES_PER_SECOND,
                SUBMIT_NANOS,
                RECORD_NANOS,
                WAKE_NANOS,
                HANDOFF_NANOS,
                FRESH_BYTES_PER_SECOND,
                source);
    }

    /** Time in which a single request of {@link #SMALL} bytes is complete, nanoseconds. */
    public long answerNanos() {
        return latencyNanos + wireNanos(SMALL);
    }

    /** The same device with another latency, so that a single small request takes {@code nanos}. */
    public Device answeringAfter(long nanos) {
        return new Device(
                Math.max(0, nanos - wireNanos(SMALL)),
                bytesPerSecond,
                requestNanos,
                depth,
                callNanos,
                kernelNanos,
                copyBytesPerSecond,
                submitNanos,
                recordNanos,
                wakeNanos,
                handoffNanos,
                freshBytesPerSecond,
                source);
    }

    /** The same device in a machine with these figures. */
    Device in(long call, long kernel, long copyRate, long freshRate, long handoff) {
        return new Device(
                latencyNanos,
                bytesPerSecond,
                requestNanos,
                depth,
                call,
                kernel,
                copyRate,
                submitNanos,
                recordNanos,
                wakeNanos,
                handoff,
                freshRate,
                source);
    }

    /**
     * The device to assume where nothing is known: about a solid-state disk behind a virtual
     * machine.
     */
    public static Device assumed() {
        return of(100_000, 1L << 30, 0, "assumed, as nothing says more; see --device");
    }

    /**
     * Reads {@code latency=1ms,bandwidth=2g,depth=32}; also {@code iops=50000}, {@code call=300ns},
     * {@code kernel=500ns}, {@code copy=8g}, and the times {@code submit}, {@code record}, {@code
     * wake} and {@code handoff}.
     *
     * @throws IllegalArgumentException if the text is not of this form; the message says what is
     *     wrong
     */
    public static Device parse(String text) {
        long latency = -1;
        long bandwidth = -1;
        long depth = DEPTH;
        long request = 0;
        long call = CALL_NANOS;
        long kernel = KERNEL_NANOS;
        long copy = COPY_BYTES_PER_SECOND;
        long submit = SUBMIT_NANOS;
        long record = RECORD_NANOS;
        long wake = WAKE_NANOS;
        long handoff = HANDOFF_NANOS;
        Set<String> given = new HashSet<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String value = equals < 0 ? "" : part.substring(equals + 1).trim();
            String figure = equals < 0 ? part : part.substring(0, equals).trim();
            if (!given.add(figure)) {
                throw new IllegalArgumentException(figure + " is there twice; leave one out");
            }
            switch (figure) {
                case "latency" -> latency = nanos(value);
                case "bandwidth" -> bandwidth = size(value);
                case "depth" -> depth = whole(value, DEPTH_MAX, "depth");
                case "iops" -> request = (long) (NANOS / whole(value, IOPS_MAX, "iops"));
                case "call" -> call = nanos(value);
                case "kernel" -> kernel = nanos(value);
                case "copy" -> copy = size(value);
                case "submit" -> submit = nanos(value);
                case "record" -> record = nanos(value);
                case "wake" -> wake = nanos(value);
                case "handoff" -> handoff = nanos(value);
                default ->
                        throw new IllegalArgumentException(
                                "'"
                                        + part
                                        + "' is no figure of a device; there are latency,"
                                        + " bandwidth, depth, iops, call, kernel, copy, submit,"
                                        + " record, wake, handoff; "
                                        + SYNTAX);
            }
        }
        if (latency < 0 || bandwidth < 0) {
            throw new IllegalArgumentException("latency and bandwidth have to be there; " + SYNTAX);
        }
        return new Device(
                latency,
                bandwidth,
                request,
                (int) depth,
                call,
                kernel,
                copy,
                submit,
                record,
                wake,
                handoff,
                FRESH_BYTES_PER_SECOND,
                "given by --device");
    }

    private static long nanos(String text) {
        String unit = text.replaceFirst("^[0-9.]*", "");
        double scale =
                switch (unit.toLowerCase(Locale.ROOT)) {
                    case "ns" -> 1;
                    case "us" -> 1e3;
                    case "ms" -> 1e6;
                    case "s" -> NANOS;
                    default -> Double.NaN;
                };
        double nanos = number(text, unit) * scale;
        if (!(nanos >= 0 && nanos <= 3600 * NANOS)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time; write for example 80us or 1ms");
        }
        return Math.round(nanos);
    }

    private static long size(String text) {
        String unit = text.replaceFirst("^[0-9.]*", "");
        int power = unit.length() == 1 ? Math.max(Sizes.power(unit.charAt(0)), 0) : 0;
        double bytes = number(text, unit) * (1L << 10 * power);
        if (unit.length() > 1 || (power == 0 && !unit.isEmpty()) || !(bytes >= 1 && bytes < 1e18)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no size for a second; write for example 500m or 2g");
        }
        return Math.round(bytes);
    }

    private static double number(String text, String unit) {
        try {
            return Double.parseDouble(text.substring(0, text.length() - unit.length()));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static long whole(String text, long most, String what) {
        try {
            long number = Long.parseLong(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is out of range.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no " + what + "; write a number from 1 to " + most);
    }

    /** The figures in words, for people. */
    public String words() {
        return "latency "
                + Amounts.time(latencyNanos)
                + ", bandwidth "
                + Amounts.rate((double) bytesPerSecond)
                + (requestNanos == 0 ? "" : ", " + Amounts.time(requestNanos) + " for each request")
                + ", depth "
                + depth
                + " ("
                + source
                + ")";
    }

    /** Time for which a request has the device's wire to itself, in nanoseconds, rounded up. */
    long wireNanos(long bytes) {
        return requestNanos + transferNanos(bytes);
    }

    /** Time that the bytes alone take on the wire, in nanoseconds, rounded up. */
    long transferNanos(long bytes) {
        return (long) Math.ceil(bytes * NANOS / bytesPerSecond);
    }

    /** Processor time to touch so much memory for the first time, nanoseconds. */
    public long freshNanos(long bytes) {
        return (long) (bytes * NANOS / freshBytesPerSecond);
    }

    /** Processor time of a call that is served from pages and moves so many bytes, nanoseconds. */
    long callNanos(long bytes) {
        return callNanos + copyNanos(bytes);
    }

    /** Processor time of a call that the kernel serves from its cache, nanoseconds. */
    long kernelNanos(long bytes) {
        return kernelNanos + copyNanos(bytes);
    }

    /** Processor time to copy so many bytes, nanoseconds. */
    long copyNanos(long bytes) {
        return (long) (bytes * NANOS / copyBytesPerSecond);
    }
}
