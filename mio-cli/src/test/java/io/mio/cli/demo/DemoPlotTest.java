package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoPlotTest {
    @TempDir Path dir;

    @Test
    void shouldGoToTheWorkingDirectory() throws IOException {
        assertThat(DemoPlot.usualPlace(dir, dir.resolve("absent")))
                .isEqualTo(dir.resolve("mio-demo.html"));
    }

    @Test
    void shouldGoToANewTemporaryFileWhereTheWorkingDirectoryIsNotWritable() throws IOException {
        // One that is gone is not writable for root, either.
        Path page = DemoPlot.usualPlace(dir.resolve("absent"), dir);
        assertThat(page).exists().hasParent(dir);
        assertThat(page.getFileName().toString()).startsWith("mio-demo-").endsWith(".html");
    }
}
