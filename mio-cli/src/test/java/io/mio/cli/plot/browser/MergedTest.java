package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Figures of distributions where marks are merged: what is known exactly, and what is not. */
@BrowserTest
class MergedTest {
    private static final int READS = 20_000;

    @TempDir static Path dir;
    static Path small;

    @BeforeAll
    static void plot() throws IOException {
        Path run = Runs.small(dir.resolve("small.mio"), READS);
        small = Runs.mergedPage(dir.resolve("small.html"), run);
    }

    /** The figures n, p50, p90, p99 and max of a panel, with plain spaces. */
    private static List<String> figures(PlotWindow window, String panel) {
        return window.findAll("section.panel[data-panel=" + panel + "] .figures tbody tr").stream()
                .flatMap(row -> row.findElements(By.tagName("td")).stream())
                .map(WebElement::getText)
                .map(text -> text.replace('\u202f', ' '))
                .toList();
    }

    @Test
    void shouldSayOfAllOfTheRunWhatIsExactAndWhatIsABound(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, small);

        assertThat(window.state().at("/levels/0/exact").asBoolean()).isFalse();
        assertThat(figures(window, "latency"))
                .containsExactly(
                        "20.0k",
                        "\u2264 1.02 \u00b5s",
                        "\u2264 1.02 \u00b5s",
                        "\u2264 1.02 \u00b5s",
                        "9.00 \u00b5s");
        assertThat(figures(window, "sizes"))
                .containsExactly("20.0k", "64 B", "64 B", "64 B", "64 B");
        assertThat(window.panel("latency").path("detail").asText())
                .isEqualTo("in classes 25 % wide");
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldTellHowLongTheTimeIsThatIsCounted(Browser browser) {
        // A bin is 781 microseconds of the run's 200 milliseconds.
        PlotWindow window = PlotWindow.open(browser, small, "t=20000000,40000000", 1200, 900);

        assertThat(window.panel("latency").path("detail").asText())
                .startsWith("counts of 21.1 ms around the window, in classes");
        List<String> figures = figures(window, "latency");
        assertThat(figures.get(0)).containsPattern("^\u2248 (199[0-9]|20[01][0-9])$");
        assertThat(figures.subList(1, 5))
                .containsExactly(
                        "\u2264 1.02 \u00b5s",
                        "\u2264 1.02 \u00b5s",
                        "\u2264 1.02 \u00b5s",
                        "1.00 \u00b5s");
    }

    @Test
    void shouldHaveNoPercentilesOfAWindowThatIsShorterThanItsBins(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, small, "t=20000000,21000000", 1200, 900);

        assertThat(window.state().at("/levels/0/exact").asBoolean()).isFalse();
        assertThat(window.panel("latency").path("detail").asText())
                .startsWith("counts of 1.56 ms around the window");
        List<String> figures = figures(window, "latency");
        assertThat(figures.get(0)).containsPattern("^(\u2248 )?(9[0-9]|10[0-9])$");
        assertThat(figures.subList(1, 4)).containsExactly("-", "-", "-");
        assertThat(figures(window, "sizes").subList(1, 5)).containsExactly("-", "-", "-", "-");
    }
}
