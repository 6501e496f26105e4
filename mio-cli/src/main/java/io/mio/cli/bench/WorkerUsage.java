package io.mio.cli.bench;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process has cost, and what the machine's processors have done; 0 if not known.
 *
 * @param cpuNanos user and system time of all threads, those of io_uring included; in steps of 10
 *     ms
 * @param threadNanos the same, exactly, by the threads that still exist
 * @param machineNanos time of all processes and the kernel: not idle
 * @param deviceReadBytes what the kernel fetched from storage for the process
 * @param deviceWrittenBytes what the kernel will have to bring there
 */
record WorkerUsage(
        long cpuNanos,
        Map<String, Long> threadNanos,
        long machineNanos,
        long deviceReadBytes,
        long deviceWrittenBytes) {
    /** Unit of the times that the kernel tells programs: hundredths of a second on all machines. */
    private static final long TICK_NANOS = 10_000_000;

    private static final String THREADS = "/proc/self/task";

    /** Counters other than the processor time of this process. */
    private record Counters(long machineNanos, long deviceReadBytes, long deviceWrittenBytes) {
        static Counters now() {
            String[] cpu = text("/proc/stat").split("\n", 2)[0].split(" +");
            long busy = 0;
            // Columns user, nice, system and both of interrupts; idle and waiting are left out.
            for (int i : new int[] {1, 2, 3, 6, 7}) {
                busy += i < cpu.length ? Long.parseLong(cpu[i]) : 0;
            }
            String io = text("/proc/self/io");
            return new Counters(
                    busy * TICK_NANOS, number(io, "read_bytes"), number(io, "write_bytes"));
        }
    }

    /**
     * Returns the usage of this process before a test. Its time is read last, so that the other
     * reads do not count.
     */
    static WorkerUsage before() {
        Counters counters = Counters.now();
        long ticks = ticks();
        return of(ticks, threads(), counters);
    }

    /** Returns the usage of this process after a test. Its time is read first. */
    static WorkerUsage after() {
        Map<String, Long> threads = threads();
        long ticks = ticks();
        return of(ticks, threads, Counters.now());
    }

    private static WorkerUsage of(long ticks, Map<String, Long> threads, Counters counters) {
        return new WorkerUsage(
                ticks * TICK_NANOS,
                threads,
                counters.machineNanos,
                counters.deviceReadBytes,
                counters.deviceWrittenBytes);
    }

    private static long ticks() {
        String stat = text("/proc/self/stat");
        // The file has 4711 (a name (with anything)) S 1 ... : utime is the 12th word behind the
        // name.
        String[] words = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
        return words.length < 13 ? 0 : Long.parseLong(words[11]) + Long.parseLong(words[12]);
    }

    private static Map<String, Long> threads() {
        Map<String, Long> nanos = new HashMap<>();
        String[] numbers = new File(THREADS).list();
        for (String number : numbers == null ? new String[0] : numbers) {
            String text = text(THREADS + "/" + number + "/schedstat");
            if (!text.isEmpty()) {
                nanos.put(number, Long.parseLong(text.split(" ", 2)[0]));
            }
        }
        return nanos;
    }

    /** Returns what was used since then; exactly, if all threads of then still exist. */
    WorkerUsage since(WorkerUsage before) {
        long cpu = cpuNanos - before.cpuNanos;
        if (!before.threadNanos.isEmpty()
                && threadNanos.keySet().containsAll(before.threadNanos.keySet())) {
            cpu = sum(threadNanos) - sum(before.threadNanos);
        }
        return new WorkerUsage(
                cpu,
                Map.of(),
                machineNanos - before.machineNanos,
                deviceReadBytes - before.deviceReadBytes,
                deviceWrittenBytes - before.deviceWrittenBytes);
    }

    private static long sum(Map<String, Long> nanos) {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long number(String io, String name) {
        Matcher matcher = Pattern.compile("(?m)^" + name + ": (\\d+)$").matcher(io);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Reads by java.io, which does not go through the file system provider that is measured. */
    private static String text(String file) {
        try (InputStream in = new FileInputStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
