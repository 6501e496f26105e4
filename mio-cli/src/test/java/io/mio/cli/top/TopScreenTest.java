package io.mio.cli.top;

import static io.mio.cli.top.Samples.pages;
import static io.mio.cli.top.Samples.process;
import static io.mio.cli.top.Samples.tick;
import static io.mio.cli.top.Samples.trace;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import io.mio.live.LiveAuto;
import io.mio.live.LiveProcess;
import io.mio.live.LiveProcess.State;
import io.mio.stats.AutoSnapshot.Decision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Golden screens in the test's resources; {@code -Dmio.golden.update=true} writes them anew. */
class TopScreenTest {
    private static final Path GOLDEN = Path.of("src/test/resources/io/mio/cli/top");

    private static final String NUDGE =
            "requests of 512 bytes that go on from what the kernel has, with others in between: a"
                    + " byte is read first, so that it reads ahead";

    private static final View VIEW = new View(View.Rows.PROCESSES, true, SortKey.BYTES, false, 0);

    private static final View DECISIONS = VIEW.withRows(View.Rows.DECISIONS);

    @ParameterizedTest
    @CsvSource({
        "200, 12, false, true",
        "120, 12, false, true",
        "80, 12, false, true",
        "50, 9, false, true",
        "24, 8, false, true",
        "160, 12, true, true",
        "80, 12, true, true",
        "60, 10, true, true",
        "120, 12, false, false",
        "90, 12, true, false"
    })
    void shouldFillAScreenOfThisSize(int columns, int lines, boolean files, boolean rates)
            throws IOException {
        View view = VIEW.withRows(files ? View.Rows.FILES : View.Rows.PROCESSES).withRates(rates);
        List<String> screen = screen(busy(), view, columns, lines);

        assertThat(screen).hasSize(lines);
        assertThat(screen).allMatch(line -> SafeText.columns(line) <= columns);
        String name =
                "screen-"
                        + columns
                        + (files ? "-files" : "-processes")
                        + (rates ? "" : "-totals")
                        + ".txt";
        expectGolden(name, screen);
    }

    private static void expectGolden(String name, List<String> screen) throws IOException {
        Path golden = GOLDEN.resolve(name);
        String text = String.join("\n", screen) + "\n";
        if (Boolean.getBoolean("mio.golden.update")) {
            Files.writeString(golden, text);
        }
        assertThat(text).isEqualTo(Files.readString(golden));
    }

    @Test
    void shouldHaveAColumnForAutoWhereThereIsSome() {
        LiveProcess plain = process(1, "a", List.of(trace("x", "program", "pf", 5, 0)), List.of());
        LiveProcess process = Samples.with(plain, new LiveAuto("x", 5, "hints", List.of()));
        View files = VIEW.withRows(View.Rows.FILES);

        assertThat(String.join("\n", screen(tick(List.of(), List.of(process)), files, 100, 9)))
                .containsPattern("pid .* file +auto .*\n +1 .*x +hints ");
        assertThat(String.join("\n", screen(tick(List.of(), List.of(plain)), files, 100, 9)))
                .doesNotContain("auto");
        assertThat(String.join("\n", screen(tick(List.of(), List.of(process)), VIEW, 100, 9)))
                .doesNotContain("auto");
    }

    @ParameterizedTest
    @CsvSource({"220, 12", "120, 12", "80, 14", "40, 12"})
    void shouldFillAScreenWithDecisions(int columns, int lines) throws IOException {
        List<String> screen = screen(decided(), DECISIONS, columns, lines);

        assertThat(screen).hasSize(lines);
        assertThat(screen).allMatch(line -> SafeText.columns(line) <= columns);
        expectGolden("screen-" + columns + "-decisions.txt", screen);
    }

    @Test
    void shouldMoveThroughTheLinesOfDecisions() {
        TopScreen top = new TopScreen(terminal(80), ZoneOffset.UTC, false);
        Tick tick = decided();
        int count = top.rowCount(tick, DECISIONS);
        List<String> all = screen(tick, DECISIONS, 80, 40).subList(4, 4 + count);

        assertThat(all.get(count - 1)).isNotBlank();
        View view = DECISIONS.after(LiveTerminal.Key.PAGE_DOWN, count, 3);
        assertThat(screen(tick, view, 80, 8).subList(4, 7)).isEqualTo(all.subList(3, 6));
        for (int i = 0; i < 50; i++) {
            view = view.after(LiveTerminal.Key.DOWN, count, 3);
        }
        assertThat(screen(tick, view, 80, 8).get(4)).isEqualTo(all.get(count - 1));
        assertThat(view.after(LiveTerminal.Key.FILES, count, 3).first()).isZero();
    }

    @Test
    void shouldGiveAReasonOneLineWhereTheReaderWantsAll() {
        TopScreen all = new TopScreen(Terminal.NONE, ZoneOffset.UTC, false);

        assertThat(all.table(decided(), DECISIONS))
                .hasSize(1 + decided().decisions().size())
                .anySatisfy(line -> assertThat(line).endsWith(NUDGE));
    }

