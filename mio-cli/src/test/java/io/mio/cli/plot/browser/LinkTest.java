package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WindowType;

/** The address tells what the page shows. */
@BrowserTest
class LinkTest {
    @TempDir static Path dir;
    static Path mixed;

    @BeforeAll
    static void plot() throws IOException {
        mixed = Runs.page(dir.resolve("mixed.html"), Runs.mixed(dir.resolve("mixed.mio"), 1));
    }

    @Test
    void shouldShowTheSameInANewWindow(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        window.keys("++");
        window.press("rescale");
        window.click("section.panel[data-panel=bandwidth] button[aria-expanded]");
        JsonNode looked = window.state();
        window.press("link");
        URI address = URI.create((String) browser.script("return location.href"));
        String first = browser.driver().getWindowHandle();

        browser.driver().switchTo().newWindow(WindowType.WINDOW);
        try {
            PlotWindow other = PlotWindow.open(browser, mixed, address.getRawFragment(), 1200, 900);

            assertThat(other.isOpen("bandwidth")).isFalse();
            for (String side : new String[] {"from", "to", "offsetFrom", "offsetTo"}) {
                // An address has whole nanoseconds and bytes.
                assertThat(other.state().path("windows").path(0).path(side).asDouble())
                        .as(side)
                        .isCloseTo(
                                looked.path("windows").path(0).path(side).asDouble(), within(0.5));
            }
            assertThat(other.state().path("panels")).isEqualTo(looked.path("panels"));
        } finally {
            browser.driver().close();
            browser.driver().switchTo().window(first);
        }
    }

    @Test
    void shouldFollowAnAddressThatIsChanged(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        browser.script("location.hash = '#t=100000000,200000000'");
        browser.await("window.mioPlot.state().window.from === 100000000");
        window.settle();

        assertThat(window.window().t1()).isEqualTo(200_000_000);
    }

    @Test
    void shouldNotWriteOverAnAddressThatWasJustChanged(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        // The page hears of its new address only after the script, and would write before that.
        browser.script(
                "location.hash = '#t=100000000,200000000';"
                        + "document.querySelector(\"#toolbar [data-action='link']\").click();");
        browser.await("window.mioPlot.state().window.from === 100000000");
        window.settle();

        assertThat(window.window().t1()).isEqualTo(200_000_000);
    }

    @Test
    void shouldShowAllFilesWhereAnAddressNamesNone(Browser browser) {
        for (String address : new String[] {"f=", "f=999", "f=,x"}) {
            PlotWindow window = PlotWindow.open(browser, mixed, address, 1200, 900);

            assertThat(window.state().path("files").isNull()).as(address).isTrue();
            assertThat(window.marks(PlotWindow.PROGRAM)).as(address).isPositive();
        }
    }

    @Test
    void shouldTakeNothingFromAnAddressThatMakesNoSense(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        JsonNode plain = window.state();

        for (String address :
                new String[] {
                    "t=5,1&o=x,y&f=99&layout=up&theme=%3Cscript%3E",
                    "t=NaN,Infinity&s=1,2,3",
                    "t=-1e300,1e300&fold=%22%3E%3Cimg%20src=x%20onerror=window.hacked=1%3E",
                    "%E0%A4%A"
                }) {
            PlotWindow odd = PlotWindow.open(browser, mixed, address, 1200, 900);

            assertThat(odd.marks(PlotWindow.PROGRAM)).as(address).isNotNegative();
            assertThat(odd.window().t0()).as(address).isLessThan(odd.window().t1());
            assertThat(browser.script("return typeof window.hacked")).isEqualTo("undefined");
            assertThat(browser.takeErrors()).as(address).isEmpty();
        }
        assertThat(PlotWindow.open(browser, mixed, "t=5,1", 1200, 900).state().path("windows"))
                .isEqualTo(plain.path("windows"));
    }
}
