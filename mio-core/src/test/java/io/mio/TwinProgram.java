package io.mio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the C side of a comparison: a test program of {@code mio-native/test}, which the build of
 * mio-native makes. A program answers in lines; {@link Case} holds one question or one answer.
 */
public final class TwinProgram {
    private static final Path BUILT =
            Path.of(System.getProperty("basedir", "."), "..", "mio-native", "target", "obj");

    private TwinProgram() {}

    /** The lines of one case, each a key and a value: what is asked, or what is answered. */
    public static final class Case {
        private final List<String> lines = new ArrayList<>();

        /** A case without lines. */
        public Case() {}

        /** Adds a line. */
        public Case put(String key, String value) {
            lines.add(key + "\t" + escape(value));
            return this;
        }

        /** Each line: key, tab, and the value with its line ends, tabs and backslashes escaped. */
        public List<String> lines() {
            return lines;
        }

        @Override
        public String toString() {
            return String.join("\n", lines);
        }

        private static String escape(String value) {
            return value.replace("\\", "\\\\")
                    .replace("\n", "\\n")
                    .replace("\r", "\\r")
                    .replace("\t", "\\t");
        }
    }

    /** What {@code program what} prints, line by line. Skips the test if it was not built. */
    public static List<String> print(String program, String what) {
        return run(program, what, "").lines().toList();
    }

    /** The rows of a table that {@code program} prints, without the table's name, with tabs. */
    public static List<String> rows(String program, String table) {
        List<String> rows = new ArrayList<>();
        for (String line : print(program, "tables")) {
            if (line.startsWith(table + "\t")) {
                rows.add(line.substring(table.length() + 1));
            }
        }
        return rows;
    }

    /** The program's answer to each case. Skips the test if the program was not built. */
    public static List<List<String>> ask(String program, String what, List<Case> cases) {
        StringBuilder input = new StringBuilder();
        for (Case each : cases) {
            each.lines.forEach(line -> input.append(line).append('\n'));
            input.append('\n');
        }
        List<List<String>> answers = new ArrayList<>();
        List<String> answer = new ArrayList<>();
        for (String line : run(program, what, input.toString()).lines().toList()) {
            if (line.isEmpty()) {
                answers.add(answer);
                answer = new ArrayList<>();
            } else {
                answer.add(line);
            }
        }
        assertThat(answers.size()).as("number of answers").isEqualTo(cases.size());
        return answers;
    }

    /**
     * Runs a C golden-case test with {@code cases} in place of those of {@code file}. Returns the
     * same text with the answers that the test finds. Skips the test if the program was not built.
     *
     * @param file the name that the C test reads, below the folder twin
     * @param directory a folder in which files may be made
     */
    public static String show(String program, String file, String cases, Path directory) {
        try {
            Path written = directory.resolve(file);
            Files.createDirectories(written.getParent());
            Files.writeString(written, cases);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return run(
                program,
                "",
                "",
                Map.of("MIO_GOLDEN_SHOW", "yes", "MIO_TEST_TWIN", directory.toString()));
    }

    /** The path of a program. Skips the test if the program was not built. */
    public static Path path(String name) {
        Path program = BUILT.resolve(machine()).resolve("test").resolve(name);
        assumeTrue(
                Files.isExecutable(program),
                "the C side was not built: no C compiler on this machine, or mio-native was left"
                        + " out");
        return program.toAbsolutePath().normalize();
    }

    private static String run(String name, String what, String input) {
        return run(name, what, input, Map.of());
    }

    private static String run(
            String name, String what, String input, Map<String, String> environment) {
        Path program = path(name);
        try {
            // Output goes to a file: the program never waits for us to read.
            Path output = Files.createTempFile("twin", ".txt");
            try {
                ProcessBuilder builder =
                        new ProcessBuilder(program.toString(), what)
                                .redirectOutput(output.toFile())
                                .redirectError(Redirect.INHERIT);
                builder.environment().putAll(environment);
                Process process = builder.start();
                try (OutputStream in = process.getOutputStream()) {
                    in.write(input.getBytes(StandardCharsets.UTF_8));
                }
                assertThat(process.waitFor()).as("exit status of %s", program).isZero();
                return Files.readString(output);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The name of this kind of machine in the Makefile. */
    private static String machine() {
        String arch = System.getProperty("os.arch");
        return "linux-" + (arch.equals("amd64") ? "x86-64" : arch);
    }
}