    @Test
    void shouldSayThatThereAreNoDecisions() {
        TopScreen all = new TopScreen(Terminal.NONE, ZoneOffset.UTC, false);

        assertThat(all.table(busy(), DECISIONS)).singleElement().asString().contains("decisions");
        assertThat(screen(busy(), DECISIONS, 80, 8).get(3)).startsWith("No decisions");
        assertThat(screen(tick(List.of(), List.of()), DECISIONS, 80, 8).get(3))
                .isEqualTo("No program runs under MIO.");
    }

    @Test
    void shouldFoldAtBlanksAndCutWordsThatAreLonger() {
        assertThat(DecisionTable.folded("a bc def ghi", 6)).containsExactly("a bc", "def", "ghi");
        assertThat(DecisionTable.folded("a bc def ghi", 7)).containsExactly("a bc", "def ghi");
        assertThat(DecisionTable.folded("of abcdefghijkl m", 8))
                .hasSize(3)
                .allMatch(line -> line.length() <= 8);
        assertThat(DecisionTable.folded("", 8)).containsExactly("");
    }

    /** What pf/auto decided in two processes, one of which was killed. */
    private static Tick decided() {
        String deep = "/scratch/project/run7/output/fields/temperature.0001.dat";
        LiveProcess solver =
                process(
                        101,
                        "solver",
                        State.GONE,
                        100_000_000_000L,
                        List.of(trace(deep, "program", "pf", 5, 0)),
                        List.of());
        LiveProcess java =
                process(104, "java", List.of(trace("x.dat", "program", "pf", 5, 0)), List.of());
        return tick(
                List.of(),
                List.of(
                        Samples.with(
                                solver,
                                new LiveAuto(
                                        deep,
                                        5,
                                        "random",
                                        List.of(
                                                new Decision(7_000_000_000L, "hints", NUDGE),
                                                new Decision(
                                                        99_999_000_000L,
                                                        "random",
                                                        "64 requests in a row were in no order:"
                                                                + " looked at less and less")))),
                        Samples.with(
                                java,
                                new LiveAuto(
                                        "x.dat",
                                        5,
                                        "hints",
                                        List.of(
                                                new Decision(
                                                        60_000_000_000L,
                                                        "hints",
                                                        "it goes\007 backward, where the kernel"
                                                                + " reads nothing ahead"))))));
    }

    @Test
    void shouldShowNamesSafely() {
        Tick tick =
                tick(
                        List.of(),
                        List.of(
                                process(
                                        1,
                                        "\033[2Jevil\007",
                                        List.of(trace("a\r\n\u202e\u009bx", "program", "os", 1, 1)),
                                        List.of())));
        for (boolean files : List.of(true, false)) {
            String text =
                    String.join(
                            "|",
                            screen(
                                    tick,
                                    VIEW.withRows(files ? View.Rows.FILES : View.Rows.PROCESSES),
                                    150,
                                    10));
            assertThat(text).contains("\\033[2Jevil\\007");
            assertThat(text).matches("[ -~]*");
            assertThat(text.contains("a\\015\\012\\u202e\\233x")).isEqualTo(files);
        }
    }

    @Test
    void shouldShowAsciiWhereTheTerminalHasNothingElse() {
        Tick tick = tick(List.of(), List.of(process(1, "\u00fcb\u4e2d", List.of(), List.of())));
        Terminal ascii = new Terminal(true, true, 80, false, false);
        List<String> screen = new TopScreen(ascii, ZoneOffset.UTC, false).screen(tick, VIEW, 10, 1);

        assertThat(screen.get(4)).contains("?b? ");
        assertThat(screen(tick, VIEW, 80, 10).get(4)).contains("\u00fcb\u4e2d ");
    }

