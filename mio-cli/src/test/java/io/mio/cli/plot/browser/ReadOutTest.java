package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** What the page says about a place: the slope of a drawn line, the event below the pointer. */
@BrowserTest
class ReadOutTest {
    private static final double SECOND = 1e9;
    private static final double MILLISECOND = 1e6;

    @TempDir static Path dir;
    static Path steady;
    static Path mixed;

    @BeforeAll
    static void plot() throws IOException {
        steady = Runs.page(dir.resolve("steady.html"), Runs.steady(dir.resolve("steady.mio")));
        mixed = Runs.page(dir.resolve("mixed.html"), Runs.mixed(dir.resolve("mixed.mio"), 1));
    }

    @Test
    void shouldTellTheRateOfALineDrawnAlongTheActivity(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);

        window.press("slope");
        window.drag(
                window.place(PlotWindow.PROGRAM, 0.1 * SECOND, 10e6),
                window.place(PlotWindow.PROGRAM, 0.9 * SECOND, 90e6),
                null);

        // Ends that are close to those of a mark are moved there, so that the rate is exact.
        assertThat(window.find("#slope-readout").getText()).contains("100 MB/s");
        JsonNode slope = window.state().path("slope");
        assertThat(slope.path("bytesPerSecond").asDouble()).isCloseTo(100e6, within(1.0));
        assertThat(slope.path("nanos").asDouble()).isCloseTo(0.8 * SECOND, within(0.01 * SECOND));
        assertThat(slope.path("bytes").asDouble()).isCloseTo(80e6, within(1e6));
    }

    @Test
    void shouldTellTheRateOfALineDrawnWithAltHeld(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        PlotWindow.Window before = window.window();

        window.drag(
                window.place(PlotWindow.PROGRAM, 0.25 * SECOND, 25e6),
                window.place(PlotWindow.PROGRAM, 0.75 * SECOND, 75e6),
                Keys.ALT);

        assertThat(window.find("#slope-readout").getText()).contains("100 MB/s");
        assertThat(window.window()).isEqualTo(before);
    }

    @Test
    void shouldTellTheExactEventBelowThePointer(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady, "t=499000000,503000000", 1200, 900);
        window.press("rescale");

        window.point(window.place(PlotWindow.PROGRAM, 500.5 * MILLISECOND, 50_050_000));

        assertThat(window.find("#tooltip").isDisplayed()).isTrue();
        assertThat(digits(window.text("#tooltip")))
                .contains("read", Runs.STEADY, "50000000", "100000", "1.00ms")
                .contains(String.valueOf(EventsFile.THREAD))
                .contains(String.valueOf(EventsFile.PROCESS));
    }

    @Test
    void shouldTellWhyACallFailed(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        // The tenth read of the hostile file fails with EIO.
        PlotWindow.Window shown = window.window();
        assertThat(shown.t1()).isGreaterThan(548 * MILLISECOND);
        double offset = Runs.offsetOfFailure();
        PlotWindow.Place failed = window.place(PlotWindow.PROGRAM, 548.5 * MILLISECOND, offset);

        window.point(failed);

        assertThat(window.text("#tooltip")).contains("EIO").contains("</script><img src=x");
        assertThat(window.findAll("img")).isEmpty();
    }

    /** The text without the spaces, of any kind, that group digits. */
    private static String digits(String text) {
        return text.replaceAll("\\p{Z}", "");
    }
}
