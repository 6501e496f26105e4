package io.mio.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of several programs and runs, added up. */
class ReportsTest {
    @TempDir Path dir;

    /** A report in the form of the original's, with the rows that count. */
    private static String report(int reads, int pageReads) {
        String equals = "=".repeat(76);
        return String.join(
                "\n",
                equals,
                "",
                "Trace close : pf <-> os : bench.dat : (100/1.00)=100.00 bytes/s",
                "     demand rate=50.00 bytes/s=100/(2.00-0.00))",
                "     current size=100   max_size=100",
                "  mode =0600  FileSystemType=ext4 sector size=4096",
                "  oflags =0x2=RDWR",
                "  open              1     0.01",
                "  awrite           " + "   2     0.20         50         50         25         25",
                "   suspend          2     0.10     500.00 bytes/s",
                String.format(
                        "  read      %9d     0.10        100        100         50         50",
                        pageReads),
                "",
                "pf close for bench.dat",
                "   50 pages of 2097152 bytes   4096 bytes per sector",
                "   2/2 pages not preread for write",
                "   7 unused prefetches out of 20 : prefetch=3",
                "              2 write behinds",
                "   bytes transferred / Number of requests",
                "   program -->            50/2      --> pf --> 50/2      --> os",
                "   program <--           400/"
                        + reads
                        + "      <-- pf <-- 100/"
                        + pageReads
                        + "      <-- os",
                "",
                "Trace close : program <-> pf : bench.dat : (450/1.00)=450.00 bytes/s",
                "     demand rate=50.00 bytes/s=100/(2.00-0.00))",
                "     current size=100   max_size=100",
                "  mode =0600  FileSystemType=ext4 sector size=4096",
                "  oflags =0x2=RDWR",
                "  write             2     0.20         50         50         25         25",
                String.format(
                        "  read      %9d     0.10        400        400         50         50",
                        reads),
                equals,
                "");
    }

    @Test
    void shouldAddUpTheProgramsOfARun() throws IOException {
        Files.writeString(dir.resolve("a-1m-128k-1.stats.0"), report(8, 3));
        Files.writeString(dir.resolve("a-1m-128k-1.stats.1"), report(10, 4));
        Files.writeString(dir.resolve("a-1m-128k-2.stats.0"), report(8, 5));
        Files.writeString(dir.resolve("ab-1m-128k-2.stats.0"), report(1, 1));
        assertThat(Reports.of(dir, "a"))
                .containsExactly(
                        new Reports.Counts(2 + 8 + 2 + 10, 2 + 3 + 2 + 4, 40, 14, 4, 800, 200),
                        new Reports.Counts(2 + 8, 2 + 5, 20, 7, 2, 400, 100));
        assertThat(Reports.text(dir, "ab")).isEqualTo(report(1, 1));
        Cell cell = Reports.cell(Reports.of(dir, "a"), Unit.COUNT, Reports.Counts::readBytes);
        assertThat(cell.shown()).isEqualTo("600 (400..800)");
    }

    @Test
    void shouldSayThatThereIsNone() throws IOException {
        assertThatThrownBy(() -> Reports.of(dir, "a"))
                .isInstanceOf(IOException.class)
                .hasMessage("a: MIO left no report");
        Files.writeString(dir.resolve("a-1m-128k-1.stats"), "nothing\n");
        assertThatThrownBy(() -> Reports.of(dir, "a")).hasMessageContaining("without a trace");
        Reports.remove(dir);
        assertThat(dir).doesNotExist();
        Files.createDirectory(dir);
    }
}
