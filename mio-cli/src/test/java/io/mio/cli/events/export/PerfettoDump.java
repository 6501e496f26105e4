package io.mio.cli.events.export;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** A Perfetto trace as text with the names of its fields, by the numbers of the real schema. */
final class PerfettoDump {
    /** Key: message and field number. Value: name, and message of the field if it is one. */
    private static final Map<String, String> SCHEMA = new TreeMap<>();

    static {
        message("Trace", "1 packet TracePacket");
        message(
                "TracePacket",
                "6 clock_snapshot ClockSnapshot",
                "8 timestamp",
                "10 trusted_packet_sequence_id",
                "11 track_event TrackEvent",
                "12 interned_data InternedData",
                "13 sequence_flags",
                "59 trace_packet_defaults TracePacketDefaults",
                "60 track_descriptor TrackDescriptor");
        message("ClockSnapshot", "1 clocks Clock", "2 primary_trace_clock");
        message("Clock", "1 clock_id", "2 timestamp");
        message("TracePacketDefaults", "58 timestamp_clock_id");
        message(
                "TrackDescriptor",
                "1 uuid",
                "2 name text",
                "3 process ProcessDescriptor",
                "4 thread ThreadDescriptor",
                "5 parent_uuid",
                "8 counter CounterDescriptor",
                "14 description text");
        message("ProcessDescriptor", "1 pid", "6 process_name text");
        message("ThreadDescriptor", "1 pid", "2 tid", "5 thread_name text");
        message("CounterDescriptor", "3 unit");
        message(
                "TrackEvent",
                "3 category_iids",
                "4 debug_annotations DebugAnnotation",
                "9 type",
                "10 name_iid",
                "11 track_uuid",
                "30 counter_value",
                "47 flow_ids");
        message("DebugAnnotation", "1 name_iid", "4 int_value", "17 string_value_iid");
        message(
                "InternedData",
                "1 event_categories Interned",
                "2 event_names Interned",
                "3 debug_annotation_names Interned",
                "29 debug_annotation_string_values Interned");
        message("Interned", "1 iid", "2 name text");
    }

    private PerfettoDump() {}

    private static void message(String name, String... fields) {
        for (String field : fields) {
            String[] words = field.split(" ", 2);
            SCHEMA.put(name + " " + words[0], words[1]);
        }
    }

    /** Shows a trace, one line for each packet. */
    static String of(byte[] trace) throws IOException {
        StringBuilder out = new StringBuilder();
        CodedInputStream in = CodedInputStream.newInstance(trace);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag != (1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED)) {
                throw new IOException("no packet but " + tag);
            }
            out.append(packet(in.readByteArray())).append('\n');
        }
        return out.toString();
    }

    /** Shows one packet. */
    private static String packet(byte[] packet) throws IOException {
        StringBuilder out = new StringBuilder();
        message("TracePacket", packet, out);
        return out.toString();
    }

    private static void message(String name, byte[] bytes, StringBuilder out) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        String between = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            String field = SCHEMA.get(name + " " + WireFormat.getTagFieldNumber(tag));
            if (field == null) {
                throw new IOException(name + " has no field " + tag);
            }
            String[] words = field.split(" ");
            out.append(between).append(words[0]);
            between = " ";
            switch (WireFormat.getTagWireType(tag)) {
                case WireFormat.WIRETYPE_VARINT -> out.append(": ").append(in.readInt64());
                case WireFormat.WIRETYPE_FIXED64 ->
                        out.append(": ").append(Long.toHexString(in.readFixed64()));
                default -> {
                    if (words[1].equals("text")) {
                        out.append(": \"").append(in.readStringRequireUtf8()).append('"');
                    } else {
                        out.append(" {");
                        message(words[1], in.readByteArray(), out);
                        out.append('}');
                    }
                }
            }
        }
    }
}
