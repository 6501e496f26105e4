package io.mio.fs.fork;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.fs.DefaultMioProvider;
import io.mio.jfr.ForkedJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs with a security manager, which JDKs up to 23 have: MIO asks nothing of them. */
@EnabledForJreRange(max = JRE.JAVA_23)
class SecurityManagerForkTest {
    @TempDir private Path directory;

    private void run(String rule, String... first) throws Exception {
        Path files = Files.createDirectory(directory.resolve("files"));
        List<String> options =
                List.of(
                        "-Djava.security.manager=allow",
                        "-Djava.nio.file.spi.DefaultFileSystemProvider="
                                + DefaultMioProvider.class.getName(),
                        "-Dmio.files=" + rule,
                        "-Dmio.debug=OPEN",
                        "-Dmio.stats=" + directory.resolve("stats"));
        String[] arguments = new String[1 + first.length];
        arguments[0] = files.toString();
        System.arraycopy(first, 0, arguments, 1, first.length);
        ForkedJvm program =
                new ForkedJvm(directory, options, SecurityManagerProgram.class, arguments);
        String line = program.line();
        int status = program.end();
        // The JDK warns of security managers.
        assertThat(Files.readString(directory.resolve("stderr.txt")))
                .doesNotContain("Exception", "Error");
        assertThat(line).isEqualTo("done");
        assertThat(status).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "* [ trace ]",
                "* [ trace | pf/cache=1m/page=64k | trace ]",
                "* [ pf/direct/cache=4m/page=1m ]",
                "* [ recov | trace ]",
                "* [ auto ]"
            })
    void shouldServeWhatWasOpenedBeforeAndLeaveTheRestToThePlatform(String rule) throws Exception {
        run(rule);

        assertThat(directory.resolve("stats"))
                .content()
                .contains("past MIO, because the JVM has a security manager");
    }

    @ParameterizedTest
    @ValueSource(strings = {"* [ trace ]", "* [ trace | pf/cache=1m/page=64k ]", "* [ auto ]"})
    void shouldLeaveAllToThePlatformWhereItWasThereFirst(String rule) throws Exception {
        run(rule, "first");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "* [ trace ]",
                "* [ trace | pf/cache=1m/page=64k ]",
                "* [ pf/direct/cache=4m/page=1m ]",
                "* [ auto ]"
            })
    void shouldBeginWhatAReadNeedsWhereTheProgramMayNot(String rule) throws Exception {
        run(rule, "idle");
    }

    @Test
    void shouldGoOnWithoutLookingForWhatItMayNotSee() throws Exception {
        run("* [ trace ]", "long");
    }
}
