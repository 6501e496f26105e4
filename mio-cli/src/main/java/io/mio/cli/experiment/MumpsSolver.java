package io.mio.cli.experiment;

import io.mio.cli.bench.Cleanup;
import io.mio.cli.bench.Spread;
import io.mio.cli.demo.MemoryGroup;
import io.mio.cli.demo.NativeFiles;
import io.mio.cli.term.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * A real out-of-core solver, MUMPS, where it and a C compiler are installed. A small program of
 * MIO's is built against it, and runs without MIO and under the preload library. Its scratch files
 * are MUMPS's own.
 */
final class MumpsSolver {
    private static final String SOURCE = "mumps_ooc.c";
    private static final String PROGRAM = "mumps_ooc";
    private static final String LIBRARY = "libmio_preload.so";
    private static final String HEADER = "/usr/include/dmumps_c.h";
    private static final String PLAIN = "plain";
    private static final String PF = "pf";
    private static final String RULE =
            "[ trace/stats | pf/cache=16m/page=1m/direct/stats | trace/stats ]";
    private static final long MIB = 1 << 20;
    private static final long STOP_SECONDS = 10;

    /** One run in figures, in seconds. */
    private record Run(double factor, double solves, double processors, Reports.Counts counts) {}

    private final Context context;
    private final Path dir;
    private final int side;
    private final int solves;
    private final long memoryBytes;
    private final int runs;

    /**
     * Prepares the solver.
     *
     * @param runs runs of each configuration
     */
    MumpsSolver(Context context, int runs) {
        Scale scale = context.settings().scale();
        this.context = context;
        this.dir = context.dir().resolve("mumps");
        this.side = scale.choose(8, 36, 64);
        this.solves = scale.choose(2, 20, 20);
        // Memory for the program itself, and for about an eighth of its files.
        this.memoryBytes = scale.choose(64, 96, 640) * MIB;
        this.runs = runs;
    }

    /**
     * Adds the solver's table to a result; or the reason why there is none, as a note.
     *
     * @throws IOException if it fails where it could be built
     */
    void addTo(Result result) throws IOException, InterruptedException {
        Cleanup.Action removing = () -> removeAll(dir);
        context.cleanup().begin(() -> Files.createDirectory(dir), removing);
        try {
            String missing = build();
            if (missing != null) {
                result.note("A real solver (MUMPS) was left out: " + missing + ".");
                return;
            }
            Map<String, List<Run>> all = new LinkedHashMap<>();
            for (int run = 0; run < runs; run++) {
                for (int i = 0; i < 2; i++) {
                    boolean plain = (run + i) % 2 == 0;
                    all.computeIfAbsent(plain ? PLAIN : PF, key -> new ArrayList<>())
                            .add(run(plain ? "" : RULE, run));
                }
            }
            result.table(table(all));
            result.fact(
                    "MUMPS",
                    String.format(
                            Locale.ROOT,
                            "a program in C, %d unknowns, %d solves, %s, %s",
                            side * side * side,
                            solves,
                            "memory limited to " + memoryBytes / MIB + " MiB where that is allowed",
                            RULE));
        } finally {
            context.cleanup().end(removing);
        }
    }

    /** Builds the program. Returns null if that succeeds, else what is missing. */
    private String build() throws IOException, InterruptedException {
        if (!NativeFiles.isBuilt(LIBRARY)) {
            return "this mio was built without the preload library";
        }
        if (!Files.exists(Path.of(HEADER))) {
            return "it is not installed (Debian: apt install libmumps-seq-dev gcc libc6-dev)";
        }
        try (InputStream in = MumpsSolver.class.getResourceAsStream(SOURCE)) {
            Files.copy(in, dir.resolve(SOURCE));
        }
        NativeFiles.unpack(dir.resolve(LIBRARY), "MUMPS");
        List<String> command =
                List.of(
                        "cc",
                        "-O2",
                        "-I/usr/include/mumps_seq",
                        "-o",
                        PROGRAM,
                        SOURCE,
                        "-ldmumps_seq",
                        "-lm");
        ProcessBuilder compiler =
                new ProcessBuilder(command)
                        .directory(dir.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            int status = compiler.start().waitFor();
            return status == 0 ? null : "cc could not build a program with it";
        } catch (IOException e) {
            return "there is no C compiler";
        }
    }

