package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.ClassicReport.Block;
import io.mio.cli.ClassicReport.Header;
import io.mio.stats.ByteUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads the reports of the golden cases, which MIO writes, and finds their counters. */
class ClassicReaderTest {
    private static final Path TWINS = Path.of("../mio-core/src/test/resources/twin/stats");

    private final List<Block> blocks = new ArrayList<>();
    private final List<PfBlock> pfBlocks = new ArrayList<>();
    private final List<Header> headers = new ArrayList<>();
    private final List<String> events = new ArrayList<>();

    private void read(String text) {
        ClassicReader reader =
                new ClassicReader(
                        new ClassicReport.Sink() {
                            @Override
                            public void began() {
                                events.add("began");
                            }

                            @Override
                            public void header(Header header) {
                                headers.add(header);
                            }

                            @Override
                            public void block(Block block) {
                                blocks.add(block);
                            }

                            @Override
                            public void pfBlock(PfBlock block) {
                                pfBlocks.add(block);
                            }

                            @Override
                            public void recov(String file, boolean failed) {
                                events.add(file + " " + failed);
                            }

                            @Override
                            public void mistake(String what) {
                                events.add("mistake: " + what);
                            }
                        });
        text.lines().forEach(reader::line);
        reader.end();
    }

    /** Reads the report of a golden case, and returns the members of the case. */
    private Map<String, String> twin(String name) throws IOException {
        String text = Files.readString(TWINS.resolve(name + ".txt"));
        int report = text.indexOf("--- report\n");
        Map<String, String> members = new HashMap<>();
        text.substring(0, report)
                .lines()
                .filter(line -> line.contains(": "))
                .forEach(
                        line ->
                                members.put(
                                        line.substring(0, line.indexOf(": ")),
                                        line.substring(line.indexOf(": ") + 2)));
        read(text.substring(report + 11));
        return members;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alot_buf_trace",
                "alot_buf_pf_upper",
                "alot_buf_pf_lower",
                "nastran_upper",
                "nastran_lower"
            })
    void shouldFindTheCountersOfATraceBlock(String name) throws IOException {
        Map<String, String> members = twin(name);
        assertThat(events).isEmpty();
        assertThat(blocks).hasSize(1);
        Block block = blocks.get(0);
        ByteUnit unit = ByteUnit.of(members.get("unit"));
        assertThat(block.event()).isEqualTo(members.get("event"));
        assertThat(block.file()).isEqualTo(members.get("file"));
        assertThat(block.above()).isEqualTo(members.get("above"));
        assertThat(block.below()).isEqualTo(members.get("below"));
        assertThat(block.maxSize()).isEqualTo(unit.whole(number(members, "maxSize")));
        assertThat(block.illFormed()).isEqualTo(members.containsKey("direct") ? 0 : -1);
        int rows = 0;
        for (Map.Entry<String, String> member : members.entrySet()) {
            if (!member.getKey().startsWith("op ")) {
                continue;
            }
            rows++;
            String row = member.getKey().substring(3);
            String[] figures = member.getValue().split(" ");
            assertThat(block.rows().get(row).count()).isEqualTo(Long.parseLong(figures[0]));
            if (figures.length >= 6) {
                assertThat(block.transfers().get(row))
                        .isEqualTo(
                                new ClassicReport.Transfer(
                                        unit.whole(Long.parseLong(figures[2])),
                                        unit.whole(Long.parseLong(figures[3])),
                                        Long.parseLong(figures[4]),
                                        Long.parseLong(figures[5])));
            }
            if (figures.length == 8) {
                rows++;
                assertThat(block.rows().get(row + " suspend").count())
                        .isEqualTo(Long.parseLong(figures[6]));
            }
            if (row.equals("seek")) {
                assertThat(block.averageSeekDelta())
                        .isEqualTo(number(members, "seekDelta") / Long.parseLong(figures[0]));
            }
        }
        // One more row is that of the calls that made the file longer.
        assertThat(block.rows()).hasSize(rows + 1);
    }

    private static long number(Map<String, String> members, String name) {
        return Long.parseLong(members.getOrDefault(name, "0"));
    }

    @Test
    void shouldReadEveryLineAPfBlockCanHaveBehindItsTag() throws IOException {
        Map<String, String> members = twin("pf_all_lines");
        assertThat(events).isEmpty();
        assertThat(pfBlocks).hasSize(1);
        PfBlock block = pfBlocks.get(0);
        assertThat(block.tag()).isEqualTo("my cache: ");
        assertThat(block.event()).isEqualTo("inter");
        assertThat(block.of()).isEqualTo("private cache");
        assertThat(block.isOfFile()).isFalse();
        assertThat(block.pageBytes()).isEqualTo(number(members, "pageBytes"));
        assertThat(block.notPrereadOf()).isEqualTo(number(members, "notPrereadForWrite"));
        assertThat(block.unusedPrefetches()).isEqualTo(number(members, "unusedPrefetches"));
        assertThat(block.writeBehinds()).isEqualTo(number(members, "writeBehinds"));
        assertThat(block.forcedSyncs()).isEqualTo(number(members, "forcedSyncs"));
        assertThat(block.retainedPages()).isEqualTo(number(members, "retainedPages"));
        assertThat(block.programReads()).isEqualTo(new PfBlock.Transfer(269, 1234567));
        assertThat(block.pageWrites()).isEqualTo(new PfBlock.Transfer(257, 131));
        assertThat(block.last()).isEqualTo("os");
    }

    @Test
    void shouldReadTheHeader() throws IOException {
        twin("header");
        assertThat(events).containsExactly("began");
        assertThat(headers).hasSize(1);
        assertThat(headers.get(0).values())
                .containsEntry("hostname", "miohost")
                .containsEntry("engine", "Legacy aio available")
                .containsEntry("Program", "/mio/alot_buf")
                .containsEntry("MIO_FILES", "* [ trace/stats/kbytes ]");
    }

    @Test
    void shouldReadMessagesOfRecov() throws IOException {
        twin("recov");
        assertThat(events).contains("a\\012b.dat false", "null true");
    }

    @Test
    void shouldTellACacheFromAFileOfAlikeName() {
        String block =
                """
                pf exit for global cache 7x
                   1 pages of 4096 bytes   512 bytes per sector
                   0/0 pages not preread for write
                   0 unused prefetches out of 0 : prefetch=0
                             0 write behinds
                   bytes transferred / Number of requests
                   program -->             0/0      --> pf --> 0/0      --> os
                   program <--             0/0      <-- pf <-- 0/0      <-- os
                """;
        read(block + block.replace("cache 7x", "cache 7"));
        assertThat(events).isEmpty();
        assertThat(pfBlocks).extracting(PfBlock::isOfFile).containsExactly(true, false);
        assertThat(pfBlocks).extracting(PfBlock::event).containsOnly("exit");
    }
}
