package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every script below {@code src/test/cli} and compares its output with the file beside it.
 * {@code -Dmio.golden.update=true} writes the files anew.
 */
class CliGoldenTest {
    private static final Path SCRIPTS = Path.of("src/test/cli");

    @TempDir Path dir;

    static Stream<String> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            return files
                    .map(file -> SCRIPTS.relativize(file).toString())
                    .filter(name -> name.endsWith(".sh"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void shouldPrintWhatTheGoldenFileSays(String name) throws Exception {
        Path script = SCRIPTS.resolve(name).toAbsolutePath();
        Path golden = script.resolveSibling(script.getFileName() + ".stdout.exact");
        ProcessBuilder builder =
                new ProcessBuilder(
                                "sh",
                                "-euc",
                                "mio() { \"$MIO_JAVA\" -XX:TieredStopAtLevel=1"
                                    + " --enable-native-access=ALL-UNNAMED -cp \"$MIO_CLASS_PATH\""
                                    + " io.mio.cli.Main \"$@\"; }; . \"$0\"",
                                script.toString())
                        .directory(dir.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .put("MIO_JAVA", Path.of(System.getProperty("java.home"), "bin/java").toString());
        builder.environment().put("MIO_CLASS_PATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        if (Boolean.getBoolean("mio.golden.update")) {
            Files.writeString(golden, output);
        }
        assertThat(output).isEqualTo(Files.readString(golden));
    }
}
