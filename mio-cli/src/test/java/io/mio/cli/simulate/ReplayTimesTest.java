package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simulated times that can be worked out by hand. */
class ReplayTimesTest {
    private static final long MS = 1_000_000;
    private static final int PAGE = 64 << 10;
    private static final int PAGES = 8;

    /** The time of a call in the recording, in ns; for reads it plays no part. */
    private static final long CALL = 5000;

    /** A millisecond to the first byte, a nanosecond for each byte, a processor without limits. */
    private static final Device DEVICE = Devices.free(32);

    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void name() {
        events = dir.resolve("made.events");
    }

    private Simulation simulation(Device device, String... rules) {
        return Simulation.of(
                events.toString(),
                List.of(),
                Stream.of(rules).map(Rule::parse).toList(),
                device,
                null,
                new Progress(new PrintWriter(new StringWriter()), Terminal.NONE, "mio simulate"));
    }

    private Outcome outcome(String rule) {
        return simulation(DEVICE, rule).outcomes().get(0);
    }

    private void readForward(long thinkNanos) throws IOException {
        try (MadeRun run = new MadeRun(events, "a.dat", PAGES * PAGE, CALL, thinkNanos)) {
            for (int i = 0; i < PAGES; i++) {
                run.read((long) i * PAGE, PAGE);
            }
        }
    }

    @Test
    void shouldWaitForTheFirstPagesOnlyIfTheProgramThinksLongEnough() throws Exception {
        readForward(10 * MS);

        Outcome outcome = outcome("pf/cache=1m/page=64k/pref=1/replace=lru");

        // It waits for the first page, then for the second behind the first one that is read ahead.
        long waits = MS + PAGE + MS + 2 * PAGE;
        assertThat(outcome.stallNanos()).isEqualTo(waits);
        assertThat(outcome.stalls()).isEqualTo(2);
        // The open takes its recorded time; then there are pauses before eight reads and the close.
        assertThat(outcome.timeNanos()).isEqualTo(CALL + 9 * 10 * MS + waits);
        assertThat(outcome.counts().pageReads).isEqualTo(PAGES);
        assertThat(outcome.counts().demandReads).isEqualTo(2);
        assertThat(outcome.counts().readAheads).isEqualTo(PAGES - 2);
        assertThat(outcome.memoryBytes()).isEqualTo(1 << 20);
        assertThat(outcome.bestNanos()).isEqualTo(CALL + 9 * 10 * MS);
        assertThat(outcome.best()).isEqualTo(new Outcome.Best(PAGES, 0, PAGES * PAGE));
    }

    @Test
    void shouldLeaveOutWhatTheRecordingTook() throws Exception {
        readForward(10 * MS);
        Device recording = Devices.in(32, 0, 700, 0);

        Outcome outcome =
                simulation(recording, "pf/cache=1m/page=64k/pref=1/replace=lru").outcomes().get(0);

        long waits = MS + PAGE + MS + 2 * PAGE;
        assertThat(outcome.stallNanos()).isEqualTo(waits);
        assertThat(outcome.timeNanos()).isEqualTo(CALL + 9 * (10 * MS - 700) + waits);
    }

    @Test
    void shouldThinkFasterWhereNothingIsWaitedForAnyMore() throws Exception {
        long waited = 20_000;
        try (MadeRun run = new MadeRun(events, "a.dat", PAGES * PAGE, waited, 10 * MS)) {
            for (int i = 0; i < PAGES; i++) {
                run.read((long) i * PAGE, PAGE);
            }
        }
        Device waking = Devices.in(32, 0, 0, 900);

        Outcome outcome =
                simulation(waking, "pf/cache=1m/page=64k/pref=1/replace=lru").outcomes().get(0);

        // The open and the first two reads wait in this run, too.
        long waits = MS + PAGE + MS + 2 * PAGE;
        assertThat(outcome.timeNanos()).isEqualTo(waited + 9 * 10 * MS - (PAGES - 2) * 900 + waits);
    }

