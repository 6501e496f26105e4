package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as it opens: what it loads, which panels it draws, and in which colours. */
@BrowserTest
class PageTest {
    private static final String READ = "#0072B2";
    private static final String WRITE = "#D55E00";
    private static final String ASYNC_READ = "#3596D4";

    @TempDir static Path dir;
    static Path mixed;
    static Path steady;

    @BeforeAll
    static void plot() throws IOException {
        mixed = Runs.page(dir.resolve("mixed.html"), Runs.mixed(dir.resolve("mixed.mio"), 1));
        steady = Runs.page(dir.resolve("steady.html"), Runs.steady(dir.resolve("steady.mio")));
    }

    @Test
    void shouldOpenFromDiskAndLoadNothing(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        assertThat(browser.takeRequests()).containsExactly(mixed.toUri().toString());
        assertThat(browser.takeErrors()).isEmpty();
        assertThat(
                        window.find("meta[http-equiv='Content-Security-Policy']")
                                .getDomAttribute("content"))
                .contains("default-src 'none'")
                .doesNotContain("unsafe");
    }

    @Test
    void shouldDrawAllPanelsOfARunThatHasEverything(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        assertThat(window.panels())
                .containsExactly(
                        "activity-program",
                        "activity-system",
                        "bandwidth",
                        "in-flight",
                        "pages",
                        "cumulative",
                        "latency",
                        "sizes");
        for (String panel : window.panels()) {
            assertThat(window.marks(panel)).as(panel).isPositive();
        }
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldDrawInTheColoursOfWhatIsShown(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        assertThat(window.pixels("activity-program", READ)).isGreaterThan(50);
        assertThat(window.pixels("activity-program", WRITE)).isGreaterThan(50);
        assertThat(window.pixels("activity-program", ASYNC_READ)).isZero();
        assertThat(window.pixels("activity-system", ASYNC_READ)).isGreaterThan(50);
        assertThat(window.pixels("activity-system", WRITE)).isZero();
        assertThat(window.pixels("bandwidth", READ)).isGreaterThan(20);
        assertThat(window.pixels("cumulative", WRITE)).isGreaterThan(20);
    }

    @Test
    void shouldLeaveOutPanelsThatHaveNothingToShow(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, steady);

        assertThat(window.panels())
                .contains("activity-program", "bandwidth", "latency")
                .doesNotContain("activity-system", "activity-between", "pages");
        assertThat(window.findAll("section.panel[data-panel=pages]")).isEmpty();
    }

    @Test
    void shouldSayThatEventsWereLost(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        assertThat(window.text("#notes").replaceAll("[^0-9a-z]", "")).contains("1234");
    }

    @Test
    void shouldFoldPanelsAndOpenThemAgain(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        String bandwidth = "section.panel[data-panel=bandwidth]";
        int height = window.find(bandwidth).getSize().height;

        window.click(bandwidth + " button[aria-expanded]");
        assertThat(window.isOpen("bandwidth")).isFalse();
        assertThat(window.find(bandwidth).getSize().height).isLessThan(height / 2);

        window.click(bandwidth + " button[aria-expanded]");
        assertThat(window.isOpen("bandwidth")).isTrue();
        assertThat(window.marks("bandwidth")).isPositive();
        assertThat(window.find(bandwidth).getSize().height).isEqualTo(height);
    }

    @Test
    void shouldTakeNamesOfFilesForTextAlone(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        assertThat(browser.script("return typeof window.hacked")).isEqualTo("undefined");
        assertThat(window.findAll("img")).isEmpty();
        assertThat(window.text("#file-list")).contains("</script");
        assertThat(window.find("tr[data-file='2'] button.only").getDomAttribute("title"))
                .contains("/data/</script><img src=x onerror=window.hacked=1>");
        assertThat(browser.takeErrors()).isEmpty();
    }
}
