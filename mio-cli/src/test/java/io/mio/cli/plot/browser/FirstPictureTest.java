package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Measures how long a page takes to show its first picture and its finest one: {@code
 * -Dmio.test.page=FILE}. Nothing is asserted about the times.
 */
@BrowserTest
@EnabledIfSystemProperty(named = "mio.test.page", matches = ".+", disabledReason = "no page given")
class FirstPictureTest {
    private static final int ROUNDS = 5;

    @Test
    void shouldReportTheTimeToTheFirstPicture(Browser browser, TestReporter reporter)
            throws Exception {
        Path page = Path.of(System.getProperty("mio.test.page")).toAbsolutePath();
        double[] first = new double[ROUNDS];
        double[] all = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            PlotWindow window = PlotWindow.open(browser, page);
            assertThat(window.marks(PlotWindow.PROGRAM)).isPositive();
            first[i] =
                    browser.json("performance.getEntriesByName('mio-first-picture')[0].startTime")
                            .asDouble();
            // Exact to a sixtieth of a second: the page is looked at that often.
            all[i] = browser.json("performance.now()").asDouble();
        }
        reporter.publishEntry("page bytes", String.valueOf(Files.size(page)));
        reporter.publishEntry("first picture, milliseconds", text(first));
        reporter.publishEntry("all levels read and drawn, milliseconds", text(all));
    }

    private static String text(double[] times) {
        Arrays.sort(times);
        return String.format("%.0f (%.0f to %.0f)", times[ROUNDS / 2], times[0], times[ROUNDS - 1]);
    }
}
