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
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Caches and files of the processes in a recording stay apart, however many there are. */
class ManyProcessesTest {
    private static final int SIZE = 1 << 20;
    private static final long MILLI = 1_000_000;

    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void name() {
        events = dir.resolve("many.events");
    }

    /**
     * Records processes that each read their files forward. All files stay open, and all processes
     * live until the last one has read.
     */
    private void record(int processes, int reads, int bytes, String... paths) throws IOException {
        record(true, processes, reads, bytes, paths);
    }

    private void record(boolean together, int processes, int reads, int bytes, String... paths)
            throws IOException {
        try (MadeEvents made = new MadeEvents(events)) {
            int id = 0;
            long now = 0;
            for (int process = 1; process <= processes; process++) {
                made.another(process, "program");
                for (String path : paths) {
                    made.define(file(++id, process, path));
                    made.add(call(TraceOperation.OPEN, id, now++ * 1000).bytes(-1, 0).made());
                    for (long i = 0; i < reads; i++) {
                        made.add(
                                call(TraceOperation.READ, id, now++ * 1000)
                                        .bytes(i * bytes, bytes)
                                        .made());
                    }
                }
            }
            for (int process = 1; together && process <= processes; process++) {
                made.another(process, "program");
                int last = process * paths.length;
                made.add(call(TraceOperation.FSYNC, last, now++ * 1000).bytes(-1, 0).made());
            }
        }
    }

    private static EventFile file(int id, int process, String path) {
        return new EventFile(
                id,
                EventFormat.OF_TRACE,
                1,
                process,
                0,
                7,
                100 + id,
                0,
                0600,
                SIZE,
                0,
                0,
                0,
                1,
                path,
                "trace",
                "program",
                "os");
    }

    private static MadeEvent call(TraceOperation operation, int file, long start) {
        return MadeEvent.call(operation, file, start, 500);
    }

    private Outcome played(Function<String, Rule> rules) {
        Progress none =
                new Progress(new PrintWriter(new StringWriter()), Terminal.NONE, "mio simulate");
        return new Trial(events.toString(), List.of(), (event, file, door) -> {}, none)
                .play(rules, Device.assumed(), "test");
    }

    @Test
    void shouldHaveACacheForEachProcessAndRule() throws Exception {
        record(20, 4, 4096, "/d/a", "/d/b");
        Rule small = Rule.parse("pf/cache=1m/page=64k");
        Rule large = Rule.parse("pf/cache=2m/page=128k/global=1");

        Outcome all = played(path -> path.equals("/d/a") ? small : large);

        assertThat(all.memoryBytes()).isEqualTo(20 * 3 << 20);
    }

    @Test
    void shouldHaveMoreCachesThanRulesHaveNumbers() throws Exception {
        record(300, 1, 4096, "/d/a");
        Rule kept = Rule.parse("pf/cache=64k/page=16k/norelease");

        assertThat(played(path -> kept).memoryBytes()).isEqualTo(300 * 64 << 10);
        // Nothing remains that another simulation would find.
        assertThat(played(path -> kept).memoryBytes()).isEqualTo(300 * 64 << 10);
    }

    @Test
    void shouldCountTheOpensWithPagesOfEachProcess() throws Exception {
        record(20, 2000, 100, "/d/a");

        assertThat(played(path -> Rule.hints()).memoryBytes()).isEqualTo(20 << 20);
    }

    @Test
    void shouldGiveSoManyOpensOfAProcessPages() throws Exception {
        String[] paths = new String[20];
        for (int i = 0; i < paths.length; i++) {
            paths[i] = "/d/" + i;
        }
        record(1, 2000, 100, paths);

        assertThat(played(path -> Rule.hints()).memoryBytes()).isEqualTo(16 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/private", "/norelease", "/retain/norelease"})
    void shouldEndTheCachesOfAProcessWithItsLastCall(String options) throws Exception {
        record(false, 50, 4, 4096, "/d/a", "/d/b");
        Rule rule = Rule.parse("pf/cache=1m/page=64k" + options);

        Outcome all = played(path -> rule);

        int bytes = options.equals("/private") ? 2 << 20 : 1 << 20;
        assertThat(all.memoryBytes()).isEqualTo(bytes);
        assertThat(all.takenBytes()).isEqualTo(50L * bytes);
        // Nothing remains that another simulation would find.
        assertThat(played(path -> rule).memoryBytes()).isEqualTo(all.memoryBytes());
    }

    @Test
    void shouldEndThePagesOfAProcessUnderHintsWithItsLastCall() throws Exception {
        record(false, 20, 2000, 100, "/d/a");

        Outcome all = played(path -> Rule.hints());

        assertThat(all.memoryBytes()).isEqualTo(1 << 20);
        assertThat(all.takenBytes()).isEqualTo(20 << 20);
    }

    @Test
    void shouldWriteDirtyPagesWhenTheirProcessEnds() throws Exception {
        try (MadeEvents made = new MadeEvents(events)) {
            made.another(1, "long");
            made.define(file(1, 1, "/d/a"));
            made.add(call(TraceOperation.READ, 1, 0).bytes(0, 4096).made());
            made.another(2, "short");
            made.define(file(2, 2, "/d/b"));
            made.add(call(TraceOperation.WRITE, 2, MILLI).bytes(0, SIZE / 2).made());
            made.another(1, "long");
            made.add(call(TraceOperation.READ, 1, 1000 * MILLI).bytes(0, 4096).made());
        }
        Rule rule = Rule.parse("pf/cache=4m/page=1m");

        Outcome all = played(path -> rule);

        assertThat(all.counts().pageWrittenBytes).isEqualTo(SIZE / 2);
        // The longer process ends with its second read, which finds its page.
        assertThat(all.timeNanos()).isBetween(1000 * MILLI, 1001 * MILLI + MILLI / 2);
    }
}
