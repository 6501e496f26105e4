package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More events, threads, files and caches than fit into memory. */
class ExportMemoryTest {
    private static final int EVENTS = 400_000;
    private static final int FILES = 2000;
    private static final int THREADS = 20_000;

    @TempDir static Path directory;

    private static Path events;

    /** Each ten events are six calls, the two records of a request, a hit and a page read. */
    @BeforeAll
    static void write() throws Exception {
        events = directory.resolve("many.events");
        try (MadeEvents out = new MadeEvents(events)) {
            for (int id = 1; id <= FILES; id++) {
                out.define(Events.file(id, 1, "/data/" + "x".repeat(100) + id, "program", "pf", 1));
            }
            for (int id = 1; id <= FILES; id++) {
                out.define(
                        MadeEvents.cached(
                                FILES + id, "/data/" + "x".repeat(100) + id, 0, 2, 4096, 16, id));
            }
            for (int i = 0; i < EVENTS; i++) {
                out.add(event(i));
            }
        }
    }

    private static Event event(int i) {
        long time = i * 1000L;
        int file = 1 + i / 50 % FILES;
        return switch (i % 10) {
            case 0 -> Events.submitted(file, time, 500, i + 1);
            case 1 -> Events.ended(file, time - 1000, 1500, i);
            case 2 -> Events.page(PageOperation.HIT, FILES + file, time, 0, 1);
            case 3 -> Events.page(PageOperation.ARRIVED, FILES + file, time - 3000, 3100, 1);
            default ->
                    Events.call(
                            TraceOperation.READ,
                            file,
                            time,
                            900,
                            i * 4096L,
                            4096,
                            i / 40 % THREADS);
        };
    }

    private static Path export(String form) throws Exception {
        return export(form, events);
    }

    private static Path export(String form, Path events) throws Exception {
        Path output = directory.resolve(form);
        Path errors = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx48m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.mio.cli.events.export.ExportMain",
                        form,
                        events.toString(),
                        output.toString());
        builder.redirectErrorStream(true).redirectOutput(errors.toFile());
        Process process = builder.start();
        int status = process.waitFor();
        assertThat(Files.readString(errors)).isEmpty();
        assertThat(status).isZero();
        return output;
    }

    @Test
    void shouldWriteManyEventsForPerfetto() throws Exception {
        Path trace = export("perfetto");
        int[] types = new int[5];
        try (InputStream in = Files.newInputStream(trace)) {
            CodedInputStream packets = CodedInputStream.newInstance(in);
            packets.setSizeLimit(Integer.MAX_VALUE);
            while (packets.readTag() != 0) {
                types[type(CodedInputStream.newInstance(packets.readByteArray()))]++;
            }
        }
        assertThat(types[PerfettoFields.TYPE_BEGIN]).isEqualTo(EVENTS / 10 * 9);
        assertThat(types[PerfettoFields.TYPE_END]).isEqualTo(EVENTS / 10 * 9);
        assertThat(types[PerfettoFields.TYPE_INSTANT]).isEqualTo(EVENTS / 10);
    }

    /** The type of the event in a packet; 0 if there is none. */
    private static int type(CodedInputStream message) throws IOException {
        for (int tag = message.readTag(); tag != 0; tag = message.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            if (field == PerfettoFields.TRACK_EVENT) {
                return type(CodedInputStream.newInstance(message.readByteArray()));
            }
            if (field == PerfettoFields.EVENT_TYPE
                    && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
                return message.readInt32();
            }
            message.skipField(tag);
        }
        return 0;
    }

    @Test
    void shouldWriteManyEventsForChrome() throws Exception {
        Path trace = export("chrome");
        int slices = 0;
        int requests = 0;
        try (JsonParser parser = new JsonFactory().createParser(trace.toFile())) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING
                        && "ph".equals(parser.currentName())) {
                    slices += parser.getText().equals("X") ? 1 : 0;
                    requests += parser.getText().equals("b") ? 1 : 0;
                }
            }
        }
        assertThat(slices).isEqualTo(EVENTS / 10 * 7);
        assertThat(requests).isEqualTo(EVENTS / 10 * 2);
    }

    /** Of each file, many requests are in flight until the end. */
    @Test
    void shouldNotKeepAllRequestsThatAreInFlight() throws Exception {
        Path hostile = directory.resolve("hostile.events");
        int requests = 300;
        try (MadeEvents out = new MadeEvents(hostile)) {
            for (int id = 1; id <= FILES; id++) {
                out.define(Events.file(id, 1, "/data/" + id, "program", "os", 1));
            }
            long end = 1L << 40;
            for (int i = 0; i < FILES * requests; i++) {
                long start = i * 1000L;
                out.add(Events.ended(1 + i / requests, start, end + i - start, i + 1));
            }
        }
        Path trace = export("chrome", hostile);
        int there = 0;
        try (JsonParser parser = new JsonFactory().createParser(trace.toFile())) {
            while (parser.nextToken() != null) {
                boolean text = parser.currentToken() == JsonToken.VALUE_STRING;
                there += text && "name".equals(parser.currentName()) && isRequest(parser) ? 1 : 0;
            }
        }
        assertThat(there).isGreaterThanOrEqualTo(FILES * requests);
        assertThat(Files.size(export("perfetto", hostile))).isGreaterThan(10L * FILES * requests);
    }

    private static boolean isRequest(JsonParser parser) throws IOException {
        return parser.getText().equals("aread");
    }

    @Test
    void shouldWriteManyEventsForFio() throws Exception {
        int reads = 0;
        try (BufferedReader lines =
                Files.newBufferedReader(export("fio"), StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reads += line.contains(" read ") ? 1 : 0;
            }
        }
        assertThat(reads).isEqualTo(EVENTS / 10 * 7);
    }
}
