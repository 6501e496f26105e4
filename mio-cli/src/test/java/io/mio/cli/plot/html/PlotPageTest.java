package io.mio.cli.plot.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.plot.Distribution.Count;
import io.mio.cli.plot.Level;
import io.mio.cli.plot.Mark;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlotPageTest {
    /** Addresses in a page: texts of a script, and XML namespaces; none of them is fetched. */
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\"'\\s)]*");

    private static String page(RunPlot... runs) throws IOException {
        return page(PageOptions.usual(), runs);
    }

    private static String page(PageOptions options, RunPlot... runs) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PlotPage.write(List.of(runs), options, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode meta(String page) throws IOException {
        return new ObjectMapper().readTree(PageReader.element(page, "meta"));
    }

    private static int count(String page, String text) {
        return page.split(Pattern.quote(text), -1).length - 1;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</script><img src=x onerror=alert(1)>",
                "<!--<script>",
                "--><script>alert(1)</script>",
                "]]>&lt;&amp;\"'`${x}",
                "a\u2028b\u2029c\u0000d\u001b[31m",
                "\ud800 alone, \udc00",
                "\u202egnp.exe",
                "\u05e9\u05dc\u05d5\u05dd"
            })
    void shouldShowNamesAsTextWhateverTheyAre(String name) throws Exception {
        String harmless = page(Runs.empty("harmless"));
        String page = page(Runs.empty(name));

        for (String harmful : List.of("<img", "\u2028", "\u202e", "\u001b", "<script>alert")) {
            assertThat(page.contains(harmful)).as(harmful).isFalse();
        }
        assertThat(count(page, "<script")).isEqualTo(count(harmless, "<script"));
        assertThat(count(page, "</script")).isEqualTo(count(harmless, "</script"));
        assertThat(count(page, "<!--")).isEqualTo(count(harmless, "<!--"));
        JsonNode run = meta(page).get("runs").get(0);
        String safe = io.mio.cli.term.SafeText.of(name);
        assertThat(run.get("label").textValue()).isEqualTo(safe);
        assertThat(run.get("files").get(0).get("path").textValue()).isEqualTo(safe);
        assertThat(run.get("notes").get(0).textValue()).isEqualTo(safe);
        assertThat(run.get("header").get("program").textValue()).isEqualTo(safe);
    }

    @Test
    void shouldEscapeATitle() throws Exception {
        String page =
                page(new PageOptions("</title><b>\"&", "dark", "overlay", ""), Runs.empty("run"));

        assertThat(page).contains("<title>&lt;/title&gt;&lt;b&gt;&quot;&amp;</title>");
        assertThat(meta(page).get("theme").textValue()).isEqualTo("dark");
        assertThat(meta(page).get("layout").textValue()).isEqualTo("overlay");
    }

    @Test
    void shouldKeepAFilterOnlyIfACommandCanHaveIt() throws Exception {
        for (String filter : List.of("--files '*.dat' --failed", "--files 'a\u001bb'")) {
            String page = page(new PageOptions(null, null, "side", filter), Runs.empty("run"));

            assertThat(meta(page).get("filter").textValue())
                    .isEqualTo(filter.contains("\u001b") ? null : filter);
        }
    }

    @Test
    void shouldLoadNothing() throws Exception {
        String page = page(Runs.empty("run"));

        Matcher addresses = ADDRESS.matcher(page);
        while (addresses.find()) {
            assertThat(addresses.group()).matches("http://www\\.w3\\.org/.*|https://d3js\\.org");
        }
        String elements = page.replaceAll("(?s)<script.*?</script>", "");
        assertThat(elements).doesNotContain("src=", "href=", "url(", "@import", "<link", "<iframe");
        assertThat(elements).doesNotContainPattern("\\son[a-z]+=").doesNotContain("style=");
        assertThat(page).contains("default-src 'none'").doesNotContain("unsafe");
    }

    @Test
    void shouldAllowNothingButItsOwnScriptsAndStyle() throws Exception {
        String page = page(Runs.empty("run"));

        String policy =
                page.replaceAll("(?s).*Content-Security-Policy\" content=\"([^\"]*)\".*", "$1");
        List<String> sums = new ArrayList<>();
        Matcher parts = Pattern.compile("(?s)<(script|style)>(.*?)</\\1>").matcher(page);
        while (parts.find()) {
            byte[] sum =
                    MessageDigest.getInstance("SHA-256")
                            .digest(parts.group(2).getBytes(StandardCharsets.UTF_8));
            sums.add("'sha256-" + Base64.getEncoder().encodeToString(sum) + "'");
        }
        assertThat(sums).hasSize(3);
        assertThat(policy)
                .isEqualTo(
                        "default-src 'none'; base-uri 'none'; form-action 'none'; script-src "
                                + sums.get(1)
                                + " "
                                + sums.get(2)
                                + "; style-src "
                                + sums.get(0));
        assertThat(page).doesNotContain("\r");
    }

    @Test
    void shouldNameTheLibraryAndItsLicence() throws Exception {
        String page = page(Runs.empty("run"));

        assertThat(page)
                .contains("d3 7.9.0, which this page contains.")
                .contains("Copyright 2010-2023 Mike Bostock")
                .contains("Permission to use, copy, modify, and/or distribute this software");
    }

    @Test
    void shouldHoldEachMarkExactly() throws Exception {
        long seed = new Random().nextLong();
        List<Mark> marks = Runs.random(new Random(seed), 3000);
        RunPlot run = Runs.of(marks);

        assertThat(PageReader.block(page(run), "level-0-0").marks(run))
                .as("seed %d", seed)
                .isEqualTo(marks);
    }

    @Test
    void shouldHoldAllLevelsOfAllRuns() throws Exception {
        Random random = new Random(7);
        List<List<Mark>> marks =
                List.of(Runs.random(random, 5), Runs.random(random, 50), Runs.random(random, 9));
        RunPlot first =
                Runs.of(
                        "first",
                        List.of(
                                new Level(1000, 4096, new Runs.MarkList(marks.get(0))),
                                new Level(0, 0, new Runs.MarkList(marks.get(1)))),
                        List.of());
        RunPlot second = Runs.of(marks.get(2));

        String page = page(first, second);

        assertThat(PageReader.block(page, "level-0-0").marks(first)).isEqualTo(marks.get(0));
        assertThat(PageReader.block(page, "level-0-1").marks(first)).isEqualTo(marks.get(1));
        assertThat(PageReader.block(page, "level-1-0").marks(second)).isEqualTo(marks.get(2));
        assertThat(meta(page).get("runs").get(0).get("levels").toString())
                .isEqualTo("[[1000,4096,5],[0,0,50]]");
    }

    @Test
    void shouldHoldDistributions() throws Exception {
        RunPlot run =
                Runs.of(
                        "run",
                        List.of(new Level(0, 0, new Runs.MarkList(List.of()))),
                        List.of(
                                new Count(0, 0, 12, 1),
                                new Count(0, 1, 3, 1L << 40),
                                new Count(2, 0, 200, 7)));

        String page = page(run);

        List<List<Long>> counts =
                List.of(
                        List.of(0L, 0L, 12L, 1L),
                        List.of(0L, 1L, 3L, 1L << 40),
                        List.of(2L, 0L, 200L, 7L));
        assertThat(PageReader.block(page, "latency-0").counts()).isEqualTo(counts);
        assertThat(PageReader.block(page, "sizes-0").counts()).isEqualTo(counts);
    }

    @Test
    void shouldCutNumbersThatAScriptCannotHold() throws Exception {
        long most = Long.MAX_VALUE;
        Mark mark =
                new Mark(
                        0,
                        Shape.EVENT,
                        100,
                        most,
                        most,
                        most,
                        most,
                        most,
                        most,
                        most,
                        most,
                        3,
                        most,
                        28,
                        most,
                        most);
        RunPlot run = Runs.of(List.of(mark));

        Mark read = PageReader.block(page(run), "level-0-0").marks(run).get(0);

        long held = (1L << 53) - 1;
        assertThat(read)
                .isEqualTo(
                        new Mark(
                                0,
                                Shape.EVENT,
                                100,
                                100 + held,
                                held,
                                held,
                                held,
                                held,
                                held,
                                held,
                                held,
                                3,
                                held,
                                28,
                                held,
                                held));
    }

    @Test
    void shouldStayBelowTenMegabytesForRandomRequestsOfManyThreads() throws Exception {
        long written = written(Runs.of(Runs.requests(new Random(3), 400_000)));

        assertThat(written).isLessThan(10L << 20);
    }

    @Test
    void shouldStayWithinBoundsHoweverUnlikeTheMarksAre() throws Exception {
        int marks = 20_000;

        long written = written(Runs.of(Runs.random(new Random(3), marks)));

        assertThat(written - written(Runs.of(List.of()))).isLessThan(64L * marks);
    }

    private static long written(RunPlot run) throws IOException {
        long[] written = new long[1];
        OutputStream counter =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        written[0]++;
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) {
                        written[0] += length;
                    }
                };
        PlotPage.write(List.of(run), PageOptions.usual(), counter);
        return written[0];
    }

    @Test
    void shouldLeaveTheStreamOpen() throws Exception {
        boolean[] closed = new boolean[1];
        OutputStream out =
                new ByteArrayOutputStream() {
                    @Override
                    public void close() {
                        closed[0] = true;
                    }
                };

        PlotPage.write(List.of(Runs.empty("run")), PageOptions.usual(), out);

        assertThat(closed[0]).isFalse();
    }
}
