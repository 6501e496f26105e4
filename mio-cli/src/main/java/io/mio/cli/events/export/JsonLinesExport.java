package io.mio.cli.events.export;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.mio.cli.events.ErrnoName;
import io.mio.cli.events.FileTexts;
import io.mio.cli.events.OperationSet;
import io.mio.cli.events.TextBuffer;
import io.mio.cli.term.Json;
import io.mio.events.Event;
import io.mio.events.EventDecision;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventLosses;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Events as JSON Lines: one object on the events file, with its processes and files; one for each
 * event; and one at the end that tells what is missing. The text is ASCII only and has no
 * characters with a meaning in HTML.
 */
public final class JsonLinesExport implements EventExport {
    private static final int FORMAT = 1;

    // Names that are written with every event.
    private static final byte[] START_NS = name("start_ns");
    private static final byte[] DURATION_NS = name("duration_ns");
    private static final byte[] PROCESS = name("process");
    private static final byte[] EVENTS = name("events");
    private static final byte[] THREAD = name("thread");
    private static final byte[] FILE = name("file");
    private static final byte[] OFFSET_BYTES = name("offset_bytes");
    private static final byte[] REQUESTED_BYTES = name("requested_bytes");
    private static final byte[] DELIVERED_BYTES = name("delivered_bytes");

    private static final JsonMapper MAPPER = Json.line();

    private final TextBuffer out;
    private final String begin;
    private final FileTexts<byte[]> files;
    private final Supplier<EventLosses> losses;
    private long events;

    /** Begins the output of a single file. */
    public JsonLinesExport(EventReader reader, OutputStream out) throws IOException {
        this(reader, reader::losses, out, 0);
    }

    /**
     * Begins the output of one of several files.
     *
     * @param losses asked at the end
     * @param run number of the file from 1, a member of every object; 0 for none
     */
    public JsonLinesExport(
            EventReader reader, Supplier<EventLosses> losses, OutputStream out, int run)
            throws IOException {
        this.losses = losses;
        this.begin = run == 0 ? "{\"type\":\"" : "{\"run\":" + run + ",\"type\":\"";
        this.files = new FileTexts<>(reader.files(), JsonLinesExport::member);
        heading(reader, out, run);
        this.out = new TextBuffer(out);
    }

    /** Writes the heading piece by piece, as there may be a million files. */
    private static void heading(EventReader reader, OutputStream out, int run) throws IOException {
        EventHeader header = reader.header();
        try (JsonGenerator json = MAPPER.getFactory().createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
            json.writeStartObject();
            if (run != 0) {
                json.writeNumberField("run", run);
            }
            json.writeStringField("type", "mio_events");
            json.writeNumberField("format", FORMAT);
            json.writeStringField("program", header.program());
            json.writeStringField("host", header.host());
            json.writeStringField("library", header.library());
            json.writeNumberField("process", header.process());
            json.writeStringField("door", door(header.door()));
            json.writeNumberField("zero_realtime_ns", header.realtimeNanos());
            json.writeNumberField("zero_monotonic_ns", header.monotonicNanos());
            json.writeNumberField("limit_bytes", header.limitBytes());
            json.writeArrayFieldStart("processes");
            for (EventProcess process : reader.processes()) {
                json.writeStartObject();
                json.writeNumberField("process", process.process());
                json.writeNumberField("parent", process.parent());
                json.writeStringField("door", door(process.door()));
                json.writeNumberField("began_ns", process.beganNanos());
                json.writeStringField("program", process.program());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("files");
            Stream<EventFile> files =
                    reader.files().keySet().stream().sorted().map(reader.files()::get);
            for (EventFile file : (Iterable<EventFile>) files::iterator) {
                file(json, file);
            }
            json.writeEndArray();
            decisions(json, reader);
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    /** Writes the decisions of pf/auto. Without any, as in most files, there is no member. */
    private static void decisions(JsonGenerator json, EventReader reader) throws IOException {
        if (reader.decisions().isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("decisions");
        for (EventDecision one : reader.decisions()) {
            json.writeStartObject();
            json.writeNumberField("ns", one.nanos());
            json.writeNumberField("process", one.process());
            json.writeNumberField("thread", one.thread());
            json.writeNumberField("file", Integer.toUnsignedLong(one.file()));
            json.writeStringField("what", one.what());
            json.writeStringField("reason", one.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void file(JsonGenerator json, EventFile file) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", Integer.toUnsignedLong(file.id()));
        json.writeStringField("path", file.path());
        json.writeStringField("layer", layer(file));
        json.writeNumberField("place", file.place());
        json.writeStringField("name", file.name());
        json.writeStringField("above", file.above());
        json.writeStringField("below", file.below());
        json.writeNumberField("process", file.process());
        json.writeNumberField("opened_ns", file.openedNanos());
        json.writeStringField("device", Long.toUnsignedString(file.device()));
        json.writeStringField("inode", Long.toUnsignedString(file.inode()));
        json.writeNumberField("oflags", file.oflags());
        json.writeNumberField("mode", file.mode());
        json.writeNumberField("size_bytes", file.sizeBytes());
        json.writeNumberField("page_bytes", file.pageBytes());
        json.writeNumberField("frames", file.frames());
        json.writeNumberField("cache", file.cache());
        json.writeNumberField("sample", file.sample());
        json.writeEndObject();
    }

    private static String layer(EventFile file) {
        return file.layer() == EventFormat.OF_TRACE ? "trace" : "pf";
    }

    private static String door(int door) {
        return door == EventFormat.JVM ? "jvm" : "native";
    }

    private static byte[] name(String member) {
        return (",\"" + member + "\":").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] member(EventFile file) {
        if (file == null) {
            return new byte[0];
        }
        try {
            return (",\"path\":" + MAPPER.writeValueAsString(file.path()))
                    .getBytes(StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void event(Event event) throws IOException {
        events++;
        out.text(begin).text(CsvExport.kind(event)).text("\",\"operation\":\"");
        out.text(OperationSet.name(event)).character('"');
        member(START_NS, event.startNanos());
        member(DURATION_NS, event.durationNanos());
        member(PROCESS, event.process());
        if (event.kind() == Event.Kind.DROPPED) {
            member(EVENTS, event.requested());
            out.text("}\n");
            return;
        }
        member(THREAD, event.thread());
        member(FILE, Integer.toUnsignedLong(event.file()));
        out.bytes(files.of(event.file()));
        if (event.offset() != -1) {
            member(OFFSET_BYTES, event.offset());
        }
        if (event.requested() != -1) {
            member(REQUESTED_BYTES, event.requested());
        }
        member(DELIVERED_BYTES, event.delivered());
        if (event.failed()) {
            out.text(",\"failed\":true,\"error\":\"").text(ErrnoName.of(event)).character('"');
        }
        if (event.append()) {
            out.text(",\"append\":true");
        }
        if (event.asynchronous()) {
            out.text(",\"asynchronous\":true");
        }
        if (CsvExport.hasNumber(event)) {
            out.text(",\"number\":").text(Long.toUnsignedString(event.number()));
        }
        out.text("}\n");
    }

    private void member(byte[] name, long number) throws IOException {
        out.bytes(name).number(number);
    }

    @Override
    public void close() throws IOException {
        out.text(begin).text("totals\",\"events\":").number(events).text(",\"losses\":");
        out.text(MAPPER.writeValueAsString(losses.get())).text("}\n");
        out.flush();
    }
}
