package io.mio.cli.events.export;

import static io.mio.cli.events.export.PerfettoFields.*;

import com.google.protobuf.CodedOutputStream;
import io.mio.events.EventHeader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * A timeline as Perfetto's trace: packets of one sequence, with track descriptors and track events.
 *
 * <p>Packets are in the order in which slices are found, the beginning and the end of a slice
 * together; readers sort them by time, and leave those of one time in the order of the file. Times
 * are those of the monotonic clock; the snapshot at time zero tells what they are on the clock of
 * the day.
 *
 * <p>A text is written once and then referred to by number. The texts that have a number are
 * bounded: from time to time the sequence forgets them all.
 */
final class PerfettoWriter implements TimelineWriter {
    private static final int INTERNED_MAX = 8192;
    private static final int SEQUENCE_ID = 1;

    private final CodedOutputStream out;
    private final EventHeader header;
    private final int internedMax;

    /** Ids by field of InternedData and text; an id is unique over all fields. */
    private final Map<Integer, Map<String, Integer>> interned = new HashMap<>();

    private int internedIds;

    private final ProtoMessage packet = new ProtoMessage();
    private final ProtoMessage event = new ProtoMessage();
    private final ProtoMessage part = new ProtoMessage();
    private final ProtoMessage texts = new ProtoMessage();
    private final ProtoMessage text = new ProtoMessage();

    private final Facts.Taker annotations =
            new Facts.Taker() {
                @Override
                public void text(String name, String value) throws IOException {
                    int nameId = id(INTERNED_ANNOTATIONS, name);
                    int textId = id(INTERNED_TEXTS, value);
                    part.begin()
                            .number(ANNOTATION_NAME_ID, nameId)
                            .number(ANNOTATION_TEXT_ID, textId);
                    event.message(EVENT_ANNOTATION, part);
                }

                @Override
                public void number(String name, long value) throws IOException {
                    int nameId = id(INTERNED_ANNOTATIONS, name);
                    part.begin().number(ANNOTATION_NAME_ID, nameId).number(ANNOTATION_INT, value);
                    event.message(EVENT_ANNOTATION, part);
                }
            };

    PerfettoWriter(EventHeader header, OutputStream stream) throws IOException {
        this(header, stream, INTERNED_MAX);
    }

    PerfettoWriter(EventHeader header, OutputStream stream, int internedMax) throws IOException {
        this.header = header;
        this.out = CodedOutputStream.newInstance(stream, 1 << 16);
        this.internedMax = internedMax;
        clocks();
        forget();
    }

    private void clocks() throws IOException {
        event.begin();
        part.begin().number(CLOCK_ID, MONOTONIC).number(CLOCK_TIMESTAMP, time(0));
        event.message(CLOCKS, part);
        part.begin()
                .number(CLOCK_ID, REALTIME)
                .number(CLOCK_TIMESTAMP, Math.max(0, header.realtimeNanos()));
        event.message(CLOCKS, part).number(PRIMARY_CLOCK, MONOTONIC);
        packet.begin().number(SEQUENCE, SEQUENCE_ID).message(CLOCK_SNAPSHOT, event);
        packet.to(out, TRACE_PACKET);
    }

    /** Forgets all texts, which are written anew from now on. */
    private void forget() throws IOException {
        interned.clear();
        internedIds = 0;
        part.begin().number(DEFAULT_CLOCK, MONOTONIC);
        packet.begin()
                .number(SEQUENCE, SEQUENCE_ID)
                .number(SEQUENCE_FLAGS, FLAG_CLEARED)
                .message(DEFAULTS, part);
        packet.to(out, TRACE_PACKET);
    }