    @Test
    void shouldUseColoursOnlyWhereAllowed() {
        Terminal coloured = new Terminal(true, true, 80, true, true);
        List<String> lines =
                new TopScreen(coloured, ZoneOffset.UTC, false).screen(busy(), VIEW, 12, 1);
        assertThat(lines.get(0)).startsWith("\033[1mmio top");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).startsWith("\033[2m").contains("(killed)"));
        assertThat(String.join("", screen(busy(), VIEW, 80, 12))).doesNotContain("\033");
    }

    @ParameterizedTest
    @CsvSource({
        "bytes, 104 102 106 105 101",
        "read, 104 106 102 105 101",
        "write, 102 104 106 105 101",
        "calls, 102 104 106 105 101",
        "time, 102 104 106 105 101",
        "hits, 102 106 104 105 101",
        "waits, 106 102 104 105 101",
        "dirty, 106 102 104 105 101",
        "name, 102 105 104 106 101",
        "pid, 102 104 105 106 101"
    })
    void shouldSortWithKilledOnesLast(String key, String pids) {
        View view = VIEW.withSort(SortKey.valueOf(key.toUpperCase(Locale.ROOT)));
        assertThat(TopScreen.sorted(busy(), view).stream().map(row -> "" + row.pid()))
                .containsExactly(pids.split(" "));
    }

    @Test
    void shouldShowTheRowsFromTheFirstOneWanted() {
        List<LiveProcess> many = new ArrayList<>();
        for (int pid = 1; pid <= 20; pid++) {
            many.add(process(pid, "p" + pid, List.of(), List.of()));
        }
        Tick tick = tick(List.of(), many);
        View view = VIEW.withSort(SortKey.PID);
        int room = TopScreen.room(10);

        assertThat(screen(tick, view, 80, 10).get(9)).endsWith("arrows: 1-5 of 20");
        view = view.after(LiveTerminal.Key.PAGE_DOWN, 20, room);
        view = view.after(LiveTerminal.Key.DOWN, 20, room);
        List<String> screen = screen(tick, view, 80, 10);
        assertThat(screen.get(4)).contains("      7  p7");
        assertThat(screen.get(9)).endsWith("arrows: 7-11 of 20");
        for (int i = 0; i < 10; i++) {
            view = view.after(LiveTerminal.Key.PAGE_DOWN, 20, room);
        }
        assertThat(view.first()).isEqualTo(19);
        for (int i = 0; i < 30; i++) {
            view = view.after(LiveTerminal.Key.UP, 20, room);
        }
        assertThat(view.first()).isZero();
    }

    @Test
    void shouldShowNothingOfWhatIsNotKnownYet() {
        Tick first = new Ledger().add(readings(0), Samples.TIME, 5_000_000_000L);

        assertThat(screen(first, VIEW, 120, 12).get(1))
                .startsWith("read -  written -  calls -  hits -  dirty ")
                .contains("waits -  waiting ");
        assertThat(screen(first, VIEW.withRates(false), 120, 12).get(1))
                .startsWith("read ")
                .doesNotContain("-");
    }

    @Test
    void shouldKeepTheKeysInFiveLines() {
        List<String> screen = screen(busy(), VIEW, 80, 5);

        assertThat(screen).hasSize(5).noneMatch(String::isEmpty);
        assertThat(screen.get(2)).contains("pid");
        assertThat(screen.get(4)).startsWith("q quit");
        assertThat(screen(busy(), VIEW, 80, 6).get(2)).isEmpty();
    }

    @Test
    void shouldGroupTheDigitsOfWhatIsNotShown() {
        Tick busy = busy();
        Tick many =
                new Tick(
                        busy.time(),
                        busy.seconds(),
                        busy.total(),
                        busy.processes(),
                        busy.files(),
                        busy.decisions(),
                        32_523);

        assertThat(screen(many, VIEW, 160, 12).get(0))
                .contains("32 523 files not shown: no space for their counters");
    }

    @Test
    void shouldSayThatNothingRuns() {
        assertThat(screen(tick(List.of(), List.of()), VIEW, 80, 8).get(3))
                .isEqualTo("No program runs under MIO.");
    }

    @Test
    void shouldSayThatTheChosenOnesHaveEnded() {
        TopScreen chosen = new TopScreen(Terminal.NONE, ZoneOffset.UTC, true);
        Tick none = tick(List.of(), List.of());
        String words = "No process of --pid is under MIO any more.";

        assertThat(chosen.screen(none, VIEW, 8, 1).get(3)).isEqualTo(words);
        assertThat(chosen.table(none, VIEW)).containsExactly(words);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 5", "5, 1", "3, 200"})
    void shouldSurviveScreensThatAreTooSmall(int lines, int columns) {
        assertThat(screen(busy(), VIEW, columns, lines)).hasSize(lines);
    }

    private static List<String> screen(Tick tick, View view, int columns, int lines) {
        return new TopScreen(terminal(columns), ZoneOffset.UTC, false).screen(tick, view, lines, 2);
    }

    private static Terminal terminal(int columns) {
        return new Terminal(true, true, columns, false, true);
    }

    /** Two readings of a killed process and of some that read, write, cache and rest. */
    private static Tick busy() {
        return tick(readings(0), readings(1));
    }

    private static List<LiveProcess> readings(int k) {
        String deep = "/scratch/project/run7/output/fields/temperature.0001.dat";
        return List.of(
                process(
                        101,
                        "solver",
                        State.GONE,
                        100_000_000_000L,
                        List.of(trace("/scratch/a.dat", "program", "os", 123_456, 77)),
                        List.of()),
                process(
                        102,
                        "copy",
                        List.of(
                                trace("in.dat", "program", "pf", 1000 + k * 12_000, 0),
                                trace("out.dat", "program", "os", 0, k * 123_456L)),
                        List.of(pages("in.dat", 1000 + k * 12_000, 900 + k * 11_700, 3, 0))),
                process(
                        104,
                        "java",
                        List.of(trace(deep, "program", "os", 5000 + k * 87_654, 1)),
                        List.of()),
                process(105, "idle", List.of(), List.of(pages("z.tmp", 5, 3, 0, 0))),
                process(
                        106,
                        "\u00fcberpr\u00fcfung-\u4e2d\u6587-with-a-long-name",
                        List.of(),
                        List.of(pages("cache.bin", 40 + k * 20_000, 10 + k * 15_000, 4096, 12))));
    }
}
