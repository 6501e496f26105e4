package io.mio.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.jfr.ForkedJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first files with pages are opened when the JVM is already ending. */
class EndingForkTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"first", "later"})
    void shouldHandDownWhatIsWrittenToFilesThatAreOpenedAtTheEnd(String when) throws Exception {
        List<String> options =
                List.of("-Dmio.files=*.traced [ trace/stats ] *.paged [ pf/cache=64k/page=4k ]");
        ForkedJvm program = new ForkedJvm(directory, options, EndingProgram.class, when);
        assertThat(program.end()).isZero();

        for (int i = 0; i < EndingProgram.FILES; i++) {
            assertThat(directory.resolve(i + ".paged")).hasSize(100);
        }
        assertThat(directory.resolve("stderr.txt")).isEmptyFile();
    }
}
