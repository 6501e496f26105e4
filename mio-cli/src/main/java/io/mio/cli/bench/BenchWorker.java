package io.mio.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Does what {@code mio bench} measures: reads and writes records of files, in an order and with a
 * content that a seed gives. A plain program: it knows nothing of MIO. Twin of {@code
 * bench_worker.c}: same lines in, same lines out, same calls in between;
 * docs/format/bench-worker.md has them.
 */
public final class BenchWorker {
    /** Said at the beginning. */
    static final String GREETING = "bench-worker 1";

    private final List<Path> files;
    private final byte[][] generations;
    private final BufferedReader in;
    private final PrintStream out;

    private BenchWorker(List<Path> files, BufferedReader in, PrintStream out) {
        this.files = files;
        this.generations = new byte[files.size()][];
        this.in = in;
        this.out = out;
    }

    /**
     * Obeys standard input to its end.
     *
     * @param args the files
     */
    public static void main(String[] args) {
        if (args.length == 0) {
            System.err.println("usage: BenchWorker FILE...");
            System.exit(2);
        }
        List<Path> files = new ArrayList<>();
        for (String arg : args) {
            files.add(Path.of(arg));
        }
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BenchWorker worker = new BenchWorker(files, in, out);
        try {
            worker.obey();
        } catch (WrongContentException e) {
            worker.fail("wrong", e.getMessage());
        } catch (IllegalArgumentException e) {
            worker.fail("failed", "line not understood: " + e.getMessage());
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            worker.fail("failed", e.toString());
        }
    }

    private void fail(String kind, String text) {
        out.println(kind + " " + text.replaceAll("\\p{Cntrl}", "?"));
        out.flush();
        // At once: threads may hang in calls.
        Runtime.getRuntime().halt(1);
    }

    private void obey() throws IOException {
        out.println(GREETING);
        out.flush();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("run ")) {
                run(WorkerJob.ofLine(line.substring("run ".length())));
            } else if (line.startsWith("plan ")) {
                plan(WorkerJob.ofLine(line.substring("plan ".length())));
            } else {
                throw new IllegalArgumentException("command");
            }
        }
    }

    private void plan(WorkerJob job) {
        Sequence sequence = new Sequence(job, job.first(), files.size());
        while (sequence.next()) {
            out.println(
                    (sequence.writes() ? "w " : "r ") + sequence.file() + " " + sequence.offset());
        }
        out.println("digest " + hex(sequence.digest()));
        out.println("done");
        out.flush();
    }

    private static String hex(long digest) {
        return String.format(Locale.ROOT, "%016x", digest);
    }

    private void run(WorkerJob job) throws IOException {
        if (job.verify()) {
            prepareGenerations(job);
        }
        long began = System.nanoTime();
        WorkerThreads threads = new WorkerThreads(job, files, generations);
        long openNanos = System.nanoTime() - began;
        out.println("prepared");
        out.flush();
        if (!"go".equals(in.readLine())) {
            // Nobody is there any more; threads wait for nothing.
            Runtime.getRuntime().halt(0);
        }
        WorkerUsage before = WorkerUsage.now();
        threads.run();
        WorkerUsage used = WorkerUsage.now().since(before);
        threads.leave();
        threads.finish();
        report(threads, openNanos, used);
    }

    private void prepareGenerations(WorkerJob job) throws IOException {
        if (job.fileRecords() > Integer.MAX_VALUE - 8) {
            throw new IOException("no memory to verify " + job.fileRecords() + " records");
        }
        for (int i = 0; i < generations.length; i++) {
            if (generations[i] == null) {
                generations[i] = new byte[(int) job.fileRecords()];
            }
            if (job.known() > 0) {
                Arrays.fill(generations[i], (byte) job.known());
            }
        }
    }

    private void report(WorkerThreads threads, long openNanos, WorkerUsage used) {
        out.println(
                "result begin_ns="
                        + threads.beginNanos()
                        + " end_ns="
                        + threads.endNanos()
                        + " bytes="
                        + threads.bytes()
                        + " calls="
                        + threads.latency().count()
                        + " cpu_ns="
                        + used.cpuNanos()
                        + " machine_ns="
                        + used.machineNanos()
                        + " device_read_bytes="
                        + used.deviceReadBytes()
                        + " device_written_bytes="
                        + used.deviceWrittenBytes()
                        + " open_ns="
                        + openNanos
                        + " flush_ns="
                        + threads.flushNanos()
                        + " close_ns="
                        + threads.closeNanos()
                        + " most_ns="
                        + threads.latency().most()
                        + " digest="
                        + hex(threads.digest()));
        String buckets = threads.latency().toWords();
        out.println(buckets.isEmpty() ? "latency" : "latency " + buckets);
        out.println("done");
        out.flush();
    }
}
