package io.mio.cli.top;

import static io.mio.cli.top.Samples.pages;
import static io.mio.cli.top.Samples.process;
import static io.mio.cli.top.Samples.tick;
import static io.mio.cli.top.Samples.trace;
import static io.mio.cli.top.Samples.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mio.live.LiveAuto;
import io.mio.live.LiveProcess;
import io.mio.live.LiveProcess.State;
import io.mio.stats.AutoSnapshot.Decision;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void shouldTellDecisionsWithTheLastOneFirst() {
        LiveProcess plain = process(1, "a", List.of(trace("x", "program", "pf", 5, 0)), List.of());
        LiveProcess one =
                with(
                        plain,
                        new LiveAuto(
                                "x",
                                5,
                                "pages",
                                List.of(
                                        new Decision(10 * SECOND, "hints", "why"),
                                        new Decision(30 * SECOND, "pages", "many small"))));
        LiveProcess other =
                with(
                        process(4, "b", List.of(), List.of()),
                        new LiveAuto(
                                "y",
                                5,
                                "random",
                                List.of(new Decision(20 * SECOND, "random", "no order"))));

        assertThat(tick(List.of(), List.of(one, other)).decisions())
                .containsExactly(
                        decision(1, "a", "x", "native", 70, "pages", "many small"),
                        decision(4, "b", "y", "jvm", 80, "random", "no order"),
                        decision(1, "a", "x", "native", 90, "hints", "why"));
    }

    private static DecisionRow decision(
            long pid,
            String program,
            String file,
            String door,
            long agoSeconds,
            String what,
            String reason) {
        return new DecisionRow(pid, program, file, false, door, agoSeconds * SECOND, what, reason);
    }

    @Test
    void shouldHaveTotalsAndNoRatesAtFirst() {
        Ledger ledger = new Ledger();
        Tick tick =
                ledger.add(
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(trace("x", "program", "os", 5, 3)),
                                        List.of())),
                        Samples.TIME,
                        77);

        assertThat(tick.seconds()).isZero();
        assertThat(tick.total().growth()).isNull();
        assertThat(tick.processes()).singleElement().extracting(Row::growth).isNull();
        Counters totals = tick.processes().get(0).totals();
        assertThat(totals.readBytes()).isEqualTo(5000);
        assertThat(totals.writtenBytes()).isEqualTo(300);
        assertThat(totals.calls()).isEqualTo(9);
        assertThat(totals.ioNanos()).isEqualTo(8_000_000);
    }

    @Test
    void shouldTakeTheGrowthBetweenTwoReadings() {
        Tick tick =
                tick(
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(trace("x", "program", "os", 5, 3)),
                                        List.of())),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(
                                                trace("x", "program", "os", 15, 3),
                                                trace("y", "program", "os", 2, 4)),
                                        List.of())));

        assertThat(tick.seconds()).isCloseTo(2, within(1e-9));
        // y was opened long ago but not seen before: what it did in the interval is not known.
        assertThat(tick.processes().get(0).growth().readBytes()).isEqualTo(10_000);
        assertThat(tick.processes().get(0).growth().writtenBytes()).isZero();
        assertThat(tick.files()).extracting(Row::file).containsExactly("x", "y");
        assertThat(tick.files())
                .extracting(row -> row.growth().readBytes())
                .containsExactly(10_000L, 0L);
        assertThat(tick.total().totals().readBytes()).isEqualTo(17_000);
    }

    @Test
    void shouldCountInFullWhatWasOpenedWithinTheInterval() {
        Tick tick =
                tick(
                        List.of(),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        State.RUNS,
                                        100 * SECOND,
                                        List.of(
                                                trace("x", "program", "os", 7, 0, 99 * SECOND),
                                                trace("x", "program", "os", 70, 0, 97 * SECOND)),
                                        List.of())));

        assertThat(tick.processes().get(0).growth().readBytes()).isEqualTo(7000);
        assertThat(tick.processes().get(0).totals().readBytes()).isEqualTo(77_000);
    }

    @Test
    void shouldNotTakeAnotherProcessOfTheSameNumberForTheOne() {
        LiveProcess one = process(1, "a", List.of(trace("x", "program", "os", 5, 0)), List.of());
        LiveProcess other =
                new LiveProcess(
                        one.path(),
                        1,
                        2,
                        State.RUNS,
                        one.door(),
                        "b",
                        "sync",
                        one.began(),
                        SECOND,
                        0,
                        List.of(trace("x", "program", "os", 9, 0)),
                        List.of(),
                        List.of());

        assertThat(tick(List.of(one), List.of(other)).total().growth().readBytes()).isEqualTo(9000);
    }

    @Test
    void shouldSayWhatTheLastOpenUnderAutoDoes() {
        LiveProcess plain =
                process(
                        1,
                        "a",
                        List.of(
                                trace("x", "program", "pf", 5, 0),
                                trace("y", "program", "os", 5, 0)),
                        List.of());
        LiveProcess process =
                with(
                        plain,
                        new LiveAuto("x", 5, "hints", List.of()),
                        new LiveAuto("x", 7, "pages", List.of()));

        Tick tick = tick(List.of(process), List.of(process));

        assertThat(tick.files())
                .extracting(row -> row.file() + ":" + row.auto())
                .containsExactly("x:pages", "y:");
        assertThat(tick.processes().get(0).auto()).isEmpty();
    }

    @Test
    void shouldNotGoBackWhereACounterSeemsTo() {
        Tick tick =
                tick(
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(trace("x", "program", "os", 5, 3)),
                                        List.of())),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(trace("x", "program", "os", 4, 4)),
                                        List.of())));

        assertThat(tick.total().growth().readBytes()).isZero();
        assertThat(tick.total().growth().writtenBytes()).isEqualTo(100);
    }

    @Test
    void shouldCountWhatTheProgramDoesAndNotWhatLowerLayersDo() {
        Tick tick =
                tick(
                        List.of(),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(
                                                trace("x", "program", "pf", 5, 0),
                                                trace("x", "pf", "os", 2, 0)),
                                        List.of(pages("x", 5, 4, 3, 1), pages(null, 5, 4, 3, 1)))));

        Row file = tick.files().get(0);
        assertThat(tick.files()).hasSize(1);
        assertThat(file.totals().readBytes()).isEqualTo(5000);
        assertThat(file.totals().hitShare()).isEqualTo(0.8);
        assertThat(file.totals().waits()).isEqualTo(35);
        assertThat(file.gauges()).isEqualTo(new Gauges(1L, 3 * 4096, 2, 1));
    }

    @Test
    void shouldTakeThePagesWordWhereNothingTracesTheProgram() {
        Tick tick =
                tick(
                        List.of(),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(trace("x", "pf", "os", 2, 0)),
                                        List.of(pages("x", 5, 4, 0, 0)))));

        assertThat(tick.total().totals().readBytes()).isEqualTo(5000);
        assertThat(tick.total().totals().calls()).isEqualTo(5);
    }

    /** Pages belong to a file, however often it is open. */
    @Test
    void shouldNotKnowOpensThatNothingTraces() {
        LiveProcess paged = process(1, "a", List.of(), List.of(pages("x", 5, 4, 0, 0)));
        LiveProcess traced =
                process(
                        2,
                        "b",
                        List.of(
                                trace("./y", "program", "pf", 5, 0),
                                trace("z", "program", "os", 5, 0)),
                        List.of(pages("y", 5, 4, 0, 0)));

        Tick tick = tick(List.of(), List.of(paged, traced));

        assertThat(tick.processes().get(0).gauges().files()).isNull();
        assertThat(tick.processes().get(1).gauges().files()).isEqualTo(2);
        assertThat(tick.total().gauges().files()).isNull();
    }

    @Test
    void shouldNotCountTwiceAFileWithPagesUnderTheNameOfItsFirstOpen() {
        Tick tick =
                tick(
                        List.of(),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(trace("./x", "program", "pf", 5, 0)),
                                        List.of(pages("x", 9, 4, 0, 0)))));

        assertThat(tick.total().totals().readBytes()).isEqualTo(5000);
    }

    @Test
    void shouldKeepAKilledProcessWithItsLastStateAndOutOfTheTotal() {
        Tick tick =
                tick(
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(trace("x", "program", "os", 5, 3)),
                                        List.of())),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        State.GONE,
                                        100 * SECOND,
                                        List.of(trace("x", "program", "os", 6, 3)),
                                        List.of()),
                                process(
                                        2,
                                        "b",
                                        List.of(trace("y", "program", "os", 1, 0)),
                                        List.of())));

        assertThat(tick.killedCount()).isEqualTo(1);
        Row killed = tick.processes().get(0);
        assertThat(killed.killed()).isTrue();
        assertThat(killed.totals().readBytes()).isEqualTo(6000);
        assertThat(killed.growth()).isNull();
        assertThat(tick.total().totals().readBytes()).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -2, Long.MIN_VALUE, 1L << 62, Long.MAX_VALUE})
    void shouldLeaveOutWhatIsDamaged(long count) {
        Tick tick =
                tick(
                        List.of(),
                        List.of(
                                process(
                                        1,
                                        "a",
                                        List.of(
                                                trace("bad", "program", "os", count, 3),
                                                trace("worse", "program", "os", count, count),
                                                trace("x", "program", "os", 5, 3)),
                                        List.of(
                                                pages("bad", 5, 4, 1, 1),
                                                pages("pages", count, count, 1, 1)))));

        assertThat(tick.files()).extracting(Row::file).containsExactly("x");
        assertThat(tick.processes().get(0).totals().calls()).isEqualTo(9);
        assertThat(tick.total().totals().readBytes()).isEqualTo(5000);
    }

    @Test
    void shouldShowNoNegativeAmountsOfPages() {
        Tick tick =
                tick(
                        List.of(),
                        List.of(process(1, "a", List.of(), List.of(pages("x", 5, 4, -5, -6)))));

        assertThat(tick.files())
                .singleElement()
                .extracting(Row::gauges)
                .isEqualTo(new Gauges(null, 0, 2, 0));
    }

    @Test
    void shouldNotLetSumsWrapAround() {
        Counters most = Counters.NONE;
        Counters large = new Counters(1L << 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        for (int i = 0; i < 20; i++) {
            most = most.plus(large);
        }
        assertThat(large.isDamaged()).isFalse();
        assertThat(most.reads()).isEqualTo(Long.MAX_VALUE);
    }
}
