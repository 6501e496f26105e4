package io.mio.cli.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The program that {@code mio bench} measures. It reads and writes records of files, in an order
 * and with a content that a seed determines. It is a plain program and knows nothing of MIO. Twin
 * of {@code bench_worker.c}: same lines in, same lines out, same calls in between;
 * docs/format/bench-worker.md has them.
 */
public final class BenchWorker {
    /** The line printed at the beginning. */
    static final String GREETING = "bench-worker 1";

    /** Most bytes of a line, without its end. */
    private static final int LINE_BYTES = 4094;

    /** What jobs that verified know of the files' records. */
    private static final class Known {
        final byte[][] generations;
        int recordBytes;

        Known(int files) {
            generations = new byte[files][];
        }
    }

    private final List<Path> files;
    private final List<Path> warmFiles;
    private final Known known;
    private final Known warmKnown;
    private final InputStream in;
    private final PrintStream out;

    private BenchWorker(List<Path> files, List<Path> warmFiles, InputStream in, PrintStream out) {
        this.files = files;
        this.warmFiles = warmFiles;
        this.known = new Known(files.size());
        this.warmKnown = new Known(warmFiles.size());
        this.in = in;
        this.out = out;
    }

    /**
     * Obeys standard input to its end.
     *
     * @param args the files; behind {@code --} those to be warmed up on
     */
    public static void main(String[] args) {
        List<String> names = List.of(args);
        int end = names.contains("--") ? names.indexOf("--") : names.size();
        if (end == 0) {
            System.err.println("usage: BenchWorker FILE... [-- FILE...]");
            System.exit(2);
        }
        List<Path> files = names.subList(0, end).stream().map(Path::of).toList();
        List<Path> warmFiles = names.stream().skip(end + 1).map(Path::of).toList();
        InputStream in = new BufferedInputStream(System.in);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BenchWorker worker = new BenchWorker(files, warmFiles, in, out);
        try {
            worker.obey();
        } catch (IllegalArgumentException e) {
            worker.fail("failed", "line not understood: " + e.getMessage());
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            worker.fail(e);
        }
    }

    /**
     * Ends the process with a message. May be called from any thread; only the first failure is
     * printed.
     */
    private void fail(Throwable e) {
        if (e instanceof WrongContentException) {
            fail("wrong", e.getMessage());
        }
        fail("failed", e instanceof IOException ? e.getMessage() : e.toString());
    }

    private synchronized void fail(String kind, String text) {
        out.println(kind + " " + text.replaceAll("\\p{Cntrl}", "?"));
        out.flush();
        // Ends at once: other threads may hang in calls.
        Runtime.getRuntime().halt(1);
    }

    private void obey() throws IOException {
        out.println(GREETING);
        out.flush();
        for (String line = nextLine(); line != null; line = nextLine()) {
            if (line.startsWith("run ")) {
                run(WorkerJob.ofLine(line.substring("run ".length())), files, known);
            } else if (line.startsWith("warm ") && !warmFiles.isEmpty()) {
                run(WorkerJob.ofLine(line.substring("warm ".length())), warmFiles, warmKnown);
            } else if (line.startsWith("plan ")) {
                plan(WorkerJob.ofLine(line.substring("plan ".length())));
            } else {
                throw new IllegalArgumentException("command");
            }
        }
    }

    /**
     * Reads a line up to a line feed, as the twin does: nothing else ends a line.
     *
     * @return null at the end of the input
     */
    private String nextLine() throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        while (next >= 0 && next != '\n') {
            line.append((char) next);
            if (line.length() > LINE_BYTES) {
                throw new IllegalArgumentException("longer than " + LINE_BYTES + " bytes");
            }
            next = in.read();
        }
        return line.toString();
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

    private void run(WorkerJob job, List<Path> opened, Known past) throws IOException {
        if (job.verify()) {
            prepareGenerations(job, past);
        }
        long began = System.nanoTime();
        WorkerThreads threads = new WorkerThreads(job, opened, past.generations, this::fail);
        long openNanos = System.nanoTime() - began;
        out.println("prepared");
        out.flush();
        String line = nextLine();
        if (line == null) {
            // The benchmark has gone, so the threads would wait in vain.
            Runtime.getRuntime().halt(0);
        }
        if (!"go".equals(line)) {
            throw new IllegalArgumentException("not go");
        }
        WorkerUsage before = WorkerUsage.before();
        threads.run();
        threads.finish();
        // Read only now, as data that was kept back until the close has its costs, too.
        WorkerUsage used = WorkerUsage.after().since(before);
        threads.leave();
        report(threads, openNanos, used);
    }

    private static void prepareGenerations(WorkerJob job, Known past) throws IOException {
        if (job.fileRecords() > Integer.MAX_VALUE - 8) {
            throw new IOException("no memory to verify " + job.fileRecords() + " records");
        }
        int records = (int) job.fileRecords();
        byte[][] generations = past.generations;
        for (int i = 0; i < generations.length; i++) {
            if (generations[i] == null || job.recordBytes() != past.recordBytes) {
                // What is known is about records of another size.
                generations[i] = new byte[records];
            } else if (generations[i].length < records) {
                generations[i] = Arrays.copyOf(generations[i], records);
            }
            if (job.known() > 0) {
                Arrays.fill(generations[i], 0, records, (byte) job.known());
            }
        }
        past.recordBytes = job.recordBytes();
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