    @Test
    void shouldBeBusyWithEachPageRequestItHandsIn() throws Exception {
        readForward(10 * MS);
        Device busy = Devices.in(32, 4000, 0, 0);

        Outcome free = outcome("pf/cache=1m/page=64k/pref=1/replace=lru");
        Outcome outcome =
                simulation(busy, "pf/cache=1m/page=64k/pref=1/replace=lru").outcomes().get(0);

        assertThat(outcome.counts().readAheads).isEqualTo(PAGES - 2);
        assertThat(outcome.timeNanos()).isEqualTo(free.timeNanos() + (PAGES - 2) * 4000);
    }

    @Test
    void shouldWaitForEachPageIfRequestsAreSynchronous() throws Exception {
        readForward(10 * MS);

        Outcome outcome = outcome("pf/cache=1m/page=64k/pref=1/replace=lru/synchronous");

        assertThat(outcome.stallNanos()).isEqualTo(PAGES * (MS + PAGE));
        assertThat(outcome.timeNanos()).isEqualTo(CALL + 9 * 10 * MS + PAGES * (MS + PAGE));
    }

    @Test
    void shouldComeToTheRateOfTheDeviceIfTheProgramDoesNotThink() throws Exception {
        readForward(0);

        Outcome outcome = outcome("pf/cache=1m/page=64k/pref=7/replace=lru");

        // The second read has six pages read ahead; their bytes go over the wire before its own.
        assertThat(outcome.timeNanos()).isEqualTo(CALL + MS + PAGE + MS + 7 * PAGE);
        assertThat(outcome.bestNanos()).isEqualTo(MS);
    }

