package io.mio.cli.events.export;

/**
 * Numbers of fields in Perfetto's trace format, as in its {@code perfetto_trace.proto}, where they
 * never change.
 */
final class PerfettoFields {
    static final int TRACE_PACKET = 1;

    // TracePacket
    static final int CLOCK_SNAPSHOT = 6;
    static final int TIMESTAMP = 8;
    static final int SEQUENCE = 10;
    static final int TRACK_EVENT = 11;
    static final int INTERNED_DATA = 12;
    static final int SEQUENCE_FLAGS = 13;
    static final int DEFAULTS = 59;
    static final int TRACK_DESCRIPTOR = 60;
    static final int FLAG_CLEARED = 1;
    static final int FLAG_NEEDED = 2;

    // ClockSnapshot, its Clock, and the clocks; TracePacketDefaults
    static final int CLOCKS = 1;
    static final int PRIMARY_CLOCK = 2;
    static final int CLOCK_ID = 1;
    static final int CLOCK_TIMESTAMP = 2;
    static final int REALTIME = 1;
    static final int MONOTONIC = 3;
    static final int DEFAULT_CLOCK = 58;

    // TrackDescriptor, ProcessDescriptor, ThreadDescriptor, CounterDescriptor
    static final int TRACK_UUID = 1;
    static final int TRACK_NAME = 2;
    static final int TRACK_PROCESS = 3;
    static final int TRACK_THREAD = 4;
    static final int TRACK_PARENT = 5;
    static final int TRACK_COUNTER = 8;
    static final int TRACK_DESCRIPTION = 14;
    static final int PROCESS_PID = 1;
    static final int PROCESS_NAME = 6;
    static final int THREAD_PID = 1;
    static final int THREAD_TID = 2;
    static final int THREAD_NAME = 5;
    static final int COUNTER_UNIT = 3;
    static final int UNIT_COUNT = 2;

    // TrackEvent
    static final int EVENT_CATEGORY_ID = 3;
    static final int EVENT_ANNOTATION = 4;
    static final int EVENT_TYPE = 9;
    static final int EVENT_NAME_ID = 10;
    static final int EVENT_TRACK = 11;
    static final int EVENT_COUNT = 30;
    static final int EVENT_FLOW = 47;
    static final int TYPE_BEGIN = 1;
    static final int TYPE_END = 2;
    static final int TYPE_INSTANT = 3;
    static final int TYPE_COUNTER = 4;

    // DebugAnnotation
    static final int ANNOTATION_NAME_ID = 1;
    static final int ANNOTATION_INT = 4;
    static final int ANNOTATION_TEXT_ID = 17;

    // InternedData, and what is in it: EventCategory, EventName, DebugAnnotationName,
    // InternedString
    static final int INTERNED_CATEGORIES = 1;
    static final int INTERNED_NAMES = 2;
    static final int INTERNED_ANNOTATIONS = 3;
    static final int INTERNED_TEXTS = 29;
    static final int INTERNED_ID = 1;
    static final int INTERNED_TEXT = 2;

    private PerfettoFields() {}
}
