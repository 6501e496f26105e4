package io.mio.fs.fork;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.mio.jfr.ForkedJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy of MIO whose class loader is closed, as that of a web application that is stopped. */
class ClosedLoaderForkTest {
    @TempDir private Path directory;

    private static Path jna() throws Exception {
        return Path.of(Native.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private void run(String rule, boolean closes) throws Exception {
        Path file = directory.resolve("file");
        Path report = directory.resolve("report");
        // Without this a JVM writes a warning when the helper is loaded.
        List<String> options =
                Runtime.version().feature() < 22
                        ? List.of()
                        : List.of("--enable-native-access=ALL-UNNAMED");
        ForkedJvm program =
                new ForkedJvm(
                        directory,
                        options,
                        ClosedLoaderProgram.class,
                        file.toString(),
                        rule,
                        report.toString(),
                        Boolean.toString(closes),
                        jna().toString());
        String line = program.line();
        int status = program.end();
        assertThat(directory.resolve("stderr.txt")).content().isEmpty();
        assertThat(line).isEqualTo("done");
        assertThat(status).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(ClosedLoaderProgram.content());
        assertThat(report).content().contains(file.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "* [ trace ]",
                "* [ trace | pf/cache=256k/page=16k/behind | trace ]",
                "* [ pf/cache=4m/page=64k/behind/direct/stats ]",
                "* [ recov | trace ]",
                "* [ auto ]"
            })
    void shouldServeFilesToTheirEnd(String rule) throws Exception {
        run(rule, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "* [ trace ]",
                "* [ pf/cache=4m/page=64k/behind/stats ]",
                "* [ pf/cache=4m/page=64k/behind/direct/stats ]",
                "* [ auto ]"
            })
    void shouldWriteWhatIsLeftAtTheExit(String rule) throws Exception {
        run(rule, false);
    }
}
