package io.mio.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.bench.Cleanup;
import io.mio.cli.demo.NativeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs {@code updater}: many threads that update records of a few files, for some time. */
final class Updates {
    private static final String PROGRAM = "updater";
    private static final String LIBRARY = "libmio_preload.so";

    /** Length of a tick of the program. */
    static final double SECONDS_PER_TICK = 0.1;

    private static final double NANOS = 1e9;

    private final Context context;
    private final Load load;

    /**
     * What the threads do.
     *
     * @param updatePercent percentage of transactions that write
     */
    record Load(int recordBytes, int threads, long millis, int updatePercent) {}

    /**
     * One of the configurations that are compared.
     *
     * @param rule empty for none of MIO
     * @param exclusive whether the program has a lock of each file, as a file system may
     */
    record Setup(String name, String rule, boolean direct, boolean exclusive, List<Path> files) {}

    /**
     * The result of a run; times in nanoseconds.
     *
     * @param lockNanos time that all threads together waited for locks; -1 if it is not counted
     * @param ticks transactions that ended in each tenth of a second
     */
    record Run(
            long transactions,
            long updates,
            long elapsedNanos,
            long lockNanos,
            long cpuNanos,
            long idleNanos,
            long medianNanos,
            long p99Nanos,
            long mostNanos,
            List<Long> ticks) {
        double perSecond() {
            return transactions / (elapsedNanos / NANOS);
        }

        /** Returns the waits for locks as a part of all threads' time. */
        double lockPercent(int threads) {
            return 100.0 * lockNanos / ((double) elapsedNanos * threads);
        }

        double idlePercent(long processors) {
            return Math.min(100, 100.0 * idleNanos / ((double) elapsedNanos * processors));
        }
    }

    Updates(Context context, Load load) {
        this.context = context;
        this.load = load;
    }

    /**
     * Unpacks the program.
     *
     * @throws SkippedException if it is not in the jar
     */
    static void unpack(Scope scope) throws IOException, InterruptedException {
        if (!NativeFiles.isBuilt(PROGRAM) || !NativeFiles.isBuilt(LIBRARY)) {
            throw new SkippedException(
                    "this mio was built without programs in C; build it where there is a compiler");
        }
        for (String name : List.of(PROGRAM, LIBRARY)) {
            Path file = scope.dir().resolve(name);
            scope.begin(
                    () -> {
                        NativeFiles.unpack(file, "cio");
                        return null;
                    },
                    () -> Files.deleteIfExists(file));
        }
    }

    /** Runs a configuration, for as long as the load says. */
    Run run(Setup setup) throws IOException, InterruptedException {
        Path stats = context.dir().resolve("updater.jsonl");
        ProcessBuilder builder = new ProcessBuilder(command(setup));
        builder.directory(context.dir().toFile());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MIO_"));
        if (!setup.rule().isEmpty()) {
            environment.put("MIO_FILES", names(setup.files()) + " " + setup.rule());
            environment.put("MIO_STATS", stats.getFileName().toString());
            // The name has no directory, whose name may have blanks.
            environment.merge("LD_PRELOAD", "./" + LIBRARY, (before, ours) -> ours + ":" + before);
        }
        Process[] started = new Process[1];
        Cleanup.Action ending =
                () -> {
                    if (started[0] != null) {
                        started[0].destroyForcibly();
                    }
                    Files.deleteIfExists(stats);
                };
        try (Scope scope = new Scope(context)) {
            scope.begin(() -> started[0] = builder.start(), ending);
            started[0].getOutputStream().close();
            byte[] said = started[0].getInputStream().readAllBytes();
            int status = started[0].waitFor();
            List<String> lines = new String(said, StandardCharsets.UTF_8).lines().toList();
            if (status != 0 || lines.size() != 2) {
                throw new IOException(
                        setup.name()
                                + ": "
                                + lines.stream().findFirst().orElse("ended with status " + status));
            }
            Run run = parse(lines.get(0), lines.get(1));
            if (setup.rule().isEmpty()) {
                return setup.exclusive() ? run : withLock(run, -1);
            }
            return withLock(run, gateNanos(Files.readString(stats)));
        }
    }

    private List<String> command(Setup setup) {
        List<String> command = new ArrayList<>();
        command.add(context.dir().resolve(PROGRAM).toString());
        command.add(Integer.toString(load.recordBytes()));
        command.add(Integer.toString(load.threads()));
        command.add(Long.toString(load.millis()));
        command.add(Integer.toString(load.updatePercent()));
        command.add("1");
        command.add(setup.direct() ? "direct" : "buffered");
        command.add(setup.exclusive() ? "exclusive" : "shared");
        setup.files().forEach(file -> command.add(file.toString()));
        return command;
    }

    private static String names(List<Path> files) {
        return String.join(":", files.stream().map(file -> file.getFileName().toString()).toList());
    }

    private static Run withLock(Run run, long nanos) {
        return new Run(
                run.transactions(),
                run.updates(),
                run.elapsedNanos(),
                nanos,
                run.cpuNanos(),
                run.idleNanos(),
                run.medianNanos(),
                run.p99Nanos(),
                run.mostNanos(),
                run.ticks());
    }

    /**
     * Reads what the program prints about itself.
     *
     * @throws IOException if it is something else
     */
    static Run parse(String result, String ticks) throws IOException {
        try {
            return new Run(
                    number(result, "transactions"),
                    number(result, "updates"),
                    number(result, "elapsed_ns"),
                    number(result, "lock_ns"),
                    number(result, "cpu_ns"),
                    number(result, "machine_idle_ns"),
                    number(result, "p50_ns"),
                    number(result, "p99_ns"),
                    number(result, "max_ns"),
                    Arrays.stream(ticks.substring("ticks".length()).strip().split(" "))
                            .filter(tick -> !tick.isEmpty())
                            .map(Long::valueOf)
                            .toList());
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            throw new IOException("updater said " + result, e);
        }
    }

    private static long number(String result, String name) {
        for (String word : result.split(" ")) {
            if (word.startsWith(name + "=")) {
                return Long.parseLong(word.substring(name.length() + 1));
            }
        }
        throw new IllegalArgumentException(name);
    }

    /**
     * Returns the waits for the locks of files, which MIO counts in the reports of their caches.
     */
    static long gateNanos(String jsonLines) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        long nanos = 0;
        int files = 0;
        for (String line : jsonLines.lines().toList()) {
            JsonNode block = mapper.readTree(line);
            if ("file".equals(block.path("of").asText())) {
                nanos += gate(block);
                files++;
            }
        }
        if (files == 0) {
            throw new IOException("MIO left no report");
        }
        return nanos;
    }

    private static long gate(JsonNode block) throws IOException {
        JsonNode found = block.findValue("gate_wait_ns");
        if (found == null) {
            throw new IOException(
                    String.format(Locale.ROOT, "a report without gate_wait_ns: %.200s", block));
        }
        return found.asLong();
    }
}
