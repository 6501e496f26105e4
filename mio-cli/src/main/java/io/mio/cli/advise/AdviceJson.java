package io.mio.cli.advise;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mio.cli.simulate.Device;
import io.mio.cli.term.Json;
import io.mio.stats.TraceSnapshot;
import java.util.Locale;

/** Prints the advice for programs, as one JSON object. */
final class AdviceJson {
    private static final int FORMAT = 1;

    private AdviceJson() {}

    static String of(Advised all) {
        ObjectNode json = Json.line().createObjectNode();
        json.put("type", "mio_advise").put("format", FORMAT);
        all.events().forEach(json.putArray("events")::add);
        json.put("program", all.program());
        json.put("recorded_ns", all.recordedNanos());
        json.put("run_ns", all.runNanos());
        json.put("advised_ns", all.advisedNanos());
        json.put("speedup", all.speedup());
        json.put("mio_files", all.line());
        json.put("memory_bytes", all.memoryBytes());
        Device device = all.device();
        json.putObject("device")
                .put("source", device.source())
                .put("latency_ns", device.latencyNanos())
                .put("bandwidth_bytes_per_second", device.bytesPerSecond())
                .put("request_ns", device.requestNanos())
                .put("depth", device.depth());
        json.putArray("files");
        for (Advice each : all.files()) {
            json.withArray("/files").add(file(all, each));
        }
        all.notes().forEach(json.putArray("notes")::add);
        try {
            return Json.indented().writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode file(Advised all, Advice one) {
        FileProfile sum = one.group().sum();
        ObjectNode node = Json.line().createObjectNode();
        one.group().names().forEach(node.putArray("names")::add);
        node.put("files", sum.files);
        node.put("rule", one.chosen() == null ? null : one.chosen().rule());
        node.put("gain_ns", one.gainNanos(all.runNanos()));
        node.put("memory_bytes", one.chosen() == null ? 0 : one.chosen().memoryBytes());
        node.put("does", one.does());
        node.put("why", one.why());
        node.put("opens", sum.opens);
        node.put("reads", sum.reads);
        node.put("writes", sum.writes);
        node.put("read_bytes", sum.readBytes);
        node.put("written_bytes", sum.writtenBytes);
        node.put("request_bytes", sum.requestBytes());
        node.put("read_ns", sum.readNanos);
        node.put("write_ns", sum.writeNanos);
        node.put("other_ns", sum.otherNanos);
        node.put("waited_reads", sum.waitedReads);
        node.put("waited_ns", sum.waitedNanos);
        node.put("passes", sum.passes());
        node.put("threads", sum.threads.size());
        node.put("processes", sum.processes.size());
        ObjectNode shares = node.putObject("read_pattern_share");
        for (TraceSnapshot.Pattern pattern : TraceSnapshot.Pattern.values()) {
            shares.put(pattern.name().toLowerCase(Locale.ROOT), sum.share(pattern));
        }
        node.putArray("tried");
        for (Tried each : one.tried()) {
            node.withArray("/tried")
                    .addObject()
                    .put("rule", each.rule())
                    .put("run_ns", each.runNanos())
                    .put("memory_bytes", each.memoryBytes());
        }
        return node;
    }
}
