package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WebElement;

/** Light and dark, wide and narrow, screen and paper. */
@BrowserTest
class LookTest {
    private static final String LIGHT_READ = "#0072B2";

    @TempDir static Path dir;
    static Path mixed;

    @BeforeAll
    static void plot() throws IOException {
        mixed = Runs.page(dir.resolve("mixed.html"), Runs.mixed(dir.resolve("mixed.mio"), 1));
    }

    private static void prefer(Browser browser, String scheme) {
        browser.command(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    private static String ground(Browser browser) {
        return (String) browser.script("return getComputedStyle(document.body).backgroundColor");
    }

    @Test
    void shouldBeLightOrDarkAsTheSystemIs(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        prefer(browser, "light");
        browser.await("window.mioPlot.state().theme === 'light'");
        window.settle();
        assertThat(ground(browser)).isEqualTo("rgb(255, 255, 255)");
        assertThat(window.pixels(PlotWindow.PROGRAM, LIGHT_READ)).isGreaterThan(50);

        prefer(browser, "dark");
        browser.await("window.mioPlot.state().theme === 'dark'");
        window.settle();
        assertThat(ground(browser)).isEqualTo("rgb(20, 23, 26)");
        assertThat(window.pixels(PlotWindow.PROGRAM, LIGHT_READ)).isZero();
        assertThat(window.pixels(PlotWindow.PROGRAM, "#4AA8E0")).isGreaterThan(50);
    }

    @Test
    void shouldTakeTheThemeThatIsChosen(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        prefer(browser, "light");
        browser.await("window.mioPlot.state().theme === 'light'");
        window.settle();

        window.press("theme");

        assertThat(window.state().path("theme").asText()).isEqualTo("dark");
        assertThat(ground(browser)).isEqualTo("rgb(20, 23, 26)");
    }

    @Test
    void shouldStrikeThroughWhatIsSwitchedOffAndLeaveItLegible(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        window.click("section.panel[data-panel=activity-program] .legend button");
        WebElement off = window.find("section.panel[data-panel=activity-program] .legend button");
        assertThat(off.getDomAttribute("aria-pressed")).isEqualTo("false");
        assertThat(off.getCssValue("opacity")).isEqualTo("1");
        assertThat(off.getCssValue("text-decoration-line")).isEqualTo("line-through");
    }

    @Test
    void shouldFitIntoANarrowWindow(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed, "", 400, 800);

        assertThat(browser.json("document.scrollingElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(400);
        assertThat(window.marks(PlotWindow.PROGRAM)).isPositive();
        int width =
                window.find("section.panel[data-panel=activity-program] canvas").getSize().width;
        assertThat(width).isBetween(250, 400);
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldFitAgainWhenTheWindowChanges(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        browser.size(700, 900);
        String canvas = "section.panel[data-panel=activity-program] canvas";
        browser.await("document.querySelector('" + canvas + "').offsetWidth <= 700");
        window.settle();

        assertThat(window.find(canvas).getSize().width).isLessThanOrEqualTo(700);
        assertThat(window.pixels(PlotWindow.PROGRAM, LIGHT_READ)).isGreaterThan(20);
    }

    @Test
    void shouldPrintPanelsAndNamesOnLightPaper(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        prefer(browser, "dark");
        browser.await("window.mioPlot.state().theme === 'dark'");
        window.settle();

        browser.command("Emulation.setEmulatedMedia", Map.of("media", "print"));
        browser.await("window.mioPlot.state().theme === 'light'");
        window.settle();
        assertThat(window.findAll("#toolbar button")).noneMatch(WebElement::isDisplayed);
        assertThat(window.find("#file-list").isDisplayed()).isFalse();
        assertThat(window.find("#toolbar h1").getText()).contains("mixed.mio");
        assertThat(window.find("#notes").isDisplayed()).isTrue();
        assertThat(ground(browser)).isEqualTo("rgb(255, 255, 255)");
        assertThat(window.pixels(PlotWindow.PROGRAM, LIGHT_READ)).isGreaterThan(50);

        byte[] paper =
                Base64.getDecoder()
                        .decode(
                                (String)
                                        browser.command(
                                                        "Page.printToPDF",
                                                        Map.of("printBackground", true))
                                                .get("data"));
        String text = new String(paper, StandardCharsets.ISO_8859_1);
        assertThat(text).startsWith("%PDF-");
        assertThat(text.split("/Type\\s*/Page\\b", -1).length - 1).isBetween(1, 6);
        assertThat(browser.takeErrors()).isEmpty();
    }
}
