package io.mio.cli.plot.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Where axes begin and end, and what figures and names stand for. */
@BrowserTest
class AxesTest {
    private static final double SECOND = 1e9;
    private static final double GIB = 1L << 30;

    @TempDir static Path dir;
    static Path late;
    static Path both;
    static Path sparse;
    static Path together;
    static Path three;

    @BeforeAll
    static void plot() throws IOException {
        Path steady = Runs.steady(dir.resolve("steady.mio"));
        Path begun = Runs.steady(dir.resolve("late.mio"), 5_000_000_000L);
        late = Runs.page(dir.resolve("late.html"), begun);
        both = Runs.page(dir.resolve("both.html"), begun, Runs.mixed(dir.resolve("mixed.mio"), 1));
        sparse = Runs.page(dir.resolve("sparse.html"), Runs.sparse(dir.resolve("sparse.mio")));
        together =
                Runs.page(dir.resolve("together.html"), Runs.together(dir.resolve("together.mio")));
        three = Runs.page(dir.resolve("three.html"), begun, steady, steady);
    }

    private static String ticks(PlotWindow window) {
        return window.text("section.panel[data-panel=activity-program] .axes");
    }

    @Test
    void shouldCountTimeFromTheFilesTimeZero(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, late);

        assertThat(window.window().t0()).isEqualTo(5 * SECOND);
        assertThat(window.window().t1()).isEqualTo(6 * SECOND);
        assertThat(ticks(window)).contains("5.2 s").contains("5.8 s").doesNotContain("0.2 s");
        assertThat(window.text("#overview")).contains("5.2 s");
        assertThat(window.text("#window")).contains("5.0").contains("6.0");
    }

    @Test
    void shouldTellAMomentAsTheEventsHaveIt(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, late, "t=5499000000,5503000000", 1200, 900);
        assertThat(window.window().t0()).isEqualTo(5.499 * SECOND);
        window.press("rescale");

        window.point(window.place(PlotWindow.PROGRAM, 5.5005 * SECOND, 50_050_000));

        assertThat(window.text("#tooltip")).contains("5.500000000 s");
    }

    @Test
    void shouldStillTellMomentsApartFarFromTimeZero(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, late, "t=5500000000,5500000400", 1200, 900);

        assertThat(ticks(window)).contains("5.500000000 s").contains("+100 ns");
    }

    @Test
    void shouldLaySeveralRunsTogetherAndTellEachItsOwnTime(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, both, "layout=side", 1400, 900);
        assertThat(window.window().t0()).isZero();
        assertThat(window.text("#window")).contains("since the first event of each run");
        assertThat(window.text("#notes"))
                .contains("late.mio begins at 5.000000000 s")
                .contains("mixed.mio begins at 0.000000000 s");
        window = PlotWindow.open(browser, both, "layout=side&t=499000000,503000000", 1400, 900);
        window.point(window.place(PlotWindow.PROGRAM, 0.5005 * SECOND, 50_050_000));
        assertThat(window.text("#tooltip")).contains("5.500000000 s").contains("0.500000000 s");
    }

    @Test
    void shouldHaveALineInPlaceOfAPanelThatARunHasNothingFor(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, both, "layout=side", 1400, 900);

        WebElement missing =
                window.find("section.panel[data-panel=activity-system][data-column='0']");
        assertThat(missing.getText())
                .contains(
                        "no cache in this run: the program\u2019s requests are the system\u2019s");
        assertThat(missing.findElement(org.openqa.selenium.By.tagName("canvas")).isDisplayed())
                .isFalse();
        assertThat(window.panel(PlotWindow.SYSTEM, 1).path("marks").asInt()).isPositive();
        window.press("layout");
        assertThat(window.find("section.panel[data-panel=activity-system] canvas").isDisplayed())
                .isTrue();
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldShowOffsetsThatWereTouched(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, sparse);
        PlotWindow.Window first = window.window();

        assertThat(first.o0()).isCloseTo(64 * GIB, within(1e5));
        assertThat(first.o1()).isCloseTo(64 * GIB + Runs.MIB, within(1e5));
        assertThat(window.panel(PlotWindow.PROGRAM).path("detail").asText())
                .contains("1 mark of no bytes outside");

        for (int i = 0; i < 24; i++) {
            window.keys("u");
        }
        assertThat(window.window().o0()).isLessThanOrEqualTo(0);
        assertThat(window.window().o1()).isGreaterThan(4096 * GIB);

        window.press("rescale");
        assertThat(window.window().bytes()).isLessThan(2.0 * Runs.MIB);
        window.keys("u");
        window.keys(Keys.HOME);
        assertThat(window.window()).isEqualTo(first);
    }

    /** The labels of the axis of offsets, from the bottom; none may pass the page's left edge. */
    private static List<String> offsets(Browser browser, PlotWindow window) {
        String labels = "section.panel[data-panel=activity-program] .axes text.y";
        assertThat(
                        browser.json(
                                        "Array.from(document.querySelectorAll(arguments[0]), (one)"
                                                + " => one.getBBox().x >= 0).every((one) => one)",
                                        labels)
                                .asBoolean())
                .isTrue();
        return window.findAll(labels).stream()
                .map(label -> label.getDomProperty("textContent").replace('\u202f', ' '))
                .toList();
    }

    @Test
    void shouldShowOffsetsThatAreFarWithAllDigits(Browser browser) throws IOException {
        Path page = Runs.page(dir.resolve("far.html"), Runs.far(dir.resolve("far.mio"), 1L << 40));
        PlotWindow window = PlotWindow.open(browser, page);
        assertThat(offsets(browser, window)).contains("1 TiB", "+64 KiB", "+128 KiB");

        Path odd =
                Runs.page(
                        dir.resolve("odd.html"),
                        Runs.far(dir.resolve("odd.mio"), (1L << 40) + (7L << 40) / 4096 + 65_536));
        for (int width : new int[] {420, 1200}) {
            window = PlotWindow.open(browser, odd, "", width, 900);
            assertThat(offsets(browser, window))
                    .anyMatch(label -> label.matches("[0-9 .]+ [KMGT]iB"))
                    .anyMatch(label -> label.startsWith("+"));
        }
        assertThat(browser.takeErrors()).isEmpty();
    }

    @Test
    void shouldShowWholeLabelsInANarrowWindow(Browser browser) throws IOException {
        Path page = Runs.page(dir.resolve("mib.html"), Runs.far(dir.resolve("mib.mio"), 31L << 20));
        PlotWindow window = PlotWindow.open(browser, page, "", 420, 900);
        assertThat(offsets(browser, window)).contains("31 MiB", "+64 KiB");
    }

    @Test
    void shouldHaveNoSignBeforeNothing(Browser browser) throws IOException {
        Path early = Runs.steady(dir.resolve("early.mio"), -40_000);
        PlotWindow window = PlotWindow.open(browser, Runs.page(dir.resolve("early.html"), early));
        assertThat(window.text("#window")).startsWith("0 ms \u2013 1\u202f000 ms");

        early = Runs.steady(dir.resolve("earlier.mio"), -40_000_000);
        window = PlotWindow.open(browser, Runs.page(dir.resolve("earlier.html"), early));
        assertThat(window.text("#window")).startsWith("-40 ms \u2013 960 ms");
    }

    @Test
    void shouldCountTimesThatOverlapOnceOrSayThatTheyAreASum(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, together);
        assertThat(window.text("#runs"))
                .contains("time with reads or writes under way")
                // 6 MiB in 1.5 ms, because all reads happen at the same time.
                .contains("3.91 GiB/s");

        window.click("#file-list tr[data-file='0'] button.only");
        assertThat(window.text("#runs")).contains("under way").contains("1.30 GiB/s");

        window.click("#file-list tr[data-file='1'] input[type=checkbox]");
        assertThat(window.text("#runs"))
                .contains("sum of the calls\u2019 times")
                .contains("4.00 ms")
                .doesNotContain("under way");
    }

    @Test
    void shouldShowANameThatIsBlank(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, together);

        assertThat(window.text("#file-list tbody")).contains("' '");
        assertThat(window.text("#file-list .filter")).contains("3 files");
    }

    @Test
    void shouldTellThreeRunsApart(Browser browser) {
        PlotWindow window = PlotWindow.open(browser, three, "layout=overlay&r=0,1", 1200, 900);
        assertThat(window.pixels(PlotWindow.PROGRAM, "#009E73")).isZero();

        window = PlotWindow.open(browser, three, "layout=overlay", 1200, 900);

        // The last two runs are the same, so one covers the other; the first begins as they do.
        assertThat(window.pixels(PlotWindow.PROGRAM, "#009E73")).isGreaterThan(50);
        assertThat(window.findAll("#runs svg.run-mark")).hasSize(3);
        assertThat(window.text("#runs")).contains("steady.mio (1)").contains("steady.mio (2)");
        assertThat(browser.takeErrors()).isEmpty();
    }
}
