package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.stats.Reports.Open;
import io.mio.stats.ByteUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The figures of the classic text, which are rounded: what is known in spite of that, what not. */
class RoundedTest {
    @TempDir Path dir;

    private RunStats read(String text) throws IOException {
        return Reports.readText(dir, text);
    }

    @ParameterizedTest
    @EnumSource(ByteUnit.class)
    void shouldKnowBytesExactlyWhereAllRequestsAreOfOneSize(ByteUnit unit) throws IOException {
        Open open = Open.of("a").calls(1001, 7).request(1234);
        RunStats stats = read(Reports.classicHeader("p") + Reports.classic(open, unit));
        Counts top = stats.files().get(0).top();
        long read = 1001 * 1234;
        long written = 7 * 1234;
        assertThat(top.get(Counter.READ_REQUESTED_BYTES)).isEqualTo(read);
        assertThat(top.get(Counter.WRITE_REQUESTED_BYTES)).isEqualTo(written);
        assertThat(top.get(Counter.READ_BYTES)).isEqualTo(unit.whole(read) > 0 ? read : -1);
        assertThat(top.get(Counter.WRITTEN_BYTES))
                .isEqualTo(unit.whole(written) > 0 ? written : -1);
        // A part of the last unit may not have been delivered.
        assertThat(top.isExact()).isEqualTo(unit == ByteUnit.BYTES);
    }

    @Test
    void shouldKnowThatAllWasDeliveredWhereThatIsWholeUnits() throws IOException {
        Open open = Open.of("a").calls(1000, 0).request(4096);
        String text = Reports.classicHeader("p") + Reports.classic(open, ByteUnit.KBYTES);
        Counts top = read(text).files().get(0).top();
        assertThat(top.get(Counter.READ_BYTES)).isEqualTo(4_096_000);
        assertThat(top.isExact()).isTrue();
    }

    @Test
    void shouldNotTakeForReadWhatIsLessThanAUnit() throws IOException {
        // An empty file is read again and again, with requests of 1000 bytes.
        Open open = Open.of("empty").calls(1, 0).request(1000);
        String one = Reports.classic(open, ByteUnit.KBYTES);
        RunStats stats = read(Reports.classicHeader("p") + one.repeat(2000));
        Row row = Rows.file(stats.files().get(0));
        assertThat(row.get(Counter.READS)).isEqualTo(2000);
        assertThat(row.get(Counter.READ_BYTES)).isEqualTo(Counts.UNKNOWN);
        assertThat(row.get(Counter.WRITTEN_BYTES)).isZero();
        assertThat(row.bytes()).isEqualTo(Counts.UNKNOWN);
        assertThat(row.rate()).isNaN();
        assertThat(row.top().isExact()).isFalse();
        String more = Reports.classic(Open.of("b").calls(10, 0), ByteUnit.KBYTES);
        Row total = Rows.total(read(Reports.classicHeader("p") + one + more));
        assertThat(total.get(Counter.READ_BYTES)).isEqualTo(10 * 4096);
    }

    @Test
    void shouldTakeAmountsAsPrintedElseAndSaySo() throws IOException {
        String text =
                Reports.classicHeader("p")
                        + Reports.classic(Open.of("a").calls(100, 0).request(1000), ByteUnit.KBYTES)
                                .replace("      1000       1000", "         1       1999");
        Counts top = read(text).files().get(0).top();
        assertThat(top.get(Counter.READ_BYTES)).isEqualTo(97 * 1024);
        assertThat(top.isExact()).isFalse();
    }

    /** A report of opens of 300 bytes each, read with one request of 8192. */
    private String shortOpens(int opens, long nanos) {
        Open open = new Open("a", "close", 1_000_000, 1, 0, 300, nanos);
        String block = Reports.classic(open, ByteUnit.KBYTES);
        // The row as it is when more is requested than there is.
        String asked = block.replaceAll("(read +1 +[0-9.]+ +)0( +0 +)300 +300", "$18$28192 8192");
        assertThat(asked).isNotEqualTo(block);
        return Reports.classicHeader("p") + asked.repeat(opens);
    }

    @Test
    void shouldMarkWhatMayBeWrongByMuch() throws IOException {
        // 3 ms and 300 bytes are printed as 0.
        Row lost = Rows.total(read(shortOpens(3000, 3_000_000)));
        assertThat(lost.get(Counter.IO_NS)).isZero();
        assertThat(lost.isRough(Counter.IO_NS)).isTrue();
        assertThat(lost.rate()).isNaN();
        assertThat(lost.isRoughRequest()).isFalse();
        assertThat(JsonReport.figures(lost))
                .containsEntry("exact", false)
                .doesNotContainKeys("rate_bytes_per_second", "read_bytes", "bytes")
                .extractingByKey("approximate")
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains("io_ns", "read_ns")
                .doesNotContain("write_ns", "mean_request_bytes");
        // 20 ms for each open are known to a quarter.
        Row rough = Rows.total(read(shortOpens(3000, 20_000_000)));
        assertThat(rough.get(Counter.IO_NS)).isEqualTo(60_000_000_000L);
        assertThat(rough.isRough(Counter.IO_NS)).isTrue();
        Row fine = Rows.total(read(shortOpens(1, 2_000_000_000)));
        assertThat(fine.isRough(Counter.IO_NS)).isFalse();
        assertThat(fine.isRough(Counter.READ_NS)).isFalse();
    }

    @Test
    void shouldMarkWhatIsKnownOfACacheAlone() throws IOException {
        String block =
                """
                pf close for a
                   50 pages of 2097152 bytes   4096 bytes per sector
                   0/1 pages not preread for write
                   0 unused prefetches out of 0 : prefetch=4
                         0 write behinds
                   kbytes transferred / Number of requests
                   program -->             0/0      --> pf -->             0/0      --> os
                   program <--             3/100    <-- pf <--             8/1      <-- os
                """;
        Row row = Rows.total(read(Reports.classicHeader("p") + block + "=".repeat(76) + "\n"));
        assertThat(row.bytes()).isEqualTo(3 << 10);
        assertThat(row.isRoughBytes()).isTrue();
        assertThat(JsonReport.figures(row)).containsEntry("exact", false);
        Row large =
                Rows.total(
                        read(
                                Reports.classicHeader("p")
                                        + block.replace(" 3/100 ", "30000/100")
                                        + "=".repeat(76)
                                        + "\n"));
        assertThat(large.bytes()).isEqualTo(30_000 << 10);
        assertThat(large.isRoughBytes()).isFalse();
    }

    @Test
    void shouldSayWhatToDoAboutRoundedFigures() throws IOException {
        Path file = Files.writeString(dir.resolve("r"), shortOpens(10, 20_000_000));
        String rough =
                Reports.show(Reports.OPTIONS, StatsOptions.Format.TABLE, file.toString()).out();
        assertThat(rough).contains("~200 ms", "MIO_STATS=NAME.jsonl");
        Files.writeString(file, Reports.jsonHeader(1, "p") + Reports.json(1, Open.of("a")));
        String exact =
                Reports.show(Reports.OPTIONS, StatsOptions.Format.TABLE, file.toString()).out();
        assertThat(exact).doesNotContain("~");
    }
}
