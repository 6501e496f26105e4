package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.MadeEvents;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run is named after the programs that did its I/O. */
class ProgramsTest {
    @TempDir Path dir;

    private String programs(long... bytes) throws IOException {
        String[] names = {"sh", "fio", "cp", "dd", "tar"};
        Path file = dir.resolve("run.mio");
        try (MadeEvents made = new MadeEvents(file)) {
            int id = made.file("/a", 1);
            for (int i = 0; i < bytes.length; i++) {
                made.another(100 + i, names[i]);
                made.add(MadeEvents.call(TraceOperation.OPEN, id, 10L * i, 1, -1, 0));
                if (bytes[i] > 0) {
                    made.add(MadeEvents.call(TraceOperation.READ, id, 10L * i + 1, 1, 0, bytes[i]));
                }
            }
        }
        return RunReader.read(file, "run", PlotOptions.usual()).programs();
    }

    @Test
    void shouldBeTheOneThatMovedMostAndNotItsShell() throws IOException {
        assertThat(programs(0, 1 << 20)).isEqualTo("fio");
        assertThat(programs(100, 1 << 20, 10)).isEqualTo("fio");
    }

    @Test
    void shouldBeAllThatMovedMuch() throws IOException {
        assertThat(programs(4096, 8192)).isEqualTo("fio, sh");
        assertThat(programs(1, 2, 3, 4, 5)).isEqualTo("tar, dd, cp and 2 more");
    }

    @Test
    void shouldBeTheBusiestWhereNothingMoved() throws IOException {
        assertThat(programs(0)).isEqualTo("sh");
    }
}
