package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.ClassicReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoSummaryTest {
    private static final long GIB = 1L << 30;
    private static final long RECORDS = AlotBuf.ORIGINAL_RECORDS;
    private static final long BYTES = RECORDS * AlotBuf.ORIGINAL_RECORD_BYTES;

    /** Times chosen so that the rates are round: 140, 280 and 70 s. */
    private static final List<Pass> PASSES =
            List.of(
                    new Pass("write", RECORDS, BYTES, 140_000_000_000L),
                    new Pass("forward", RECORDS, BYTES, 280_000_000_000L),
                    new Pass("backward", RECORDS, BYTES, 70_000_000_000L));

    private static ClassicReport original() throws IOException {
        try (InputStream in = ClassicReport.class.getResourceAsStream("original.stats")) {
            return ClassicReport.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldSayInThreeLinesWhatHappened() throws IOException {
        List<String> lines = new DemoSummary(PASSES, original(), GIB).lines();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0))
                .contains("13672 MiB", "140000 calls", "280000 calls", "140003 seeks");
        assertThat(lines.get(1))
                .contains("write 98, forward 49, backward 195 MiB/s", "1513.95 of 490.00 seconds");
        assertThat(lines.get(2)).contains("reads show the disk");
    }

    @Test
    void shouldWarnThatMemoryWasMeasuredWhenTheFileFits() throws IOException {
        assertThat(new DemoSummary(PASSES, original(), 64 * GIB).lines().get(2))
                .contains("the system's cache", "beyond 64g");
        assertThat(new DemoSummary(PASSES, original(), 0).lines().get(2)).contains("the disk");
    }

    /** 13.4 GiB in 24 GiB of memory: most reads, at 3.7 GiB/s, came from the cache. */
    @Test
    void shouldNotCallItTheDiskWhenMemoryMayHoldTheFile() throws IOException {
        assertThat(new DemoSummary(PASSES, original(), 24 * GIB).lines().get(2))
                .contains("the system's cache and the disk", "beyond 24g");
    }

    @Test
    void shouldGiveTheFiguresByName() throws IOException {
        assertThat(new DemoSummary(PASSES, original(), GIB).figures())
                .containsEntry("file_bytes", BYTES)
                .containsEntry("records", RECORDS)
                .containsKeys("passes", "trace");
    }

    @Test
    void shouldRefuseARunWithoutATraceBlock() {
        assertThatThrownBy(() -> new DemoSummary(PASSES, ClassicReport.parse(""), GIB))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1 trace block, found 3 and 0");
    }

    @Test
    void shouldReadThePassLineItPrints() {
        for (Pass pass : PASSES) {
            assertThat(Pass.ofLine(pass.toLine())).isEqualTo(pass);
        }
        assertThat(Pass.ofLine("something else")).isNull();
    }
}
