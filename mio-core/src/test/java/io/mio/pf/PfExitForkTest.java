package io.mio.pf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a cache does when the process ends. */
class PfExitForkTest {
    @Test
    void shouldHandDownWhatWasWrittenAtTheExitAndAllThatComesLater() throws Exception {
        assertThat(run(ExitProgram.class))
                .isEqualTo(
                        """
                        written: [0, 0, 0]
                        on its way: [1, 1, 1]
                        at exit: [1, 2, 3]
                        written later: [4, 5, 6]
                        opened later: [7, 8, 9]
                        """);
    }

    @Test
    void shouldSayWhatIsLostWhenNobodyTakesIt() throws Exception {
        assertThat(run(ExitProgram.Full.class))
                .isEqualTo(
                        "mio: cannot write what the program has written to test: no\\012space; it"
                            + " is lost if the program ends now (close or force would have told it;"
                            + " pf/through writes at once)\n");
    }

    /** Returns what the program prints, and checks that it ends well. */
    private static String run(Class<?> main) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = pathOf(PfLayer.class) + File.pathSeparator + pathOf(ExitProgram.class);
        ProcessBuilder builder = new ProcessBuilder(java, "-cp", path, main.getName());
        // A JVM writes a line to stderr when this variable is set.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process program = builder.redirectErrorStream(true).start();
        program.onExit()
                .orTimeout(60, TimeUnit.SECONDS)
                .exceptionally(late -> program.destroyForcibly());

        String said = new String(program.getInputStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).as(said).isZero();
        return said;
    }

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }
}
