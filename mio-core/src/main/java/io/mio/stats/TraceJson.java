package io.mio.stats;

/** The JSON object of a trace block; its members are specified in docs/format/stats.md. */
final class TraceJson {
    private TraceJson() {}

    static void write(JsonText json, TraceSnapshot trace) {
        json.put("file", trace.file())
                .put("above", trace.above())
                .put("below", trace.below())
                .put("unit", trace.unit().label())
                .put("opened_ns", trace.openedNanos())
                .put("now_ns", trace.nowNanos())
                .put("total_bytes", trace.totalBytes())
                .put("transfer_ns", trace.transferNanos())
                .put("current_size_bytes", trace.currentSize())
                .put("max_size_bytes", trace.maxSize())
                .put("mode", trace.mode() < 0 ? null : "0" + Integer.toOctalString(trace.mode()))
                .put("file_system_type", trace.fileSystemType())
                .put("sector_bytes", trace.sectorBytes())
                .put("oflags", "0x" + Integer.toHexString(trace.oflags()))
                .put("oflag_names", trace.oflagNames());
        if (trace.direct()) {
            json.put("ill_formed", trace.illFormed()).put("misaligned", trace.misaligned());
        }
        JsonText operations = new JsonText();
        for (TraceOperation operation : TraceOperation.values()) {
            OperationStats one = trace.of(operation);
            if (one.count() > 0 || one.errors() > 0) {
                operations.put(operation.label(), operation(operation, one, trace));
            }
        }
        json.put("operations", operations).put("size_extensions", trace.extensions());
        distributions(json, trace.distributions());
    }

    private static JsonText operation(
            TraceOperation operation, OperationStats one, TraceSnapshot trace) {
        JsonText json = new JsonText().put("count", one.count()).put("ns", one.nanos());
        if (operation.isTransfer()) {
            json.put("requested_bytes", one.requested())
                    .put("delivered_bytes", one.delivered())
                    .put("smallest_bytes", one.smallest())
                    .put("largest_bytes", one.largest());
        }
        if (operation.isAsynchronous()) {
            json.put("suspends", one.suspends()).put("suspend_ns", one.suspendNanos());
        }
        if (operation == TraceOperation.SEEK) {
            json.put("delta_bytes", trace.seekDelta())
                    .put("average_delta_bytes", trace.averageSeekDelta());
        }
        if (one.errors() > 0) {
            json.put("errors", one.errors());
        }
        return json;
    }

    private static void distributions(JsonText json, TraceSnapshot.Distributions all) {
        json.put("read_ns_histogram", all.readNanos())
                .put("write_ns_histogram", all.writeNanos())
                .put("read_bytes_histogram", all.readBytes())
                .put("write_bytes_histogram", all.writeBytes());
        JsonText patterns = new JsonText();
        TraceSnapshot.Pattern[] names = TraceSnapshot.Pattern.values();
        for (int i = 0; i < names.length; i++) {
            patterns.put(
                    names[i].name().toLowerCase(java.util.Locale.ROOT) + "_bytes",
                    all.patternBytes()[i]);
        }
        json.put("patterns", patterns)
                .put("activity_bin_ns", all.activityBinNanos())
                .put("activity_read_bytes", all.activityRead())
                .put("activity_written_bytes", all.activityWritten())
                .put("errors", all.errors());
    }
}
