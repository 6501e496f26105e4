package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The original's workload at a tenth of its size, with the original's options, through the door:
 * the counters follow the rules that the original's figures show (reference 4.5).
 */
class PagesExactnessTest {
    private static final long RECORDS = 14_000;
    private static final int RECORD = 102_400;
    private static final long BYTES = RECORDS * RECORD;
    private static final long PAGE = 2 << 20;
    private static final long CACHE_PAGES = 50;
    private static final long PAGES = (BYTES + PAGE - 1) / PAGE;
    private static final long PAGE_READS = 2 * PAGES - CACHE_PAGES;
    private static final long PAGE_READ_BYTES = PAGE_READS * PAGE - (PAGES * PAGE - BYTES);

    @TempDir static Path directory;
    private static List<String> text;
    private static List<String> json;

    @BeforeAll
    static void runBothWays() throws IOException {
        assumeTrue(
                Files.getFileStore(directory).getUsableSpace() > 4 * BYTES,
                "not enough space for the file");
        text = run("report.txt");
        json = run("report.jsonl");
    }

    private static List<String> run(String report) throws IOException {
        Path out = directory.resolve(report);
        Path data = directory.resolve("data");
        try (FileSystem mio =
                        FileSystems.newFileSystem(
                                URI.create("mio://exactness/"), Map.of("files", rule(out)));
                FileChannel channel =
                        FileChannel.open(
                                mio.getPath(data.toString()),
                                READ,
                                WRITE,
                                CREATE,
                                TRUNCATE_EXISTING)) {
            ByteBuffer record = ByteBuffer.allocateDirect(RECORD);
            channel.position(0);
            for (long i = 0; i < RECORDS; i++) {
                assertThat(channel.write(stamped(record, i))).isEqualTo(RECORD);
            }
            channel.position(0);
            for (long i = 0; i < RECORDS; i++) {
                check(channel, record, i);
            }
            channel.position(BYTES);
            for (long i = RECORDS - 1; i >= 0; i--) {
                channel.position(i * RECORD);
                check(channel, record, i);
            }
        }
        Files.delete(data);
        return Files.readAllLines(out);
    }

    private static String rule(Path out) {
        String trace = "trace/stats={" + out + "}/kbytes";
        String pf = "pf/cache=100m/page=2m/pref=4/stats={" + out + "}/direct";
        return "* [ " + trace + " | " + pf + " | " + trace + " ]";
    }

    private static ByteBuffer stamped(ByteBuffer record, long number) {
        for (int at = 0; at < RECORD; at += 512) {
            record.putLong(at, number * RECORD + at);
        }
        return record.clear();
    }

    private static void check(FileChannel channel, ByteBuffer record, long number)
            throws IOException {
        if (channel.read(record.clear()) != RECORD) {
            throw new AssertionError("record " + number + " is short");
        }
        for (int at = 0; at < RECORD; at += 512) {
            if (record.getLong(at) != number * RECORD + at) {
                throw new AssertionError("record " + number + ", byte " + at);
            }
        }
    }

    @Test
    void shouldReportTheCountersOfTheOriginal() {
        for (String block :
                List.of(
                        "pf close for " + directory.resolve("data"),
                        "pf close for global cache 0")) {
            int at = indexOf(text, block);
            String all = String.join("\n", text.subList(at, at + 8)).replaceAll(" +(<?--)", " $1");
            assertThat(all)
                    .contains("   50 pages of 2097152 bytes   ")
                    .contains("   %1$d/%1$d pages not preread for write".formatted(PAGES + 4))
                    .contains(" unused prefetches out of ")
                    .contains("%9d write behinds".formatted(PAGES - 1))
                    .contains("%d/%d --> pf --> %d/%d ".formatted(BYTES, RECORDS, BYTES, PAGES))
                    .contains(
                            "%d/%d <-- pf <-- %d/%d "
                                    .formatted(
                                            2 * BYTES, 2 * RECORDS, PAGE_READ_BYTES, PAGE_READS));
        }
        assertThat(indexOf(text, "prefetch=4")).isLessThan(indexOf(text, "prefetch=0"));
    }

    @Test
    void shouldTraceAboveAndBelowTheSameAsTheOriginal() {
        int above = indexOf(text, "Trace close : program <-> pf");
        int below = indexOf(text, "Trace close : pf <-> os");
        assertThat(below).isLessThan(above);
        assertThat(count(above, "write")).isEqualTo(RECORDS);
        assertThat(count(above, "read")).isEqualTo(2 * RECORDS);
        assertThat(count(above, "size")).isEqualTo(RECORDS);
        assertThat(count(above, "seek")).isEqualTo(RECORDS + 3);
        assertThat(count(below, "awrite")).isEqualTo(PAGES - 1);
        assertThat(count(below, "write")).isEqualTo(1);
        assertThat(count(below, "size")).isEqualTo(PAGES);
        assertThat(count(below, "read")).isBetween(1L, 3L);
        assertThat(count(below, "read") + count(below, "aread")).isEqualTo(PAGE_READS);
        assertThat(count(below, "seek")).isEqualTo(PAGES + PAGE_READS);
    }

    @Test
    void shouldSayTheSameInJson() {
        for (String of : List.of("\"of\":\"file\"", "\"of\":\"cache\"")) {
            String pf = json.get(indexOf(json, of));
            assertThat(number(pf, "pages")).isEqualTo(CACHE_PAGES);
            assertThat(number(pf, "page_bytes")).isEqualTo(PAGE);
            assertThat(number(pf, "not_preread")).isEqualTo(PAGES + 4);
            assertThat(number(pf, "not_preread_for_write")).isEqualTo(PAGES + 4);
            assertThat(number(pf, "write_behinds")).isEqualTo(PAGES - 1);
            assertThat(number(pf, "forced_syncs")).isZero();
            assertThat(number(pf, "write_errors")).isZero();
            assertThat(pf)
                    .contains(transfers("program", BYTES, RECORDS, 2 * BYTES, 2 * RECORDS))
                    .contains(transfers("child", BYTES, PAGES, PAGE_READ_BYTES, PAGE_READS));
            assertThat(number(pf, "unused_prefetches")).isBetween(0L, CACHE_PAGES);
            assertThat(number(pf, "started_prefetches"))
                    .isGreaterThanOrEqualTo(PAGES + PAGE_READS - 4);
        }
    }

    private static String transfers(
            String which, long written, long writes, long read, long reads) {
        return "\"%s\":{\"written_bytes\":%d,\"writes\":%d,\"read_bytes\":%d,\"reads\":%d}"
                .formatted(which, written, writes, read, reads);
    }

    private static int indexOf(List<String> lines, String part) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(part)) {
                return i;
            }
        }
        throw new AssertionError("no line with " + part + " in\n" + String.join("\n", lines));
    }

    /** The count in a row of the block that begins at this line; 0 if there is no such row. */
    private static long count(int block, String operation) {
        Pattern row = Pattern.compile("  " + operation + " +(\\d+)( .*)?");
        for (String line : text.subList(block + 1, text.size())) {
            Matcher found = row.matcher(line);
            if (found.matches()) {
                return Long.parseLong(found.group(1));
            }
            if (line.isEmpty() || line.startsWith("=")) {
                break;
            }
        }
        return 0;
    }

    private static long number(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
        assertThat(found.find()).as("%s in %s", name, json).isTrue();
        return Long.parseLong(found.group(1));
    }
}
