package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.ClassicReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
    @TempDir Path dir;

    private PageCache pageCache;

    @BeforeEach
    void choose() throws Exception {
        FakeHost host = new FakeHost(dir);
        host.memoryVersion2("0::/", "/");
        pageCache = PageCache.choose(host.host("false"), dir, "ext4", OriginalRuns.BYTES, 102400);
    }

    private Comparison comparison(RunFigures after, boolean original) throws IOException {
        return new Comparison(OriginalRuns.trace(), after, pageCache, original);
    }

    @Test
    void shouldSetTheRunsSideBySideAndTheOriginalsGainsBeside() throws IOException {
        assertThat(String.join("\n", comparison(OriginalRuns.pf(), true).lines()) + "\n")
                .isEqualTo(OriginalRuns.report("demo-original.txt"));
    }

    @Test
    void shouldLeaveTheOriginalsGainsOutForOtherSizes() throws IOException {
        List<String> lines = comparison(OriginalRuns.pf(), false).lines();
        assertThat(lines).noneMatch(line -> line.contains("original's"));
        assertThat(lines).anyMatch(line -> line.startsWith("Counters:    as expected: 6836 "));
    }

    @Test
    void shouldSayWhichCountersDiffer() throws IOException {
        RunFigures after = OriginalRuns.pf("6835 write behinds", "6834 write behinds");
        assertThat(comparison(after, true).lines())
                .contains(
                        "Counters:    differ from the original's: write behinds 6834, expected"
                                + " 6835.");
        assertThat(comparison(after, false).lines())
                .contains("Counters:    not as expected: write behinds 6834, expected 6835.");
        assertThat(comparison(after, true).figures().get("counters"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("differences", List.of("write behinds 6834, expected 6835"));
    }

    @Test
    void shouldSayNothingOfCountersWithoutPf() throws IOException {
        Comparison comparison = comparison(OriginalRuns.trace(), true);
        assertThat(comparison.lines()).noneMatch(line -> line.startsWith("Counters"));
        assertThat(comparison.figures()).doesNotContainKey("counters");
    }

    @Test
    void shouldGiveTheFiguresByName() throws IOException {
        Map<String, Object> figures = comparison(OriginalRuns.pf(), true).figures();
        assertThat(figures)
                .containsEntry("file_bytes", OriginalRuns.BYTES)
                .containsEntry("records", OriginalRuns.RECORDS)
                .containsKeys("page_cache", "runs", "gains", "counters");
        assertThat(figures.get("gains"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("cpu_time", 2.0)
                // One run read nothing from the device, so there is no ratio.
                .containsEntry("read_from_the_device", null);
    }

    @Test
    void shouldShowThePausesOnlyWhereThereAreSome() throws IOException {
        assertThat(comparison(OriginalRuns.pf(), true).lines())
                .noneMatch(line -> line.startsWith("pauses"));
        RunFigures paused =
                new RunFigures(
                        "pf",
                        "[ trace ]",
                        OriginalRuns.passes(1, 1, 1),
                        new Usage(1, 1, 1, 1, 1),
                        2_500_000_000L,
                        ClassicReport.parse(OriginalRuns.report("original.stats")));
        assertThat(comparison(paused, false).lines())
                .anyMatch(line -> line.matches("pauses, not in elapsed +0.00 s +2.50 s +-"));
    }

    @Test
    void shouldRefuseARunThatLacksSomething() throws IOException {
        List<Pass> passes = OriginalRuns.passes(1, 1, 1);
        Usage usage = new Usage(1, 1, 1, 1, 1);
        ClassicReport report = ClassicReport.parse(OriginalRuns.report("original.stats"));
        assertThatThrownBy(() -> new RunFigures("x", "", passes, usage, 0, ClassicReport.parse("")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("run 'x': no trace block");
        assertThatThrownBy(() -> new RunFigures("x", "", passes, null, 0, report))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("3 passes and their cost, found 3 without cost");
        assertThatThrownBy(() -> new RunFigures("x", "", passes.subList(0, 2), usage, 0, report))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("found 2 with cost");
    }

    @Test
    void shouldReadThePassLineItPrints() {
        for (Pass pass : OriginalRuns.passes(140_000, 280_000, 70_000)) {
            assertThat(Pass.ofLine(pass.toLine())).isEqualTo(pass);
        }
        assertThat(Pass.ofLine("something else")).isNull();
    }
}
