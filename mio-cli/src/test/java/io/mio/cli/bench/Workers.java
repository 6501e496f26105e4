package io.mio.cli.bench;

import io.mio.cli.demo.NativeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Both twins of the worker, as programs. */
final class Workers {
    private static final String PROGRAM = "bench_worker";

    private Workers() {}

    static boolean hasC() {
        return NativeFiles.isBuilt(PROGRAM);
    }

    /** The command of the twin in C. */
    static List<String> c(Path dir) throws IOException {
        Path program = dir.resolve(PROGRAM);
        if (!Files.exists(program)) {
            NativeFiles.unpack(program, "test");
        }
        return List.of(program.toString());
    }

    /** The command of the twin in Java. */
    static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BenchWorker.class.getName());
    }

    /** Returns a worker's answers to these lines, without its greeting. */
    static List<String> answer(List<String> command, List<Path> files, List<String> lines)
            throws Exception {
        List<String> all = new ArrayList<>(command);
        files.forEach(file -> all.add(file.toString()));
        Process process =
                new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Path input = Files.createTempFile("lines", "");
        Files.write(input, lines);
        try (var in = process.getOutputStream()) {
            Files.copy(input, in);
        } catch (IOException e) {
            // The worker may end before it has read everything.
        } finally {
            Files.delete(input);
        }
        List<String> answers =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
        process.waitFor();
        if (answers.isEmpty() || !answers.get(0).equals(BenchWorker.GREETING)) {
            throw new IOException("no greeting: " + answers);
        }
        return answers.subList(1, answers.size());
    }

    static WorkerJob job(BenchTest test, int recordBytes, long fileRecords) {
        return new WorkerJob(
                test,
                recordBytes,
                fileRecords,
                1,
                0,
                1,
                17,
                1,
                70,
                1,
                0,
                false,
                false,
                false,
                false);
    }
}
