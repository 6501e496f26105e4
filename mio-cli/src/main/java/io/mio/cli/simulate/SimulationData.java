package io.mio.cli.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mio.cli.term.Json;
import java.util.List;
import java.util.StringJoiner;

/** Prints a simulation for programs: as JSON, or as CSV with the same names. */
public final class SimulationData {
    private static final int FORMAT = 1;

    private SimulationData() {}

    /** The simulation as one JSON object on several lines. */
    public static String json(Simulation all) {
        ObjectNode json = Json.line().createObjectNode();
        json.put("type", "mio_simulate").put("format", FORMAT);
        json.put("events", all.events());
        json.put("program", all.header().program());
        json.put("recorded_with_cache", all.cached());
        json.put("recorded_ns", all.recordedNanos());
        json.put("transfers", all.transfers());
        Device device = all.device();
        json.putObject("device")
                .put("source", device.source())
                .put("latency_ns", device.latencyNanos())
                .put("bandwidth_bytes_per_second", device.bytesPerSecond())
                .put("request_ns", device.requestNanos())
                .put("depth", device.depth())
                .put("call_ns", device.callNanos())
                .put("kernel_call_ns", device.kernelNanos())
                .put("copy_bytes_per_second", device.copyBytesPerSecond());
        for (Outcome one : all.outcomes()) {
            json.withArray("/configurations").add(node(one));
        }
        all.notes().forEach(json.putArray("notes")::add);
        try {
            return Json.indented().writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode node(Outcome one) {
        ObjectNode node = Json.line().createObjectNode();
        node.put("configuration", one.rule().text());
        known(node, "time_ns", one.timeNanos());
        known(node, "stall_ns", one.stallNanos());
        known(node, "stalls", one.stalls());
        node.put("memory_bytes", one.memoryBytes());
        ObjectNode counts =
                Json.line().valueToTree(one.counts() == null ? new PageCounts() : one.counts());
        if (one.counts() == null) {
            // Without a cache there is nothing to count: the names stay, without values.
            counts.properties().forEach(each -> each.setValue(NullNode.getInstance()));
        }
        node.setAll(counts);
        Outcome.Best best = one.best();
        known(node, "best_fetches", best == null ? -1 : best.fetches());
        known(node, "best_read_bytes", best == null ? -1 : best.readBytes());
        if (best == null || best.hitShare() < 0) {
            node.putNull("best_hit_share");
        } else {
            node.put("best_hit_share", best.hitShare());
        }
        known(node, "best_ns", one.bestNanos());
        node.put("memory_taken_bytes", one.takenBytes());
        return node;
    }

    private static void known(ObjectNode node, String name, long value) {
        if (value < 0) {
            node.putNull(name);
        } else {
            node.put(name, value);
        }
    }

    /** The configurations as CSV: a line of names, and a line for each configuration. */
    public static String csv(Simulation all) {
        StringBuilder text = new StringBuilder();
        List<Outcome> outcomes = all.outcomes();
        for (int i = 0; i < outcomes.size(); i++) {
            ObjectNode node = node(outcomes.get(i));
            if (i == 0) {
                StringJoiner names = new StringJoiner(",");
                node.fieldNames().forEachRemaining(names::add);
                text.append(names).append('\n');
            }
            StringJoiner row = new StringJoiner(",");
            node.properties().forEach(each -> row.add(cell(each.getValue())));
            text.append(row).append('\n');
        }
        return text.toString();
    }

    private static String cell(JsonNode value) {
        String text = value.isNull() ? "" : value.asText();
        return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
