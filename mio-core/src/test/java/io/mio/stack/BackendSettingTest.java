package io.mio.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.Mio;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The setting {@code backend}, as it is when a JVM starts. */
class BackendSettingTest {
    private static final String RULE = "* [ pf/cache=64k/page=16k/stats ]";

    @TempDir private Path directory;

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }

    /** The report's line with the host name, which ends with how page requests are done. */
    private String header(Map<String, String> environment, String... properties) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(pathOf(Mio.class) + File.pathSeparator + pathOf(ReportProgram.class));
        command.addAll(List.of(properties));
        command.add(ReportProgram.class.getName());
        command.add("return");
        Path stats = directory.resolve("stats");
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        builder.environment().put("MIO_FILES", RULE);
        builder.environment().put("MIO_STATS", stats.toString());
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(directory.resolve("out").toFile());
        Process process = builder.start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("still running: " + command);
        }
        assertThat(process.exitValue()).as(Files.readString(directory.resolve("out"))).isZero();
        return Files.readString(stats)
                .lines()
                .filter(line -> line.contains("hostname="))
                .findFirst()
                .orElse("");
    }

    @Test
    void shouldLeaveOutWhatComesBeforeTheBackendOfTheEnvironment() throws Exception {
        assertThat(header(Map.of("MIO_BACKEND", "threads"))).endsWith(" : with threads");
        assertThat(header(Map.of("MIO_BACKEND", " sync "))).endsWith(" : with sync");
    }

    @Test
    void shouldTakeItFromAFileOfSettings() throws Exception {
        Path file = Files.writeString(directory.resolve("mio.conf"), "backend = sync\n");
        assertThat(header(Map.of("MIO_CONFIG", file.toString()))).endsWith(" : with sync");
    }

    @Test
    void shouldTakeThePropertyBeforeTheEnvironment() throws Exception {
        assertThat(header(Map.of("MIO_BACKEND", "threads"), "-Dmio.backend=sync"))
                .endsWith(" : with sync");
    }
}
