package io.mio.cli.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of one test in one run, for all its workers together.
 *
 * @param beginNanos when the first thread began, by the monotonic clock
 * @param endNanos when the last one had done, with flush and close if they count
 * @param cpuNanos user and system time of all threads
 * @param machineNanos all processors' time that was not idle, other programs' included
 * @param flushNanos the longest flush; 0 if none was asked for
 * @param closeNanos the longest close, whether it counts or not
 * @param digest digest of the records, in their order
 */
public record Sample(
        long beginNanos,
        long endNanos,
        long bytes,
        long calls,
        long cpuNanos,
        long machineNanos,
        long deviceReadBytes,
        long deviceWrittenBytes,
        long openNanos,
        long flushNanos,
        long closeNanos,
        long digest,
        Histogram latency) {
    /** Bytes of a KB as IOzone counts. */
    private static final double KB = 1024;

    /** Words of a result line, with the first one. */
    private static final int WORDS = 14;

    private static final double GB = 1024.0 * 1024 * 1024;
    private static final double NANOS = 1e9;

    /**
     * Reads the two lines that a worker prints about itself.
     *
     * @throws IllegalArgumentException if they are others
     */
    static Sample ofLines(String result, String latency) {
        Map<String, String> words = new HashMap<>();
        for (String word : result.split(" ")) {
            int at = word.indexOf('=');
            String key = at < 0 ? word : word.substring(0, at);
            if (words.put(key, word.substring(at + 1)) != null) {
                throw new IllegalArgumentException("no result: " + key + " twice");
            }
        }
        if (words.size() != WORDS
                || !words.containsKey("result")
                || !latency.startsWith("latency")) {
            throw new IllegalArgumentException("no result: " + result);
        }
        return new Sample(
                number(words, "begin_ns"),
                number(words, "end_ns"),
                number(words, "bytes"),
                number(words, "calls"),
                number(words, "cpu_ns"),
                number(words, "machine_ns"),
                number(words, "device_read_bytes"),
                number(words, "device_written_bytes"),
                number(words, "open_ns"),
                number(words, "flush_ns"),
                number(words, "close_ns"),
                Long.parseUnsignedLong(words.getOrDefault("digest", ""), 16),
                Histogram.ofWords(
                        latency.substring("latency".length()).strip(), number(words, "most_ns")));
    }

    private static long number(Map<String, String> words, String key) {
        try {
            return Long.parseLong(words.getOrDefault(key, ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no result: " + key, e);
        }
    }

    /** Adds up workers that ran at the same time. */
    static Sample of(List<Sample> workers) {
        Sample sum = workers.get(0);
        Histogram latency = new Histogram();
        latency.add(sum.latency);
        for (Sample one : workers.subList(1, workers.size())) {
            latency.add(one.latency);
            sum =
                    new Sample(
                            Math.min(sum.beginNanos, one.beginNanos),
                            Math.max(sum.endNanos, one.endNanos),
                            sum.bytes + one.bytes,
                            sum.calls + one.calls,
                            sum.cpuNanos + one.cpuNanos,
                            Math.max(sum.machineNanos, one.machineNanos),
                            sum.deviceReadBytes + one.deviceReadBytes,
                            sum.deviceWrittenBytes + one.deviceWrittenBytes,
                            Math.max(sum.openNanos, one.openNanos),
                            Math.max(sum.flushNanos, one.flushNanos),
                            Math.max(sum.closeNanos, one.closeNanos),
                            sum.digest + one.digest,
                            latency);
        }
        return sum;
    }

    /** Adds up this run and one after it; the time between them counts for neither. */
    Sample then(Sample next) {
        Histogram both = new Histogram();
        both.add(latency);
        both.add(next.latency);
        return new Sample(
                beginNanos,
                endNanos + next.elapsedNanos(),
                bytes + next.bytes,
                calls + next.calls,
                cpuNanos + next.cpuNanos,
                machineNanos + next.machineNanos,
                deviceReadBytes + next.deviceReadBytes,
                deviceWrittenBytes + next.deviceWrittenBytes,
                openNanos + next.openNanos,
                flushNanos + next.flushNanos,
                closeNanos + next.closeNanos,
                digest + next.digest,
                both);
    }

    public long elapsedNanos() {
        return Math.max(1, endNanos - beginNanos);
    }

    /** Returns the rate in KB of 1024 bytes. */
    public double kbPerSecond() {
        return bytes / KB / (elapsedNanos() / NANOS);
    }

    public double callsPerSecond() {
        return calls / (elapsedNanos() / NANOS);
    }

    /** Returns the processor seconds for 1024 * 1024 * 1024 bytes; 0 without bytes. */
    public double cpuSecondsPerGb() {
        return bytes == 0 ? 0 : cpuNanos / NANOS / (bytes / GB);
    }
}
