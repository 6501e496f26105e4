package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Everything can be done without a mouse. */
@BrowserTest
class KeyboardTest {
    @TempDir static Path dir;
    static Path steady;
    static Path mixed;

    @BeforeAll
    static void plot() throws IOException {
        steady = Runs.page(dir.resolve("steady.html"), Runs.steady(dir.resolve("steady.mio")));
        mixed = Runs.page(dir.resolve("mixed.html"), Runs.mixed(dir.resolve("mixed.mio"), 1));
    }

    /** Presses the tab key until the focus is where it should be. */
    private static void tabTo(Browser browser, PlotWindow window, String selector) {
        for (int i = 0; i < 200; i++) {
            browser.actions().sendKeys(Keys.TAB).perform();
            if (browser.json("document.activeElement.matches(arguments[0])", selector)
                    .asBoolean()) {
                window.settle();
                return;
            }
        }
        throw new AssertionError("the tab key does not reach " + selector);
    }

    @Test
    void shouldReachAndPressButtons(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        double all = window.window().nanos();

        tabTo(browser, window, "[data-action=zoom-in]");
        window.keys(Keys.ENTER);

        assertThat(window.window().nanos()).isCloseTo(all / 2, within(1.0));
        // The element with the focus has a frame.
        assertThat(
                        browser.json(
                                        "getComputedStyle(document.activeElement).outlineStyle"
                                                + " !== 'none' ||"
                                                + " getComputedStyle(document.activeElement)"
                                                + ".boxShadow !== 'none'")
                                .asBoolean())
                .isTrue();
    }

    @Test
    void shouldFoldAPanelWithEnter(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        tabTo(browser, window, "section[data-panel=bandwidth] button[aria-expanded]");
        window.keys(Keys.ENTER);

        assertThat(window.isOpen("bandwidth")).isFalse();
    }

    @Test
    void shouldChooseAFileWithTheSpaceBar(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        tabTo(browser, window, "tr[data-file='1'] input");
        window.keys(Keys.SPACE);

        assertThat(window.state().path("files").path(0).asText()).isEqualTo(Runs.BACKWARD);
        assertThat(window.state().path("files").size()).isEqualTo(1);
    }

    @Test
    void shouldGoFromEventToEvent(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);

        tabTo(browser, window, "section[data-panel=activity-program] canvas");
        window.keys("...");

        // The third read begins at offset 200,000.
        assertThat(window.find("#tooltip").isDisplayed()).isTrue();
        assertThat(window.text("#tooltip").replaceAll("[^0-9]", "")).contains("200000");
        assertThat(window.text("#status").replaceAll("[^0-9]", "")).contains("200000");
    }

    @Test
    void shouldDrawASlopeWithArrowKeys(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);
        tabTo(browser, window, "section[data-panel=activity-program] canvas");
        window.keys("s");

        // The slope starts in the middle, where the line passes, and goes along the line.
        window.keys(Keys.ENTER);
        int width = window.find("section[data-panel=activity-program] canvas").getSize().width;
        int height = window.find("section[data-panel=activity-program] canvas").getSize().height;
        // An arrow key moves two pixels.
        window.keys(Keys.ARROW_RIGHT.toString().repeat(100));
        window.keys(Keys.ARROW_UP.toString().repeat(Math.round(100f * height / width)));
        window.keys(Keys.ENTER);

        assertThat(window.state().path("slope").path("bytesPerSecond").asDouble())
                .isCloseTo(100e6, within(10e6));
        window.keys(Keys.ESCAPE);
        assertThat(window.state().path("slope").isNull()).isTrue();
    }

    @Test
    void shouldExplainTheKeys(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);

        window.keys("?");
        assertThat(window.find("#help").isDisplayed()).isTrue();
        assertThat(window.text("#help")).contains("Zoom", "Rescale", "Slope");

        window.keys(Keys.ESCAPE);
        assertThat(window.find("#help").isDisplayed()).isFalse();
    }
}
