package io.mio.cli.events.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.mio.events.EventHeader;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;

/**
 * A timeline as JSON in Chrome's Trace Event Format, one event a line. Times are microseconds since
 * time zero, or since the first open if that was earlier, with three digits for the nanoseconds.
 * Most viewers use doubles, which would not hold these digits in times since the start of the
 * machine.
 *
 * <p>The format knows processes and threads only. So caches, and calls that overlap others, are
 * threads with numbers that no thread has.
 */
final class ChromeWriter implements TimelineWriter {
    /** First number of made-up threads, above all threads of Linux. */
    private static final long MADE_UP_THREAD = 1_000_000_000L;

    /**
     * Most nanoseconds that the first open may be before time zero. The first file is opened just
     * before its events file is made.
     */
    private static final long SHIFT_MAX = 3_600_000_000_000L;

    /** Decimals of a time in microseconds. */
    private static final int NANOS = 3;

    private final JsonGenerator json;

    private final Facts.Taker arguments =
            new Facts.Taker() {
                @Override
                public void text(String name, String value) throws IOException {
                    json.writeStringField(name, value);
                }

                @Override
                public void number(String name, long value) throws IOException {
                    json.writeNumberField(name, value);
                }
            };

    /** Nanoseconds added to all times, as viewers drop events before 0. */
    private final long shift;

    /**
     * Begins the document.
     *
     * @param earliestNanos the earliest of all times, since time zero
     */
    ChromeWriter(EventHeader header, long earliestNanos, OutputStream stream) throws IOException {
        shift = earliestNanos < 0 && earliestNanos > -SHIFT_MAX ? -earliestNanos : 0;
        // Pure ASCII can be shown on any terminal.
        json =
                JsonFactory.builder()
                        .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                        .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                        .build()
                        .createGenerator(stream);
        json.writeStartObject();
        json.writeStringField("displayTimeUnit", "ns");
        json.writeObjectFieldStart("otherData");
        json.writeStringField("program", Facts.safe(header.program()));
        json.writeStringField("host", Facts.safe(header.host()));
        json.writeStringField("library", Facts.safe(header.library()));
        json.writeNumberField("time_zero_unix_ns", header.realtimeNanos() - shift);
        json.writeNumberField("time_zero_monotonic_ns", header.monotonicNanos() - shift);
        json.writeEndObject();
        json.writeArrayFieldStart("traceEvents");
    }

    // ---- tracks

    @Override
    public void track(Track track) throws IOException {
        switch (track.kind()) {
            case PROCESS -> {
                name(track, "process_name", "name", track.name());
                name(track, "process_labels", "labels", track.about());
            }
            case THREAD -> {
                String name = track.name().isEmpty() ? "thread" : track.name();
                String more = track.row() == 0 ? "" : ", calls that overlap others";
                name(track, "thread_name", "name", name + " " + track.thread() + more);
            }
            case CACHE, NOTES -> name(track, "thread_name", "name", track.name());
            default -> {
                // Other tracks are made by their first event.
            }
        }
    }

    private void name(Track track, String what, String argument, String name) throws IOException {
        begin("M", what, track);
        json.writeObjectFieldStart("args");
        json.writeStringField(argument, name);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static long thread(Track track) {
        boolean isReal = track.kind() == Track.Kind.THREAD && track.row() == 0;
        boolean isOfProcess =
                switch (track.kind()) {
                    case PROCESS, REQUESTS, PAGE_REQUESTS, IN_FLIGHT -> true;
                    default -> false;
                };
        return isReal
                ? track.thread()
                : isOfProcess ? track.process() : MADE_UP_THREAD + track.id();
    }

    // ---- events

    @Override
    public void slice(Track track, String name, long start, long duration, Facts facts, long flow)
            throws IOException {
        boolean isRequest =
                track.kind() == Track.Kind.REQUESTS || track.kind() == Track.Kind.PAGE_REQUESTS;
        begin(isRequest ? "b" : "X", name, track);
        json.writeStringField("cat", category(track));
        if (isRequest) {
            id(track);
        }
        time("ts", start);
        if (!isRequest) {
            json.writeNumberField("dur", BigDecimal.valueOf(duration, NANOS));
        }
        arguments(facts);
        json.writeEndObject();
        if (isRequest) {
            begin("e", name, track);
            json.writeStringField("cat", category(track));
            id(track);
            time("ts", start + duration);
            json.writeEndObject();
        }
    }

    @Override
    public void instant(Track track, String name, long time, Facts facts) throws IOException {
        begin("i", name, track);
        json.writeStringField("cat", track.kind().category());
        json.writeStringField("s", track.kind() == Track.Kind.NOTES ? "p" : "t");
        time("ts", time);
        arguments(facts);
        json.writeEndObject();
    }

    @Override
    public void count(Track track, long time, long value) throws IOException {
        begin("C", track.name(), track);
        time("ts", time);
        json.writeObjectFieldStart("args");
        json.writeNumberField("requests", value);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void begin(String phase, String name, Track track) throws IOException {
        json.writeRaw('\n');
        json.writeStartObject();
        json.writeStringField("ph", phase);
        json.writeStringField("name", name);
        json.writeNumberField("pid", track.process());
        json.writeNumberField("tid", thread(track));
    }

    /** Returns the category; viewers show requests of one category together. */
    private static String category(Track track) {
        boolean isRequest = track.kind() == Track.Kind.REQUESTS;
        return isRequest ? track.name() : track.kind().category();
    }

    /** Writes the id that is common to requests of this process that follow one another. */
    private void id(Track track) throws IOException {
        json.writeObjectFieldStart("id2");
        json.writeStringField("local", "0x" + Long.toHexString(track.id()));
        json.writeEndObject();
    }

    private void time(String field, long nanos) throws IOException {
        long shifted = nanos > Long.MAX_VALUE - shift ? Long.MAX_VALUE : nanos + shift;
        json.writeNumberField(field, BigDecimal.valueOf(Math.max(0, shifted), NANOS));
    }

    private void arguments(Facts facts) throws IOException {
        json.writeObjectFieldStart("args");
        facts.to(arguments);
        json.writeEndObject();
    }

    @Override
    public void end() throws IOException {
        json.writeRaw('\n');
        json.writeEndArray();
        json.writeEndObject();
        json.writeRaw('\n');
        json.close();
    }
}
