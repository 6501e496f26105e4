package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoPlotTest {
    @TempDir Path dir;

    @Test
    void shouldGoToTheWorkingDirectory() {
        assertThat(DemoPlot.usualPlace(dir, dir.resolve("absent")))
                .isEqualTo(dir.resolve("mio-demo.html"));
    }

    @Test
    void shouldGoToTheTemporaryDirectoryWhereTheWorkingDirectoryIsNotWritable() {
        // A directory that does not exist is not writable, not even for root.
        assertThat(DemoPlot.usualPlace(dir.resolve("absent"), dir))
                .isEqualTo(dir.resolve("mio-demo-" + ProcessHandle.current().pid() + ".html"));
        assertThat(dir).isEmptyDirectory();
    }
}
