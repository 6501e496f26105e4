package io.mio.pf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the process ends. */
class PfExitForkTest {
    @Test
    void shouldHandDownWhatWasWrittenAtTheExitAndAllThatComesLater() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = pathOf(PfLayer.class) + File.pathSeparator + pathOf(ExitProgram.class);
        ProcessBuilder builder = new ProcessBuilder(java, "-cp", path, ExitProgram.class.getName());
        // A JVM says on stderr when this is set.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process program = builder.redirectErrorStream(true).start();
        program.onExit()
                .orTimeout(60, TimeUnit.SECONDS)
                .exceptionally(late -> program.destroyForcibly());

        assertThat(new String(program.getInputStream().readAllBytes(), UTF_8))
                .isEqualTo(
                        """
                        written: [0, 0, 0]
                        on its way: [1, 1, 1]
                        at exit: [1, 2, 3]
                        written later: [4, 5, 6]
                        opened later: [7, 8, 9]
                        """);
        assertThat(program.waitFor()).isZero();
    }

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }
}
