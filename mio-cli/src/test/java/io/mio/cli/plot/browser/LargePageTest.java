package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.plot.PlotOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** A page with as many marks as it may hold, none of them merged. */
@BrowserTest
class LargePageTest {
    @TempDir static Path dir;
    static Path large;

    @BeforeAll
    static void plot() throws IOException {
        Path run = Runs.random(dir.resolve("random.mio"), PlotOptions.MARKS_MAX);
        large = Runs.page(dir.resolve("random.html"), run);
        Files.delete(run);
    }

    @Test
    void shouldShowAPictureAndEveryEventOfAShortWindow(Browser browser, TestReporter reporter)
            throws IOException {
        PlotWindow window = PlotWindow.open(browser, large);
        reporter.publishEntry("page bytes", String.valueOf(Files.size(large)));
        reporter.publishEntry(
                "first picture, milliseconds",
                browser.json("performance.getEntriesByName('mio-first-picture')[0].startTime")
                        .asText());

        assertThat(window.marks(PlotWindow.PROGRAM)).isPositive();
        assertThat(window.pixels(PlotWindow.PROGRAM, "#0072B2")).isGreaterThan(1000);

        // A read begins every ten microseconds, so this window has a thousand reads.
        browser.script("location.hash = '#t=2000000000,2010000000'");
        browser.await("window.mioPlot.state().window.from === 2000000000");
        window.settle();
        assertThat(window.marks(PlotWindow.PROGRAM)).isBetween(999, 1002);
        assertThat(window.state().at("/levels/0/exact").asBoolean()).isTrue();
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldShowEveryEventOfItselfWhereTheyAreNotTooMany(Browser browser) throws IOException {
        Path page = Runs.page(dir.resolve("few.html"), Runs.random(dir.resolve("few.mio"), 20_000));

        PlotWindow window = PlotWindow.open(browser, page);

        assertThat(window.state().path("levels")).hasSize(1);
        assertThat(window.state().at("/levels/0/exact").asBoolean()).isTrue();
        assertThat(window.marks(PlotWindow.PROGRAM)).isEqualTo(20_000);
        assertThat(window.text("#level")).contains("every event");
    }
}
