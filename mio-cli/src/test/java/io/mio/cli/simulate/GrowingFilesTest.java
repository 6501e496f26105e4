package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that somebody else makes longer while the recorded program has them open. */
class GrowingFilesTest {
    private static final String RULE = "pf/cache=1m/page=64k/pref=2/replace=lru";
    private static final int PAGE = 64 << 10;
    private static final int AT_OPEN = 3 * PAGE + 5000;
    private static final int LATER = 32 * PAGE;

    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void name() {
        events = dir.resolve("growing.events");
    }

    private Outcome outcome(String rule) {
        return Simulation.of(
                        events.toString(),
                        List.of(),
                        List.of(Rule.parse(rule)),
                        Device.assumed(),
                        null,
                        new Progress(
                                new PrintWriter(new StringWriter()), Terminal.NONE, "mio simulate"))
                .outcomes()
                .get(0);
    }

    private PageCounts counts() {
        return outcome(RULE).counts();
    }

    private MadeRun run() throws IOException {
        return new MadeRun(events, "a.dat", AT_OPEN, 1000, 100);
    }

    @Test
    void shouldReadWhatWasNotThereAtTheOpen() throws Exception {
        try (MadeRun run = run()) {
            for (int at = 0; at < LATER; at += 4096) {
                run.read(at, 4096);
            }
            run.read(LATER, 4096, 0);
        }

        PageCounts counts = counts();

        assertThat(counts.programReadBytes).isEqualTo(LATER);
        assertThat(counts.pageReadBytes).isBetween((long) LATER, (long) LATER + LATER / 2);
    }

    @Test
    void shouldReadItAsynchronously() throws Exception {
        try (MadeRun run = run()) {
            for (int at = 0; at < LATER; at += PAGE) {
                run.submitRead(1 + at, at, PAGE, 500);
            }
        }

        assertThat(counts().programReadBytes).isEqualTo(LATER);
    }

    private static EventFile opened(int id, long nanos, long sizeBytes) {
        return new EventFile(
                id,
                EventFormat.OF_TRACE,
                1,
                MadeEvents.PROCESS,
                nanos,
                7,
                5,
                0,
                0600,
                sizeBytes,
                0,
                0,
                0,
                1,
                "a.dat",
                "trace",
                "program",
                "os");
    }

    @Test
    void shouldKnowTheSizeAtALaterOpen() throws Exception {
        try (MadeEvents made = new MadeEvents(events)) {
            made.define(opened(1, 0, AT_OPEN));
            made.define(opened(2, 2000, LATER));
            made.add(MadeEvent.call(TraceOperation.OPEN, 1, 0, 100).bytes(-1, 0).made());
            made.add(MadeEvent.call(TraceOperation.READ, 1, 1000, 100).bytes(0, 4096).made());
            made.add(MadeEvent.call(TraceOperation.OPEN, 2, 2000, 100).bytes(-1, 0).made());
            for (int at = 0; at < LATER; at += PAGE) {
                made.add(
                        MadeEvent.call(TraceOperation.READ, 2, 10_000 + at, 100)
                                .bytes(at, PAGE)
                                .made());
            }
        }

        PageCounts counts = counts();

        assertThat(counts.programReadBytes).isEqualTo(LATER + 4096);
        // Pages can be read ahead only where the file is known to be that long.
        assertThat(counts.readAheads).isGreaterThan(LATER / PAGE / 2);
    }

    @Test
    void shouldReadItUnderHints() throws Exception {
        try (MadeRun run = run()) {
            for (int at = 0; at < LATER; at += 256) {
                run.read(at, 256);
            }
        }

        PageCounts counts = outcome("pf/auto").counts();

        assertThat(counts.programReadBytes).isGreaterThan(AT_OPEN);
        assertThat(counts.pageReadBytes).isGreaterThan(AT_OPEN);
    }
}