    private Run run(String rule, int number) throws IOException, InterruptedException {
        try (Progress progress = context.progress()) {
            progress.show(
                    "MUMPS "
                            + (rule.isEmpty() ? "without MIO" : "with pf")
                            + ", run "
                            + (number + 1)
                            + " of "
                            + runs);
            Process[] process = new Process[1];
            MemoryGroup[] group = new MemoryGroup[1];
            Cleanup.Action stopping = () -> stop(process[0], group[0]);
            context.cleanup()
                    .begin(
                            () -> {
                                group[0] = MemoryGroup.open("mio-bench", memoryBytes);
                                process[0] = start(rule, group[0]);
                                return null;
                            },
                            stopping);
            try {
                return figures(process[0], rule);
            } finally {
                context.cleanup().end(stopping);
                Files.deleteIfExists(dir.resolve("report"));
            }
        }
    }

    private Process start(String rule, MemoryGroup group) throws IOException {
        List<String> command =
                List.of("./" + PROGRAM, Integer.toString(side), Integer.toString(solves));
        ProcessBuilder builder =
                new ProcessBuilder(group == null ? command : group.wrap(command))
                        .directory(dir.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MIO_"));
        environment.put("MUMPS_OOC_TMPDIR", ".");
        environment.put("OMP_NUM_THREADS", "1");
        environment.remove("LD_PRELOAD");
        if (!rule.isEmpty()) {
            environment.put("MIO_ENABLED", "true");
            environment.put("MIO_FILES", "mumps_* " + rule);
            environment.put("MIO_STATS", "report");
            environment.put("LD_PRELOAD", "./" + LIBRARY);
        }
        return builder.start();
    }

    private static void stop(Process process, MemoryGroup group) throws IOException {
        if (process != null) {
            process.destroyForcibly();
            try {
                process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (group != null) {
            group.close();
        }
    }

    private Run figures(Process process, String rule) throws IOException, InterruptedException {
        process.getOutputStream().close();
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String line :
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .split("\n")) {
            String[] words = line.trim().split(" ");
            if (words.length == 2) {
                figures.put(words[0], Double.valueOf(words[1]));
            }
        }
        int status = process.waitFor();
        if (status != 0 || figures.size() != 3) {
            throw new IOException("MUMPS: the program ended with status " + status);
        }
        return new Run(
                figures.get("factor"),
                figures.get("solves"),
                figures.get("processors"),
                rule.isEmpty() ? null : Reports.counts(Files.readString(dir.resolve("report"))));
    }

    private ResultTable table(Map<String, List<Run>> all) {
        ResultTable table =
                new ResultTable(
                        "mumps",
                        "A real solver, MUMPS, with its factors out of core",
                        "",
                        PLAIN,
                        PF,
                        "gain");
        row(table, all, "factorization, s", Run::factor);
        row(table, all, solves + " solves, s", Run::solves);
        row(table, all, "CPU, s", Run::processors);
        List<Reports.Counts> counts = all.get(PF).stream().map(Run::counts).toList();
        Spread before = spread(counts, Reports.Counts::programRequests);
        Spread after = spread(counts, Reports.Counts::systemRequests);
        table.row(
                "requests to the system",
                Cell.figure(before, Unit.COUNT, runs),
                Cell.figure(after, Unit.COUNT, runs),
                Cell.gain(after, before, Better.LESS, runs));
        return table;
    }

    private void row(
            ResultTable table,
            Map<String, List<Run>> all,
            String name,
            ToDoubleFunction<Run> figure) {
        Spread before = spread(all.get(PLAIN), figure);
        Spread after = spread(all.get(PF), figure);
        table.row(
                name,
                Cell.figure(before, Unit.SECONDS, runs),
                Cell.figure(after, Unit.SECONDS, runs),
                Cell.gain(after, before, Better.LESS, runs));
    }

    private static <T> Spread spread(List<T> runs, ToDoubleFunction<T> figure) {
        return Spread.of(runs.stream().mapToDouble(figure).toArray());
    }

    /** Removes the directory with all files, also those that MUMPS leaves when it is killed. */
    private static void removeAll(Path dir) throws IOException {
        if (Files.isDirectory(dir)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(dir)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.delete(dir);
        }
    }
}
