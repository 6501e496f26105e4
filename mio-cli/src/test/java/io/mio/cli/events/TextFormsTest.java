package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.events.EventsOptions.Form;
import io.mio.events.Event;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text, CSV and JSON Lines, read by other people's parsers, also with names that are traps. */
class TextFormsTest {
    private static final CSVFormat CSV =
            CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();

    private static final Pattern ESCAPE =
            Pattern.compile("\\\\([0-7]{3})|\\\\u([0-9a-f]{4})|\\\\U([0-9a-f]{8})");

    private final ObjectMapper json = new ObjectMapper();

    @TempDir Path dir;

    private String written(Form form, Path... files) {
        Cli cli = new Cli();
        cli.form = form;
        assertThat(cli.run(List.of(files).stream().map(Path::toString).toList())).isZero();
        assertThat(cli.err.toString()).isEmpty();
        return cli.text();
    }

    private Path golden() throws IOException {
        return Files.write(dir.resolve("golden.events"), EventSamples.golden());
    }

    private Path random(long seed) throws IOException {
        List<io.mio.events.EventFile> files =
                List.of(
                        EventSamples.file(1, 100, 1, "a", "program", "pf"),
                        EventSamples.pages(2, 100, "a"));
        // The third file of the events has no definition.
        return EventSamples.write(
                dir.resolve("random.events"),
                new Definitions(
                        EventSamples.header("p", "h"),
                        List.of(EventSamples.process(100, "p,q")),
                        files),
                EventSamples.random(new Random(seed), 2000, 3, 2));
    }

    private static String known(long number) {
        return number == -1 ? "" : Long.toString(number);
    }

    @Test
    void shouldWriteCsvThatOthersRead() throws IOException {
        long seed = System.nanoTime();
        for (Path file : List.of(golden(), random(seed))) {
            List<Event> events = EventSamples.read(file);
            String text = written(Form.CSV, file);
            assertThat(text).doesNotContain("\r").endsWith("\n");
            try (EventReader reader = EventReader.open(file);
                    CSVParser parser = CSVParser.parse(text, CSV)) {
                List<CSVRecord> records = parser.getRecords();
                assertThat(records).as("seed %d", seed).hasSameSizeAs(events);
                for (int i = 0; i < events.size(); i++) {
                    same(records.get(i), events.get(i), reader, "seed " + seed + ", " + i);
                }
            }
        }
    }

    private static void same(CSVRecord record, Event event, EventReader reader, String as) {
        boolean lost = event.kind() == Event.Kind.DROPPED;
        assertThat(record.isConsistent()).as(as).isTrue();
        assertThat(record.get("start_ns")).as(as).isEqualTo(known(event.startNanos()));
        assertThat(record.get("duration_ns")).isEqualTo("" + event.durationNanos());
        assertThat(record.get("process")).isEqualTo("" + event.process());
        assertThat(record.get("thread")).isEqualTo(lost ? "" : "" + event.thread());
        assertThat(record.get("operation")).isEqualTo(OperationSet.name(event));
        assertThat(record.get("kind"))
                .isEqualTo(List.of("call", "end", "page", "lost").get(event.kind().ordinal()));
        assertThat(record.get("offset_bytes")).isEqualTo(known(event.offset()));
        assertThat(record.get("requested_bytes")).isEqualTo(known(event.requested()));
        assertThat(record.get("delivered_bytes")).isEqualTo(lost ? "" : "" + event.delivered());
        assertThat(record.get("failed")).isEqualTo(event.failed() ? "1" : "0");
        assertThat(record.get("error")).isEqualTo(event.failed() ? ErrnoName.of(event) : "");
        assertThat(record.get("append")).isEqualTo(event.append() ? "1" : "0");
        assertThat(record.get("asynchronous")).isEqualTo(event.asynchronous() ? "1" : "0");
        boolean numbered = event.kind() == Event.Kind.PAGE || event.number() != 0;
        assertThat(record.get("number"))
                .isEqualTo(numbered ? Long.toUnsignedString(event.number()) : "");
        io.mio.events.EventFile file = lost ? null : reader.files().get(event.file());
        assertThat(record.get("file")).isEqualTo(file == null ? "" : file.path());
        assertThat(record.get("layer"))
                .isEqualTo(file == null ? "" : file.layer() == 1 ? "trace" : "pf");
        assertThat(record.get("place")).isEqualTo(file == null ? "" : "" + file.place());
        assertThat(record.get("above")).isEqualTo(file == null ? "" : file.above());
        assertThat(record.get("below")).isEqualTo(file == null ? "" : file.below());
    }

