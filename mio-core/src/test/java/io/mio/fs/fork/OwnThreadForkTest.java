package io.mio.fs.fork;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.mio.fs.DefaultMioProvider;
import io.mio.jfr.ForkedJvm;
import io.mio.os.NativeHelper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a thread of the program leaves behind that was the first one to use a file. */
class OwnThreadForkTest {
    @TempDir private Path directory;

    private static String jna() throws Exception {
        return Path.of(Native.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @ParameterizedTest
    @CsvSource({
        "uring, '', * [ pf/cache=1m/page=64k ]",
        "threads, '', * [ pf/cache=1m/page=64k/direct ]",
        "threads, /nowhere, * [ recov | pf/cache=256k/page=4k ]",
        "'', /nowhere, * [ trace/events={events} | pf/cache=1m/page=64k | trace ]",
        "'', /nowhere, * [ trace ]",
        "'', '', * [ auto ]"
    })
    void shouldHaveNothingOfTheThreadThatBeganThem(String backend, String helper, String rule)
            throws Exception {
        List<String> options =
                List.of(
                        "-Xbootclasspath/a:" + jna(),
                        "-Djava.nio.file.spi.DefaultFileSystemProvider="
                                + DefaultMioProvider.class.getName(),
                        "-Dmio.files=" + rule,
                        "-Dmio.backend=" + backend,
                        "-Dmio.native.path=" + helper,
                        "-Dmio.stats=" + directory.resolve("stats"));
        ForkedJvm program =
                new ForkedJvm(
                        directory,
                        options,
                        OwnThreadProgram.class,
                        directory.resolve("file").toString());
        List<String> lines = new ArrayList<>();
        for (String line = program.line(); line != null; line = program.line()) {
            lines.add(line);
        }

        assertThat(program.end()).isZero();
        assertThat(lines)
                .startsWith(
                        "in the group: 0",
                        "helper: " + (helper.isEmpty() && NativeHelper.load().isAvailable()))
                .endsWith("done");
        assertThat(lines.subList(2, lines.size() - 1))
                .allMatch(line -> line.matches("mio-\\w+: \\S+\\[name=system,.*, null, true"));
        if (rule.contains("pf/")) {
            assertThat(lines).anyMatch(line -> line.startsWith("mio-io: "));
        }
    }
}
