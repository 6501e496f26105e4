package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The list of files: totals, order, filter, and which files are chosen. */
@BrowserTest
class FilesTest {
    private static final String ROWS = "#file-list tr[data-file]";
    private static final String BACKWARD = "#file-list tr[data-file='1']";

    @TempDir static Path dir;
    static Path mixed;

    @BeforeAll
    static void plot() throws IOException {
        mixed = Runs.page(dir.resolve("mixed.html"), Runs.mixed(dir.resolve("mixed.mio"), 1));
    }

    private static List<String> order(PlotWindow window) {
        return window.findAll(ROWS).stream().map(row -> row.getDomAttribute("data-file")).toList();
    }

    @Test
    void shouldShowTotalsOfAllFilesFirst(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        // The files by bytes moved: 94 MB, 52 MB, 184 KB.
        assertThat(order(window)).containsExactly("all", "0", "1", "2");
        List<String> steady =
                window.findAll("#file-list tr[data-file='0'] td").stream()
                        .map(WebElement::getText)
                        .toList();
        assertThat(steady.get(0)).isEqualTo("1");
        assertThat(steady.get(1)).startsWith("90").endsWith("MiB");
        assertThat(window.find("#file-list tr[data-file='0']").getText()).contains("steady.dat");
    }

    @Test
    void shouldSortByAColumnAndBack(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        window.click("#file-list [data-sort=name]");
        // "</script..." comes before letters.
        assertThat(order(window)).containsExactly("all", "2", "1", "0");
        assertThat(window.find("#file-list th:first-child").getDomAttribute("aria-sort"))
                .isEqualTo("ascending");

        window.click("#file-list [data-sort=name]");
        assertThat(order(window)).containsExactly("all", "0", "1", "2");

        window.click("#file-list [data-sort=bytes]");
        window.click("#file-list [data-sort=bytes]");
        assertThat(order(window)).containsExactly("all", "2", "1", "0");
    }

    @Test
    void shouldShowFilesThatFitTheFilter(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);

        window.keys("f");
        window.keys("BACK");
        assertThat(order(window)).containsExactly("all", "1");

        window.keys(Keys.HOME, Keys.DELETE, Keys.DELETE, Keys.DELETE, Keys.DELETE);
        window.keys("</SCRIPT");
        assertThat(order(window)).containsExactly("all", "2");
    }

    @Test
    void shouldDrawChosenFilesOnly(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, mixed);
        int all = window.marks(PlotWindow.PROGRAM);

        window.click(BACKWARD + " button.only");
        // One open and 100 writes; the open has no offset.
        assertThat(window.marks(PlotWindow.PROGRAM)).isBetween(100, 101).isLessThan(all);
        assertThat(window.marks(PlotWindow.SYSTEM)).isZero();
        assertThat(window.pixels(PlotWindow.PROGRAM, "#0072B2")).isZero();
        assertThat(window.state().path("files").path(0).asText()).isEqualTo(Runs.BACKWARD);

        window.click("#file-list tr[data-file='0'] input[type=checkbox]");
        assertThat(window.marks(PlotWindow.PROGRAM)).isGreaterThan(150);
        assertThat(window.marks(PlotWindow.SYSTEM)).isPositive();

        window.click("#file-list tr[data-file='all'] button.only");
        assertThat(window.marks(PlotWindow.PROGRAM)).isEqualTo(all);
        assertThat(window.state().path("files").isNull()).isTrue();
    }
}