    @Test
    void shouldLetThreadsWaitBesideEachOther() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", PAGES * PAGE, CALL, 0)) {
            run.thread(8, CALL);
            run.read(3 * PAGE, 4096);
            run.thread(9, CALL + 100);
            run.read(6 * PAGE, 4096);
        }

        Outcome outcome = outcome("pf/cache=1m/page=64k/pref=1/replace=lru");

        assertThat(outcome.stalls()).isEqualTo(2);
        // The second read begins 100 ns later; its bytes follow those of the first one.
        assertThat(outcome.timeNanos()).isEqualTo(CALL + MS + 2 * 4096);
    }

    @Test
    void shouldLetAnAsynchronousCallerWaitOnlyForWhatHasComeBack() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", PAGES * PAGE, CALL, 0)) {
            // The submissions take as long as the other calls; the requests themselves 3 ms.
            run.submitRead(1, 2 * PAGE, 4096, 3 * MS);
            run.submitRead(2, 4 * PAGE, 4096, 3 * MS);
            run.think(4 * MS);
            run.read(2 * PAGE, 4096);
        }

        Outcome outcome = outcome("pf/cache=1m/page=64k/pref=1/replace=lru");

        // Both had completed by 2 * CALL + 3 ms; then the program thought for 1 ms - CALL.
        long back = 2 * CALL + MS + 4096;
        assertThat(outcome.timeNanos()).isEqualTo(back + 4 * MS - (3 * MS - CALL));
        assertThat(outcome.stalls()).isEqualTo(1);
        assertThat(outcome.stallNanos()).isEqualTo(back - 3 * CALL);
        assertThat(outcome.counts().demandReads).isEqualTo(2);
    }

    @Test
    void shouldWaitAtTheCloseForWhatIsWritten() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", 0, CALL, MS / 10)) {
            run.write(0, 100);
        }

        Outcome outcome = outcome("pf/cache=1m/page=64k/pref=1/replace=lru");

        assertThat(outcome.counts().pageWrites).isEqualTo(1);
        assertThat(outcome.counts().pageWrittenBytes).isEqualTo(100);
        assertThat(outcome.timeNanos()).isEqualTo(CALL + 2 * (MS / 10) + MS + 100);
    }

    @Test
    void shouldWriteBehindTheEndOfAFileOneAfterTheOther() throws Exception {
        String rule = "pf/cache=1m/page=64k/pref=1/replace=lru";
        // The file has its full size already, so pages are on their way at the same time.
        writeAll(PAGES * (long) PAGE);
        assertThat(outcome(rule).timeNanos()).isEqualTo(CALL + MS + PAGES * (long) PAGE);

        writeAll(0);
        assertThat(outcome(rule).timeNanos()).isEqualTo(CALL + PAGES * (MS + PAGE));
        assertThat(outcome(rule).counts().pageWrites).isEqualTo(PAGES);
    }

    private void writeAll(long size) throws IOException {
        try (MadeRun run = new MadeRun(events, "a.dat", size, CALL, 0)) {
            for (int i = 0; i < PAGES; i++) {
                run.write((long) i * PAGE, PAGE);
            }
        }
    }

    @Test
    void shouldPutTheFasterConfigurationFirst() throws Exception {
        Random random = new Random(1);
        try (MadeRun run = new MadeRun(events, "a.dat", 64 * PAGE, CALL, MS)) {
            for (int i = 0; i < 64; i++) {
                run.read((long) i * PAGE, PAGE);
            }
            for (int i = 0; i < 500; i++) {
                run.read(random.nextInt(16) * (long) PAGE, 4096);
            }
        }
        Device slow = Device.parse("latency=10ms,bandwidth=100m");

        Simulation all =
                simulation(
                        slow,
                        "pf/cache=64k/page=64k/pref=1/replace=lru",
                        "none",
                        "pf/cache=2m/page=64k/pref=16/replace=lru",
                        "pf/cache=2m/page=64k/pref=1/replace=lru");

        assertThat(all.outcomes().stream().map(one -> one.rule().text()))
                .containsExactly(
                        "none",
                        "pf/cache=2m/page=64k/pref=16/replace=lru",
                        "pf/cache=2m/page=64k/pref=1/replace=lru",
                        "pf/cache=64k/page=64k/pref=1/replace=lru");
        // 566 calls and 565 pauses; each pause includes the recording of a call.
        assertThat(all.outcomes().get(0).timeNanos())
                .isEqualTo(566 * CALL + 565 * (MS - slow.recordNanos()));
        assertThat(all.recordedNanos()).isEqualTo(566 * CALL + 565 * MS);
        for (Outcome one : all.outcomes()) {
            if (one.best() != null) {
                assertThat(one.bestNanos()).isLessThanOrEqualTo(one.timeNanos());
                assertThat(one.best().fetches()).isLessThanOrEqualTo(one.counts().pageReads);
            }
        }
    }

    @Test
    void shouldTakeTheTimeOfACallForEachThatTheCacheServes() throws Exception {
        int reads = 16;
        try (MadeRun run = new MadeRun(events, "a.dat", PAGE, CALL, MS)) {
            for (int i = 0; i < reads; i++) {
                run.read(i * 100L, 100);
            }
        }
        Device quick = Device.parse("latency=1ms,bandwidth=1g,call=80ns");
        Device slow = Device.parse("latency=1ms,bandwidth=1g,call=580ns");
        String rule = "pf/cache=1m/page=64k/pref=1/replace=lru";

        long quickNanos = simulation(quick, rule).outcomes().get(0).timeNanos();

        // These are the reads and the close.
        assertThat(simulation(slow, rule).outcomes().get(0).timeNanos())
                .isEqualTo(quickNanos + (reads + 1) * 500L);
    }

    @Test
    void shouldEndWithoutACacheWithTheLastAsynchronousRequest() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", PAGES * PAGE, CALL, 0)) {
            run.submitRead(1, 2 * PAGE, 4096, 3 * MS);
        }

        assertThat(outcome("none").timeNanos()).isEqualTo(CALL + 3 * MS);
    }

    @Test
    void shouldTakeNoTimeBackWhereCallsOfTheKernelAreSlow() throws Exception {
        int reads = 2000;
        long think = 10_000;
        try (MadeRun run = new MadeRun(events, "a.dat", (long) PAGES * PAGE, CALL, think)) {
            for (int i = 0; i < reads; i++) {
                run.read(i * 100L, 100);
            }
        }

        Device slow = Device.parse("latency=1ms,bandwidth=1g,record=0ns,wake=0ns,kernel=10us");
        Outcome outcome = simulation(slow, "pf/auto").outcomes().get(0);

        assertThat(outcome.counts().programReads).isPositive();
        assertThat(outcome.timeNanos()).isGreaterThan(reads * think);
    }
}