    /** Returns a time that the format takes, not before the clock began. */
    private long time(long nanos) {
        long zero = Math.max(0, header.monotonicNanos());
        if (nanos > Long.MAX_VALUE - zero) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, zero + nanos);
    }

    // ---- tracks

    @Override
    public void track(Track track) throws IOException {
        event.begin().number(TRACK_UUID, track.id());
        if (track.parent() != null) {
            event.number(TRACK_PARENT, track.parent().id());
        }
        switch (track.kind()) {
            case PROCESS -> {
                part.begin().number(PROCESS_PID, pid(track.process()));
                if (!track.name().isEmpty()) {
                    part.text(PROCESS_NAME, track.name());
                }
                event.message(TRACK_PROCESS, part).text(TRACK_DESCRIPTION, track.about());
            }
            case THREAD -> thread(track);
            case IN_FLIGHT -> {
                part.begin().number(COUNTER_UNIT, UNIT_COUNT);
                event.text(TRACK_NAME, track.name()).message(TRACK_COUNTER, part);
            }
            default -> event.text(TRACK_NAME, track.name());
        }
        packet.begin().number(SEQUENCE, SEQUENCE_ID).message(TRACK_DESCRIPTOR, event);
        packet.to(out, TRACE_PACKET);
    }

    private void thread(Track track) throws IOException {
        if (track.row() > 0) {
            event.text(TRACK_NAME, "calls that overlap others");
            return;
        }
        part.begin().number(THREAD_PID, pid(track.process())).number(THREAD_TID, tid(track));
        if (!track.name().isEmpty()) {
            part.text(THREAD_NAME, track.name());
        }
        event.message(TRACK_THREAD, part);
    }

    /** Returns a positive int32, which the number of a process is on every Linux. */
    private static long pid(long process) {
        return process & Integer.MAX_VALUE;
    }

    private static long tid(Track track) {
        return track.thread() & Integer.MAX_VALUE;
    }

    // ---- events

    @Override
    public void slice(Track track, String name, long start, long duration, Facts facts, long flow)
            throws IOException {
        begin(track, TYPE_BEGIN, name);
        if (flow != 0) {
            event.fixed(EVENT_FLOW, flow);
        }
        facts.to(annotations);
        put(start);
        event.begin().number(EVENT_TYPE, TYPE_END).number(EVENT_TRACK, track.id());
        texts.begin();
        put(start + duration);
    }

    @Override
    public void instant(Track track, String name, long time, Facts facts) throws IOException {
        begin(track, TYPE_INSTANT, name);
        facts.to(annotations);
        put(time);
    }

    @Override
    public void count(Track track, long time, long value) throws IOException {
        event.begin()
                .number(EVENT_TYPE, TYPE_COUNTER)
                .number(EVENT_TRACK, track.id())
                .number(EVENT_COUNT, value);
        texts.begin();
        put(time);
    }

    private void begin(Track track, int type, String name) throws IOException {
        if (internedIds > internedMax) {
            forget();
        }
        texts.begin();
        event.begin()
                .number(EVENT_TYPE, type)
                .number(EVENT_TRACK, track.id())
                .number(EVENT_CATEGORY_ID, id(INTERNED_CATEGORIES, track.kind().category()))
                .number(EVENT_NAME_ID, id(INTERNED_NAMES, name));
    }

    private int id(int kind, String value) throws IOException {
        Map<String, Integer> ids = interned.computeIfAbsent(kind, none -> new HashMap<>());
        Integer known = ids.get(value);
        if (known != null) {
            return known;
        }
        int id = ++internedIds;
        ids.put(value, id);
        text.begin().number(INTERNED_ID, id).text(INTERNED_TEXT, value);
        texts.message(kind, text);
        return id;
    }

    private void put(long nanos) throws IOException {
        packet.begin().number(TIMESTAMP, time(nanos)).number(SEQUENCE, SEQUENCE_ID);
        if (!texts.isEmpty()) {
            packet.message(INTERNED_DATA, texts);
        }
        packet.number(SEQUENCE_FLAGS, FLAG_NEEDED).message(TRACK_EVENT, event);
        packet.to(out, TRACE_PACKET);
    }

    @Override
    public void end() throws IOException {
        out.flush();
    }
}
