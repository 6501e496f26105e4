package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two runs of a program, the second one of which is three times as fast. */
@BrowserTest
class TwoRunsTest {
    @TempDir static Path dir;
    static Path both;

    @BeforeAll
    static void plot() throws IOException {
        both =
                Runs.page(
                        dir.resolve("both.html"),
                        Runs.mixed(dir.resolve("before.mio"), 3),
                        Runs.mixed(dir.resolve("after.mio"), 1));
    }

    private static int canvases(PlotWindow window, String panel) {
        return window.findAll("section.panel[data-panel=" + panel + "]").size();
    }

    @Test
    void shouldStandSideBySideOnTheSameScale(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, both, "layout=side", 1400, 900);

        assertThat(window.state().path("layout").asText()).isEqualTo("side");
        assertThat(canvases(window, PlotWindow.PROGRAM)).isEqualTo(2);
        assertThat(window.window(1)).isEqualTo(window.window(0));
        assertThat(window.panel(PlotWindow.PROGRAM, 0).path("marks").asInt()).isPositive();
        assertThat(window.panel(PlotWindow.PROGRAM, 1).path("marks").asInt()).isPositive();
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldLieOneOverTheOther(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, both, "layout=side", 1400, 900);
        int one = window.panel(PlotWindow.PROGRAM, 0).path("marks").asInt();
        int other = window.panel(PlotWindow.PROGRAM, 1).path("marks").asInt();

        window.press("layout");

        assertThat(window.state().path("layout").asText()).isEqualTo("overlay");
        assertThat(canvases(window, PlotWindow.PROGRAM)).isEqualTo(1);
        assertThat(window.marks(PlotWindow.PROGRAM)).isEqualTo(one + other);
        window.press("layout");
        assertThat(canvases(window, PlotWindow.PROGRAM)).isEqualTo(2);
    }

    @Test
    void shouldBeginTogetherAndZoomTogether(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, both, "layout=side", 1400, 900);
        // The slower run takes 2.1 seconds.
        assertThat(window.window().t1()).isCloseTo(2.1e9, within(0.1e9));

        window.drag(
                window.place(PlotWindow.PROGRAM, 0.2e9, 10e6),
                window.place(PlotWindow.PROGRAM, 0.6e9, 10e6),
                null);

        assertThat(window.window(0).t0()).isCloseTo(0.2e9, within(0.02e9));
        assertThat(window.window(1)).isEqualTo(window.window(0));
    }

    @Test
    void shouldSayWhatHasChanged(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, both, "layout=overlay", 1400, 900);

        String said = window.text("#runs");
        assertThat(said).contains("before", "after");
        // Both runs moved the same bytes; of 2.1 seconds 0.7 are left.
        assertThat(said).containsPattern("2\\.1[0-9]* s").containsPattern("70[0-9](\\.[0-9]+)? ms");
    }

    private static String gain(PlotWindow window, int column) {
        return window.text("#runs tr.gain td:nth-of-type(" + column + ")");
    }

    @Test
    void shouldNotPraiseARunOfWhichAPartIsMissing(Browser browser) throws IOException {
        Path whole = Runs.steady(dir.resolve("whole.mio"));
        Path full = Runs.part(dir.resolve("full.mio"), 250, 750, 1);
        Path page = Runs.page(dir.resolve("full.html"), whole, full);
        PlotWindow window = PlotWindow.open(browser, page, "layout=side", 1400, 900);

        assertThat(window.findAll("#runs tr.gain td")).allMatch(one -> one.getText().equals("-"));
        assertThat(window.text("#runs tbody tr:nth-child(1)"))
                .contains("1.00 s")
                .doesNotContain("\u2265");
        assertThat(window.text("#runs tbody tr:nth-child(2)"))
                .contains("\u2265\u202f250 ms")
                .contains("\u2265\u202f23.8 MiB")
                .contains("\u2265\u202f250\u2265");
        assertThat(window.text("#notes")).contains("nothing is recorded after 0.250000000 s");

        Path alone = Runs.page(dir.resolve("alone.html"), full);
        PlotWindow.open(browser, alone);
        // There is a band at the right end, where the picture has no marks above it.
        assertThat(
                        ((Number)
                                        browser.script(
                                                "const c = document.querySelector("
                                                    + "'section.panel[data-panel=activity-program]"
                                                    + " canvas'); const d ="
                                                    + " c.getContext('2d').getImageData(c.width -"
                                                    + " 3, 0, 3, c.height / 4).data; let n = 0; for"
                                                    + " (let i = 3; i < d.length; i += 4) { n +="
                                                    + " d[i] > 0 ? 1 : 0; } return n;"))
                                .longValue())
                .isPositive();
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldNotPraiseARunThatWasSampled(Browser browser) throws IOException {
        Path whole = Runs.steady(dir.resolve("all.mio"));
        Path sampled = Runs.part(dir.resolve("sampled.mio"), 100, 0, 10);
        Path page = Runs.page(dir.resolve("sampled.html"), whole, sampled);
        PlotWindow window = PlotWindow.open(browser, page, "layout=side", 1400, 900);

        assertThat(window.findAll("#runs tr.gain td")).allMatch(one -> one.getText().equals("-"));
        assertThat(window.text("#runs tbody tr:nth-child(2)")).contains("\u2265\u202f100 ms");
    }

    @Test
    void shouldCompareTimesOfRunsThatLostEventsInTheirMiddle(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, both, "layout=side", 1400, 900);

        assertThat(gain(window, 1)).isEqualTo("3.00\u00d7");
        assertThat(gain(window, 2)).isEqualTo("-");
        assertThat(window.text("#runs tbody tr:nth-child(2)")).contains("\u2265");
    }

    @Test
    void shouldLeaveEachRunItsWindowWhereOneIsTakenAway(Browser browser) throws IOException {
        Path three =
                Runs.page(
                        dir.resolve("three.html"),
                        Runs.mixed(dir.resolve("a.mio"), 1),
                        Runs.mixed(dir.resolve("b.mio"), 1),
                        Runs.mixed(dir.resolve("c.mio"), 1));
        PlotWindow window =
                PlotWindow.open(
                        browser,
                        three,
                        "layout=side&linked=0&t=0,100000000;0,200000000;0,300000000",
                        1400,
                        900);

        window.click("#runs tbody tr:nth-child(2) input");
        window.settle();

        assertThat(window.state().path("shown").toString()).isEqualTo("[0,2]");
        assertThat(window.window(0).t1()).isEqualTo(100_000_000);
        assertThat(window.window(1).t1()).isEqualTo(300_000_000);
    }
}
