package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Perfetto's own trace processor. Tests are skipped where it cannot be had, or where there is no
 * node to run it.
 */
final class TraceProcessor {
    private static final Path TOOLS = Path.of("src/test/tools").toAbsolutePath();

    private static String missing;

    private TraceProcessor() {}

    private static Path engine() {
        String given = System.getProperty("mio.test.traceProcessor");
        return given == null ? Path.of("target/tools/trace_processor") : Path.of(given);
    }

    static void assumeThere() throws IOException, InterruptedException {
        synchronized (TraceProcessor.class) {
            if (missing == null) {
                missing = install();
            }
            assumeTrue(missing.isEmpty(), missing);
        }
    }

    private static String install() throws IOException, InterruptedException {
        try {
            run(List.of("node", "--version"));
        } catch (IOException e) {
            return "no node: " + e.getMessage();
        }
        if (Files.exists(engine().resolve("engine_bundle.js"))) {
            return "";
        }
        String script = TOOLS.resolve("trace_processor.sh").toString();
        try {
            run(List.of("sh", script, engine().toAbsolutePath().toString()));
            return "";
        } catch (IOException e) {
            return "no trace processor: " + e.getMessage();
        }
    }

    /** Returns the rows of each query; fails if the trace is refused. */
    static List<List<Map<String, Object>>> ask(Path trace, String... queries)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add("node");
        command.add(TOOLS.resolve("trace_processor.mjs").toString());
        command.add(engine().toString());
        command.add(trace.toString());
        command.addAll(List.of(queries));
        List<List<Map<String, Object>>> answers = new ArrayList<>();
        ObjectMapper mapper = new ObjectMapper();
        for (String line : run(command).lines().toList()) {
            answers.add(mapper.readValue(line, new TypeReference<>() {}));
        }
        assertThat(answers).hasSize(queries.length);
        return answers;
    }

    /** Returns what the command prints; if it fails, throws an exception with that text. */
    private static String run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("mio", ".out");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            process.getOutputStream().close();
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
                throw new IOException(command + " does not end");
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(command + ": " + text);
            }
            return text;
        } finally {
            Files.delete(output);
        }
    }
}