    /** Undoes what docs/commands/events.md tells to undo. */
    private static String undone(String field) {
        String text = field.startsWith("'") ? field.substring(1) : field;
        Matcher matcher = ESCAPE.matcher(text);
        return matcher.replaceAll(
                one -> {
                    int point =
                            one.group(1) != null
                                    ? Integer.parseInt(one.group(1), 8)
                                    : Integer.parseInt(
                                            one.group(2) != null ? one.group(2) : one.group(3), 16);
                    return Matcher.quoteReplacement(Character.toString(point));
                });
    }

    @Test
    void shouldWriteNoFormulaAndNothingThatATerminalObeys() throws IOException {
        String text = written(Form.CSV, EventSamples.hostile(dir.resolve("hostile.events")));
        assertThat(text.codePoints().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(text).doesNotContain("\u202e");
        try (CSVParser parser = CSVParser.parse(text, CSV)) {
            List<CSVRecord> records = parser.getRecords();
            assertThat(records).hasSameSizeAs(EventSamples.HOSTILE);
            for (int i = 0; i < records.size(); i++) {
                for (String column : List.of("file", "program", "above", "below")) {
                    String field = records.get(i).get(column);
                    assertThat(field).doesNotStartWith("=").doesNotStartWith("+");
                    assertThat(field).doesNotStartWith("-").doesNotStartWith("@");
                    assertThat(field).doesNotStartWith("\uff1d").doesNotStartWith("\\011");
                    assertThat(undone(field)).isEqualTo(EventSamples.HOSTILE.get(i));
                }
            }
        }
    }

    @Test
    void shouldWriteJsonLinesThatOthersRead() throws IOException {
        long seed = System.nanoTime();
        for (Path file : List.of(golden(), random(seed))) {
            List<Event> events = EventSamples.read(file);
            List<String> lines = written(Form.JSONL, file).lines().toList();
            assertThat(lines).hasSize(events.size() + 2);
            JsonNode heading = json.readTree(lines.get(0));
            assertThat(heading.get("type").asText()).isEqualTo("mio_events");
            for (int i = 0; i < events.size(); i++) {
                Event event = events.get(i);
                JsonNode node = json.readTree(lines.get(i + 1));
                String as = "seed " + seed + ", " + i;
                assertThat(node.get("operation").asText())
                        .as(as)
                        .isEqualTo(OperationSet.name(event));
                assertThat(node.get("start_ns").asLong()).as(as).isEqualTo(event.startNanos());
                assertThat(node.get("duration_ns").asLong()).isEqualTo(event.durationNanos());
                assertThat(node.get("process").asLong()).isEqualTo(event.process());
                if (event.kind() == Event.Kind.DROPPED) {
                    assertThat(node.get("events").asLong()).isEqualTo(event.requested());
                    continue;
                }
                assertThat(node.path("offset_bytes").asLong(-1)).isEqualTo(event.offset());
                assertThat(node.path("requested_bytes").asLong(-1)).isEqualTo(event.requested());
                assertThat(node.get("delivered_bytes").asLong()).isEqualTo(event.delivered());
                assertThat(node.path("failed").asBoolean(false)).isEqualTo(event.failed());
                assertThat(node.path("append").asBoolean(false)).isEqualTo(event.append());
                assertThat(node.path("asynchronous").asBoolean(false))
                        .isEqualTo(event.asynchronous());
                assertThat(node.path("number").bigIntegerValue().longValue())
                        .isEqualTo(event.number());
                assertThat(node.get("thread").asLong()).isEqualTo(event.thread());
                assertThat(node.get("file").asLong()).isEqualTo(event.file());
            }
            JsonNode totals = json.readTree(lines.get(lines.size() - 1));
            assertThat(totals.get("type").asText()).isEqualTo("totals");
            assertThat(totals.get("events").asLong()).isEqualTo(events.size());
            assertThat(totals.get("losses").get("dropped").asLong()).isZero();
        }
    }

    @Test
    void shouldWriteJsonThatCanBePutIntoAPage() throws IOException {
        String text = written(Form.JSONL, EventSamples.hostile(dir.resolve("hostile.events")));
        assertThat(text.codePoints().filter(c -> c < ' ' && c != '\n' || c >= 0x7f)).isEmpty();
        assertThat(text).doesNotContain("<").doesNotContain(">").doesNotContain("&");
        List<String> lines = text.lines().toList();
        JsonNode heading = json.readTree(lines.get(0));
        for (int i = 0; i < EventSamples.HOSTILE.size(); i++) {
            String name = EventSamples.HOSTILE.get(i);
            assertThat(heading.get("files").get(i).get("path").asText()).isEqualTo(name);
            assertThat(heading.get("processes").get(i).get("program").asText()).isEqualTo(name);
            assertThat(json.readTree(lines.get(i + 1)).get("path").asText()).isEqualTo(name);
        }
    }

    @Test
    void shouldShowOneHarmlessLineForEachEvent() throws IOException {
        Path hostile = EventSamples.hostile(dir.resolve("hostile.events"));
        String text = written(Form.TEXT, hostile);
        assertThat(text.codePoints().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(text).doesNotContain("\u202e").contains("line\\012break").contains("\\u202e");
        assertThat(text.lines().filter(line -> !line.startsWith("#")))
                .hasSameSizeAs(EventSamples.HOSTILE);
        Cli summary = new Cli();
        summary.summary = true;
        assertThat(summary.run(hostile)).isZero();
        assertThat(summary.text().codePoints().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(summary.text()).doesNotContain("\u202e");
    }

    @Test
    void shouldNumberTheRunsOfSeveralFiles() throws IOException {
        Path golden = golden();
        try (CSVParser parser =
                CSVParser.parse(new StringReader(written(Form.CSV, golden, golden)), CSV)) {
            assertThat(parser.getRecords())
                    .extracting(record -> record.get("run"))
                    .hasSize(44)
                    .startsWith("1")
                    .endsWith("2");
        }
        assertThat(written(Form.JSONL, golden, golden).lines())
                .hasSize(48)
                .allMatch(line -> line.startsWith("{\"run\":"));
        assertThat(written(Form.TEXT, golden, golden)).contains("# run 1\n", "# run 2\n");
        assertThat(written(Form.CSV, golden)).startsWith("start_ns,");
    }

    @Test
    void shouldNameErrors() {
        assertThat(error(28)).isEqualTo("ENOSPC");
        assertThat(error(5)).isEqualTo("EIO");
        assertThat(error(125)).isEqualTo("ECANCELED");
        assertThat(error(133)).isEqualTo("EHWPOISON");
        assertThat(error(41)).isEqualTo("errno 41");
        assertThat(error(-1)).isEqualTo("errno -1");
        assertThat(error(4000)).isEqualTo("errno 4000");
        assertThat(error(0)).isEqualTo("failed");
    }

    private static String error(int errno) {
        return ErrnoName.of(
                new Event(
                        Event.Kind.CALL,
                        io.mio.stats.TraceOperation.READ,
                        null,
                        1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        true,
                        false,
                        false,
                        errno,
                        0,
                        0,
                        0));
    }
}
