package io.mio.cli.events;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.mio.cli.term.Json;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventLosses;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The summary as one JSON object; docs/commands/events.md describes the members. */
final class SummaryJson {
    private static final int FORMAT = 1;

    private SummaryJson() {}

    /**
     * Returns the text.
     *
     * @param top most files, sorted by time
     */
    static String text(Summary summary, EventReader reader, EventLosses losses, int top) {
        try {
            return Json.indented().writeValueAsString(json(summary, reader, losses, top));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> json(
            Summary summary, EventReader reader, EventLosses losses, int top) {
        EventHeader header = reader.header();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "mio_events_summary");
        json.put("format", FORMAT);
        json.put("program", header.program());
        json.put("host", header.host());
        json.put("library", header.library());
        json.put("process", header.process());
        json.put("door", header.door() == EventFormat.JVM ? "jvm" : "native");
        json.put("zero_realtime_ns", header.realtimeNanos());
        json.put("processes", reader.processes().size());
        json.put("events", summary.events());
        json.put("first_ns", summary.firstNanos());
        json.put("span_ns", summary.spanNanos());
        json.put("lost_events", summary.lost());
        json.put("losses", losses);
        List<Object> files = new ArrayList<>();
        String last = null;
        int names = 0;
        for (LayerFigures one : summary.files()) {
            names += one.path.equals(last) ? 0 : 1;
            last = one.path;
            if (one.events > 0 && names <= top) {
                files.add(figures(one));
            }
        }
        json.put("files", files);
        json.put("layers", summary.layers().stream().map(SummaryJson::figures).toList());
        return json;
    }

    private static Map<String, Object> figures(LayerFigures one) {
        Map<String, Object> json = new LinkedHashMap<>();
        if (!one.path.isEmpty()) {
            json.put("file", one.path);
        }
        json.put("layer", one.layer);
        json.put("place", one.place);
        json.put("events", one.events);
        json.put("errors", one.errors);
        if (one.pages) {
            pages(one, json);
        } else {
            calls(one, json);
        }
        return json;
    }

    private static void calls(LayerFigures one, Map<String, Object> json) {
        json.put("opens", one.opens);
        json.put("reads", one.reads);
        json.put("writes", one.writes);
        json.put("read_bytes", one.readBytes);
        json.put("written_bytes", one.writtenBytes);
        json.put("requested_bytes", one.requestedBytes);
        json.put("other_calls", one.otherCalls);
        json.put("other_ns", one.otherNanos);
        json.put("io_ns", one.ioNanos);
        json.put("busy_ns", one.busy.nanos());
        known(json, "rate_bytes_per_second", one.rate());
        known(json, "mean_request_bytes", one.meanRequest());
        if (one.latencies.count() > 0) {
            json.put("p50_ns", one.latencies.quantile(0.5));
            json.put("p90_ns", one.latencies.quantile(0.9));
            json.put("p99_ns", one.latencies.quantile(0.99));
            json.put("max_ns", one.latencies.max());
        }
        json.put("sampled", one.sampled);
        if (!one.sampled) {
            for (TraceSnapshot.Pattern pattern : TraceSnapshot.Pattern.values()) {
                json.put(
                        pattern.name().toLowerCase(Locale.ROOT) + "_bytes",
                        one.patternBytes[pattern.ordinal()]);
            }
        }
    }

    private static void pages(LayerFigures one, Map<String, Object> json) {
        for (PageOperation operation : PageOperation.values()) {
            json.put(
                    OperationSet.name(operation).replace('-', '_') + "_pages",
                    one.count(operation));
        }
        known(json, "hit_share", one.hitShare());
        json.put("wait_ns", one.waitNanos);
        json.put("page_read_bytes", one.pageReadBytes);
        json.put("page_written_bytes", one.pageWrittenBytes);
    }

    private static void known(Map<String, Object> json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, value);
        }
    }
}
