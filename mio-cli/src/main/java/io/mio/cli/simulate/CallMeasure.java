package io.mio.cli.simulate;

import io.mio.cli.term.CliException;
import io.mio.os.KernelCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Measures the processor time of a call on this machine: of a call that is served from pages, by
 * the classes that serve a Java program, and of a call that the kernel serves from its cache. Takes
 * some tens of milliseconds.
 */
final class CallMeasure {
    /** The rule by which {@code pf/auto} serves small requests. */
    private static final Rule RULE =
            Rule.parse("pf/cache=1m/page=64k/pref=1/synchronous/through/private");

    private static final int FILE_BYTES = 1 << 20;

    /**
     * Calls in each round. The first ones are slow, until the JVM has compiled the code they run.
     */
    private static final int CALLS = 20_000;

    private static final int TIMES = 20;

    private CallMeasure() {}

    /** Time of a read of one byte from a page, in nanoseconds: the mean of the fastest round. */
    static long pageNanos() {
        Timeline timeline = new Timeline(new DeviceQueue(Device.assumed()));
        SimulatedFile file = new SimulatedFile(null);
        try {
            SimulatedOpen open =
                    new SimulatedOpen(
                            SimulatedProcess.unrecorded(FILE_BYTES),
                            RULE.cache(),
                            0,
                            RULE.sectorBytes(),
                            file,
                            timeline,
                            null);
            try {
                return fastest(open);
            } finally {
                open.close();
            }
        } catch (IOException e) {
            throw new CliException("a call cannot be measured: " + e.getMessage());
        }
    }

    private static long fastest(SimulatedOpen open) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1);
        long best = Long.MAX_VALUE;
        for (int time = 0; time < TIMES; time++) {
            long began = System.nanoTime();
            for (int call = 0; call < CALLS; call++) {
                buffer.clear();
                open.read(buffer, call);
            }
            best = Math.min(best, System.nanoTime() - began);
        }
        return Math.max(1, best / CALLS);
    }

    /**
     * Time of a read of one byte that is in the kernel's cache, in nanoseconds.
     *
     * @param file the file to read
     * @param otherwise the result where the time cannot be measured
     */
    static long kernelNanos(Path file, long otherwise) {
        long nanos = KernelCall.nanos(file);
        return nanos > 0 ? nanos : otherwise;
    }
}
