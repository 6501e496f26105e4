package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Windows of time and offset: dragged, zoomed by wheel, typed, and left again. */
@BrowserTest
class ZoomTest {
    /** The steady run takes a second and moves 100 MB. */
    private static final double SECOND = 1e9;

    @TempDir static Path dir;
    static Path steady;
    static Path mixed;

    @BeforeAll
    static void plot() throws IOException {
        steady = Runs.page(dir.resolve("steady.html"), Runs.steady(dir.resolve("steady.mio")));
        mixed = Runs.page(dir.resolve("mixed.html"), Runs.mixed(dir.resolve("mixed.mio"), 1));
    }

    private static PlotWindow.Place at(PlotWindow window, double share) {
        return window.place(PlotWindow.PROGRAM, share * SECOND, 50e6);
    }

    @Test
    void shouldShowAllOfTheRunAtFirst(Browser browser) {
        PlotWindow.Window all = PlotWindow.open(browser, steady).window();

        assertThat(all.t0()).isLessThanOrEqualTo(0);
        assertThat(all.t1()).isBetween(SECOND, 1.1 * SECOND);
        assertThat(all.o0()).isBetween(-10e6, 0.0);
        assertThat(all.o1()).isBetween(100e6, 120e6);
    }

    @Test
    void shouldShowTheTimeThatADragWentOver(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        double before = window.window().bytes();
        int marks = window.marks(PlotWindow.PROGRAM);

        window.drag(at(window, 0.25), at(window, 0.5), null);

        PlotWindow.Window shown = window.window();
        assertThat(shown.t0()).isCloseTo(0.25 * SECOND, within(0.005 * SECOND));
        assertThat(shown.t1()).isCloseTo(0.5 * SECOND, within(0.005 * SECOND));
        assertThat(shown.bytes()).isEqualTo(before);
        assertThat(window.marks(PlotWindow.PROGRAM)).isBetween(marks / 5, marks / 3);
    }

    @Test
    void shouldShowTimeAndOffsetThatADragWithShiftWentOver(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);

        window.drag(
                window.place(PlotWindow.PROGRAM, 0.2 * SECOND, 20e6),
                window.place(PlotWindow.PROGRAM, 0.4 * SECOND, 60e6),
                Keys.SHIFT);

        PlotWindow.Window shown = window.window();
        assertThat(shown.t0()).isCloseTo(0.2 * SECOND, within(0.005 * SECOND));
        assertThat(shown.t1()).isCloseTo(0.4 * SECOND, within(0.005 * SECOND));
        assertThat(shown.o0()).isCloseTo(20e6, within(1e6));
        assertThat(shown.o1()).isCloseTo(60e6, within(1e6));
    }

    @Test
    void shouldZoomWithTheWheelAroundThePointer(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        double all = window.window().nanos();
        PlotWindow.Place quarter = at(window, 0.25);

        window.wheel(quarter, -300, null);

        PlotWindow.Window near = window.window();
        assertThat(near.nanos()).isLessThan(0.8 * all);
        assertThat((0.25 * SECOND - near.t0()) / near.nanos()).isCloseTo(0.25, within(0.02));
        assertThat(at(window, 0.25).x()).isCloseTo(quarter.x(), within(2));

        window.wheel(quarter, 3000, null);
        assertThat(window.window().nanos()).isCloseTo(all, within(0.05 * all));
    }

    @Test
    void shouldZoomOffsetsWithTheWheelAndAKey(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        PlotWindow.Window all = window.window();

        window.wheel(window.place(PlotWindow.PROGRAM, 0.5 * SECOND, 50e6), -300, Keys.CONTROL);

        assertThat(window.window().nanos()).isEqualTo(all.nanos());
        assertThat(window.window().bytes()).isLessThan(0.8 * all.bytes());
    }

    @Test
    void shouldZoomAndMoveWithKeys(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        double all = window.window().nanos();

        window.keys("++");
        PlotWindow.Window near = window.window();
        assertThat(near.nanos()).isLessThan(0.7 * all);

        window.keys(Keys.ARROW_RIGHT);
        assertThat(window.window().t0()).isGreaterThan(near.t0());
        assertThat(window.window().nanos()).isCloseTo(near.nanos(), within(1.0));

        window.keys(Keys.ARROW_LEFT);
        assertThat(window.window().t0()).isCloseTo(near.t0(), within(1.0));

        window.keys("-");
        assertThat(window.window().nanos()).isCloseTo(2 * near.nanos(), within(1.0));

        window.keys("0");
        assertThat(window.window().nanos()).isEqualTo(all);
    }

    @Test
    void shouldGoBackToTheWindowBefore(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        PlotWindow.Window all = window.window();
        window.drag(at(window, 0.25), at(window, 0.75), null);
        PlotWindow.Window half = window.window();
        window.drag(at(window, 0.4), at(window, 0.5), null);

        window.press("zoom-out");
        assertThat(window.window()).isEqualTo(half);
        window.keys(Keys.BACK_SPACE);
        assertThat(window.window()).isEqualTo(all);
    }

    @Test
    void shouldRescaleOffsetsToWhatIsThere(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        window.drag(at(window, 0.25), at(window, 0.5), null);

        window.press("rescale");

        PlotWindow.Window shown = window.window();
        assertThat(shown.t0()).isCloseTo(0.25 * SECOND, within(0.005 * SECOND));
        assertThat(shown.o0()).isBetween(20e6, 25e6);
        assertThat(shown.o1()).isBetween(50e6, 55e6);
    }

    @Test
    void shouldShowEverythingAgainAfterReset(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        PlotWindow.Window all = window.window();
        window.keys("+++");
        window.press("rescale");
        assertThat(window.window()).isNotEqualTo(all);

        window.press("reset");

        assertThat(window.window()).isEqualTo(all);
    }
}
