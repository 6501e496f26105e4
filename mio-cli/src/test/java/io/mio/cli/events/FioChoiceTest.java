package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.EventsOptions.Form;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which process's calls are in an iolog, and what is said about the others. */
class FioChoiceTest {
    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void write() throws IOException {
        events = dir.resolve("run.events");
        try (MadeEvents made = new MadeEvents(events)) {
            int program = made.file("/data", 1, 1, "program", "pf", 1);
            int system = made.file("/data", 1, 3, "pf", "os", 1);
            made.add(MadeEvents.call(TraceOperation.READ, system, 1000, 100, 0, 4096));
            made.add(MadeEvents.call(TraceOperation.READ, program, 900, 300, 10, 20));
            made.add(MadeEvents.failed(TraceOperation.READ, system, 2000, 100, 5));
            made.add(MadeEvents.failed(TraceOperation.READ, system, 2200, 100, 5));
            made.add(MadeEvents.failed(TraceOperation.READ, program, 1900, 900, 5));
        }
    }

    private List<String> reads(String... filter) {
        Cli cli = new Cli();
        cli.form = Form.FIO;
        assertThat(cli.run(events, filter)).isZero();
        String failed = filter.length == 0 ? "1 calls" : "2 calls";
        assertThat(cli.err.toString())
                .isEqualTo("mio events: " + events + ": left out: " + failed + " that failed\n");
        return cli.text()
                .lines()
                .filter(line -> line.contains(" read "))
                .map(line -> line.substring(line.indexOf(" read ") + 1))
                .toList();
    }

    @Test
    void shouldHaveTheCallsOfTheProgram() {
        assertThat(reads()).containsExactly("read 10 20");
    }

    @Test
    void shouldHaveTheCallsToTheSystemIfAsked() {
        assertThat(reads("--layer", "system")).containsExactly("read 0 4096");
    }
}
