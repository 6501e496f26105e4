package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.MadeEvents;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More events, files and names than fit into memory. */
class PlotMemoryTest {
    private static final int EVENTS = 1_000_000;

    @TempDir private Path directory;

    /** Runs in a JVM with little memory. Arguments: file, number of marks. */
    public static final class Reader {
        private Reader() {}

        public static void main(String[] args) throws IOException {
            // Two runs are compared, so both are in memory at once.
            List<RunPlot> runs = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                runs.add(
                        RunReader.read(
                                Path.of(args[0]),
                                "run",
                                new PlotOptions(
                                        Integer.parseInt(args[1]),
                                        100,
                                        reader -> event -> true,
                                        "",
                                        count -> {})));
            }
            for (RunPlot run : runs) {
                StringBuilder line = new StringBuilder();
                line.append(run.files().size()).append(" files ").append(run.events());
                for (Level level : run.levels()) {
                    long events = 0;
                    for (int i = 0; i < level.marks().size(); i++) {
                        events += level.marks().get(i).events();
                    }
                    line.append(' ').append(events);
                }
                System.out.println(line);
            }
        }
    }

    private String read(Path file, int marksMax, String heap) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                heap,
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Reader.class.getName(),
                                file.toString(),
                                Integer.toString(marksMax))
                        .redirectErrorStream(true)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @Test
    void shouldReadMoreEventsThanFitIntoMemory() throws Exception {
        Path file = directory.resolve("events");
        Random random = new Random(1);
        try (MadeEvents made = new MadeEvents(file)) {
            int calls = made.file("/data", 1);
            int pages = made.pages("/data", 1, 4096, 1 << 20);
            for (int i = 0; i < EVENTS; i += 2) {
                long time = i * 1000L;
                long offset = 4096L * random.nextInt(1 << 20);
                made.add(MadeEvents.call(TraceOperation.READ, calls, time, 700, offset, 512));
                made.add(MadeEvents.page(PageOperation.HIT, pages, time, 0, offset, 512, i, false));
            }
        }
        String line = "1 files 1000000 1000000 1000000\n";
        assertThat(read(file, 20_000, "-Xmx64m")).isEqualTo(line + line);
    }

    /** As many files as a reader may meet; their longest names do not all fit at once. */
    @Test
    void shouldReadMoreFilesThanFitIntoMemory() throws Exception {
        Path file = directory.resolve("files");
        String padding = "x".repeat(400);
        try (MadeEvents made = new MadeEvents(file)) {
            for (int i = 1; i <= EVENTS; i++) {
                int id = made.file("/" + (i % 8 == 0 ? padding : "") + i, i);
                if (i % 4 == 0) {
                    made.add(MadeEvents.call(TraceOperation.READ, id, i, 1, 0, i));
                }
            }
        }
        assertThat(read(file, 20_000, "-Xmx256m")).contains("100 files ");
    }
}
