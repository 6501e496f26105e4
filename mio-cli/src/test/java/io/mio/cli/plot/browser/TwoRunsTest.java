package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two runs of a program, the second one three times as fast. */
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
        // Both moved the same bytes; of 2.1 seconds 0.7 are left.
        assertThat(said).containsPattern("2\\.1[0-9]* s").containsPattern("70[0-9](\\.[0-9]+)? ms");
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
