package io.mio.cli.stats;

import static io.mio.cli.stats.JsonMembers.array;
import static io.mio.cli.stats.JsonMembers.count;
import static io.mio.cli.stats.JsonMembers.file;
import static io.mio.cli.stats.JsonMembers.object;
import static io.mio.cli.stats.JsonMembers.signed;
import static io.mio.cli.stats.JsonMembers.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.mio.cli.AutoBlock.Decision;
import io.mio.cli.PlanBlock;
import io.mio.cli.stats.JsonMembers.Wrong;
import io.mio.stats.LineText;
import io.mio.stats.TraceOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes counts of the blocks of JSON lines. A block is a mistake and left out if a figure cannot be
 * one, such as a negative count, or if a member has the wrong type. A missing figure is unknown.
 */
final class JsonBlocks {
    private static final int FORMAT = 1;
    private static final int DEPTH_MAX = 32;
    private static final int BINS_MAX = 64;
    private static final int KINDS_MAX = 1000;
    private static final int DECISIONS_MAX = 1000;

    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            com.fasterxml.jackson.core.JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(DEPTH_MAX)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private static final Map<String, Counter> PF_MEMBERS =
            Map.ofEntries(
                    Map.entry("pages", Counter.CACHE_PAGES),
                    Map.entry("page_bytes", Counter.PAGE_BYTES),
                    Map.entry("not_preread", Counter.NOT_PREREAD),
                    Map.entry("not_preread_for_write", Counter.NOT_PREREAD_FOR_WRITE),
                    Map.entry("unused_prefetches", Counter.UNUSED_PREFETCHES),
                    Map.entry("started_prefetches", Counter.STARTED_PREFETCHES),
                    Map.entry("distance_pages", Counter.DISTANCE_PAGES),
                    Map.entry("write_behinds", Counter.WRITE_BEHINDS),
                    Map.entry("forced_syncs", Counter.FORCED_SYNCS),
                    Map.entry("retained_pages", Counter.RETAINED_PAGES),
                    Map.entry("hits", Counter.HITS),
                    Map.entry("misses", Counter.MISSES),
                    Map.entry("partial_reads", Counter.PARTIAL_READS),
                    Map.entry("prefetch_waits", Counter.PREFETCH_WAITS),
                    Map.entry("prefetch_wait_ns", Counter.PREFETCH_WAIT_NS),
                    Map.entry("evictions", Counter.EVICTIONS),
                    Map.entry("dirty_evictions", Counter.DIRTY_EVICTIONS),
                    Map.entry("write_errors", Counter.WRITE_ERRORS),
                    Map.entry("streams", Counter.STREAMS),
                    Map.entry("gate_waits", Counter.GATE_WAITS),
                    Map.entry("gate_wait_ns", Counter.GATE_WAIT_NS));

    private final BlockSink sink;

    JsonBlocks(BlockSink sink) {
        this.sink = sink;
    }

    /**
     * Takes one line.
     *
     * @return whether the line is of a report, and not the program's own
     */
    boolean line(String line) {
        boolean isOfReport = false;
        try {
            JsonNode json = MAPPER.readTree(line);
            if (!json.isObject()) {
                throw new Wrong("no JSON object");
            }
            isOfReport = json.has("type") && json.has("format");
            take(json);
        } catch (JsonProcessingException e) {
            // Behind the bracket the message names a place in a source that the user does not know.
            String what = e.getOriginalMessage().split(" ?[(\n]", 2)[0];
            sink.mistake("broken JSON: " + Names.limited(what));
        } catch (Wrong e) {
            sink.mistake(e.getMessage());
        }
        return isOfReport;
    }

    private void take(JsonNode json) throws Wrong {
        String type = text(json, "type");
        long format = count(json, "format");
        if (type.isEmpty()) {
            throw new Wrong("no 'type': not a line of a MIO report");
        }
        if (format != FORMAT) {
            throw new Wrong(
                    "format "
                            + (format < 0 ? "is missing" : format)
                            + "; this mio reads format "
                            + FORMAT);
        }
        long pid = count(json, "pid");
        switch (type) {
            case "header" ->
                    sink.start(
                            new BlockSink.Start(
                                    pid,
                                    text(json, "program"),
                                    text(json, "host"),
                                    text(json, "engine")));
            case "trace" -> sink.trace(trace(json, pid));
            case "pf" -> sink.pf(pf(json, pid));
            case "auto" -> sink.auto(auto(json, pid));
            case "recov" -> sink.recov(pid, file(json), "failure".equals(text(json, "event")));
            default -> {
                // Debug lines, and lines that a later version adds.
            }
        }
    }

    private static BlockSink.Trace trace(JsonNode json, long pid) throws Wrong {
        String file = file(json);
        if (file == null) {
            throw new Wrong("a trace block without 'file'");
        }
        Counts counts = Counts.traceBlock();
        counts.set(Counter.OPENS, 1)
                .set(Counter.IO_NS, count(json, "transfer_ns"))
                .set(Counter.MAX_SIZE_BYTES, count(json, "max_size_bytes"))
                .set(Counter.EXTENSIONS, count(json, "size_extensions"))
                // The writer has these only for files opened for direct I/O; others have no such
                // request.
                .set(Counter.ILL_FORMED, json.has("ill_formed") ? count(json, "ill_formed") : 0)
                .set(Counter.MISALIGNED, json.has("misaligned") ? count(json, "misaligned") : 0);
        JsonNode operations = object(json, "operations");
        if (operations.isObject()) {
            operations(counts, operations);
        }
        patterns(counts, object(json, "patterns"));
        errors(counts, object(json, "errors"));
        for (int i = 0; i < Counts.HISTOGRAMS.length; i++) {
            JsonNode histogram = array(json, Counts.HISTOGRAMS[i]);
            if (histogram.isArray()) {
                counts.setHistogram(i, histogram(Counts.HISTOGRAMS[i], histogram));
            }
        }
        return new BlockSink.Trace(
                pid,
                event(json),
                file,
                LineText.of(text(json, "above")),
                LineText.of(text(json, "below")),
                Long.toString(count(json, "opened_ns")),
                count(json, "now_ns"),
                counts);
    }

    /** Sets the operations. The writer leaves out those that did not happen, so they are zero. */
    private static void operations(Counts counts, JsonNode all) throws Wrong {
        for (Counter zero :
                new Counter[] {
                    Counter.READS,
                    Counter.WRITES,
                    Counter.READ_BYTES,
                    Counter.WRITTEN_BYTES,
                    Counter.READ_REQUESTED_BYTES,
                    Counter.WRITE_REQUESTED_BYTES,
                    Counter.LARGEST_READ_BYTES,
                    Counter.LARGEST_WRITE_BYTES,
                    Counter.READ_NS,
                    Counter.WRITE_NS,
                    Counter.SUSPENDS,
                    Counter.SUSPEND_NS,
                    Counter.SEEKS,
                    Counter.SEEK_NS,
                    Counter.FSYNCS,
                    Counter.FSYNC_NS,
                    Counter.OPEN_NS,
                    Counter.CLOSE_NS
                }) {
            counts.set(zero, 0);
        }
        counts.set(Counter.SMALLEST_READ_BYTES, Counts.NO_REQUEST)
                .set(Counter.SMALLEST_WRITE_BYTES, Counts.NO_REQUEST);
        for (TraceOperation operation : TraceOperation.values()) {
            JsonNode one = object(all, operation.label());
            if (!one.isObject()) {
                continue;
            }
            if (operation.isTransfer()) {
                transfer(counts, operation, one);
            } else {
                timed(counts, operation, one);
            }
        }
    }

    private static void transfer(Counts counts, TraceOperation operation, JsonNode one)
            throws Wrong {
        boolean write = operation.isWrite();
        long calls = count(one, "count");
        add(counts, write ? Counter.WRITES : Counter.READS, calls);
        add(
                counts,
                write ? Counter.WRITTEN_BYTES : Counter.READ_BYTES,
                count(one, "delivered_bytes"));
        add(
                counts,
                write ? Counter.WRITE_REQUESTED_BYTES : Counter.READ_REQUESTED_BYTES,
                count(one, "requested_bytes"));
        Counter nanos = write ? Counter.WRITE_NS : Counter.READ_NS;
        add(counts, nanos, count(one, "ns"));
        if (operation.isAsynchronous()) {
            long suspendNanos = count(one, "suspend_ns");
            add(counts, nanos, suspendNanos);
            add(counts, Counter.SUSPEND_NS, suspendNanos);
            add(counts, Counter.SUSPENDS, count(one, "suspends"));
        }
        if (calls > 0) {
            Counter smallest = write ? Counter.SMALLEST_WRITE_BYTES : Counter.SMALLEST_READ_BYTES;
            Counter largest = write ? Counter.LARGEST_WRITE_BYTES : Counter.LARGEST_READ_BYTES;
            long before = counts.has(smallest) ? counts.get(smallest) : Counts.NO_REQUEST;
            counts.set(smallest, Math.min(before, count(one, "smallest_bytes")));
            counts.set(largest, Math.max(counts.get(largest), count(one, "largest_bytes")));
        }
    }

    private static void timed(Counts counts, TraceOperation operation, JsonNode one) throws Wrong {
        long nanos = count(one, "ns");
        switch (operation) {
            case SEEK -> {
                counts.set(Counter.SEEKS, count(one, "count")).set(Counter.SEEK_NS, nanos);
                counts.setSeekDelta(signed(one, "delta_bytes"));
            }
            case FSYNC ->
                    counts.set(Counter.FSYNCS, count(one, "count")).set(Counter.FSYNC_NS, nanos);
            case OPEN -> counts.set(Counter.OPEN_NS, nanos);
            case CLOSE -> counts.set(Counter.CLOSE_NS, nanos);
            default -> {
                // Other operations are not added up.
            }
        }
    }

    private static void add(Counts counts, Counter counter, long value) {
        counts.set(counter, Counts.add(counts.get(counter), value));
    }

    private static void patterns(Counts counts, JsonNode patterns) throws Wrong {
        counts.set(Counter.SEQUENTIAL_BYTES, count(patterns, "sequential_bytes"))
                .set(Counter.BACKWARD_BYTES, count(patterns, "backward_bytes"))
                .set(Counter.STRIDED_BYTES, count(patterns, "strided_bytes"))
                .set(Counter.RANDOM_BYTES, count(patterns, "random_bytes"));
    }

    private static void errors(Counts counts, JsonNode errors) throws Wrong {
        if (!errors.isObject()) {
            return;
        }
        if (errors.size() > KINDS_MAX) {
            throw new Wrong("more than " + KINDS_MAX + " kinds of errors");
        }
        Map<String, Long> kinds = new TreeMap<>();
        long sum = 0;
        for (Map.Entry<String, JsonNode> entry : errors.properties()) {
            long count = count(entry.getKey(), entry.getValue());
            kinds.put(Names.limited(LineText.of(entry.getKey())), count);
            sum = Counts.add(sum, count);
        }
        counts.setErrorKinds(kinds);
        counts.set(Counter.ERRORS, sum);
    }

    private static long[] histogram(String member, JsonNode array) throws Wrong {
        if (array.size() > BINS_MAX) {
            throw new Wrong("a histogram of more than " + BINS_MAX + " numbers");
        }
        long[] counts = new long[array.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = count(member, array.get(i));
        }
        return counts;
    }

    private static BlockSink.Pf pf(JsonNode json, long pid) throws Wrong {
        Counts counts = Counts.pfBlock();
        for (Map.Entry<String, Counter> member : PF_MEMBERS.entrySet()) {
            counts.set(member.getValue(), count(json, member.getKey()));
        }
        JsonNode program = object(json, "program");
        JsonNode child = object(json, "child");
        counts.set(Counter.PF_WRITES, count(program, "writes"))
                .set(Counter.PF_WRITTEN_BYTES, count(program, "written_bytes"))
                .set(Counter.PF_READS, count(program, "reads"))
                .set(Counter.PF_READ_BYTES, count(program, "read_bytes"))
                .set(Counter.PAGE_WRITES, count(child, "writes"))
                .set(Counter.PAGE_WRITTEN_BYTES, count(child, "written_bytes"))
                .set(Counter.PAGE_READS, count(child, "reads"))
                .set(Counter.PAGE_READ_BYTES, count(child, "read_bytes"));
        boolean ofCache = "cache".equals(text(json, "of"));
        String file = file(json);
        if (file == null && !ofCache) {
            throw new Wrong("a pf block without 'file'");
        }
        JsonNode plan = object(json, "plan");
        return new BlockSink.Pf(
                pid,
                event(json),
                ofCache ? null : file,
                text(json, "tag"),
                counts,
                plan.isMissingNode() ? null : plan(plan));
    }

    private static PlanBlock plan(JsonNode json) throws Wrong {
        return limited(
                new PlanBlock(
                        text(json, "state"),
                        text(json, "reason"),
                        count(json, "pages"),
                        count(json, "place"),
                        count(json, "requests"),
                        count(json, "followed"),
                        count(json, "left")));
    }

    /** Returns the same with its words cut as names are. */
    static PlanBlock limited(PlanBlock plan) {
        return new PlanBlock(
                LineText.of(Names.limited(plan.state())),
                LineText.of(Names.limited(plan.reason())),
                plan.pages(),
                plan.place(),
                plan.requests(),
                plan.followed(),
                plan.left());
    }

    private static BlockSink.Auto auto(JsonNode json, long pid) throws Wrong {
        String file = file(json);
        if (file == null) {
            throw new Wrong("an auto block without 'file'");
        }
        List<Decision> decisions = new ArrayList<>();
        JsonNode all = array(json, "decisions");
        if (all.size() > DECISIONS_MAX) {
            throw new Wrong("more than " + DECISIONS_MAX + " decisions");
        }
        for (JsonNode one : all) {
            if (!one.isObject()) {
                throw new Wrong("a decision is " + Names.excerpt(one.toString()) + ", no object");
            }
            decisions.add(limited(new Decision(text(one, "what"), text(one, "reason"))));
        }
        return new BlockSink.Auto(
                pid,
                event(json),
                file,
                text(json, "tag"),
                Long.toString(count(json, "opened_ns")),
                LineText.of(text(json, "state")),
                count(json, "looks"),
                count(json, "hints"),
                count(json, "hint_bytes"),
                count(json, "cached"),
                decisions,
                count(json, "more_decisions"));
    }

    /** Returns the decision, cut to the length that names of files may have here. */
    static Decision limited(Decision decision) {
        return new Decision(
                LineText.of(Names.limited(decision.what())),
                LineText.of(Names.limited(decision.reason())));
    }

    private static String event(JsonNode json) throws Wrong {
        String event = text(json, "event");
        if (!Pending.isEvent(event)) {
            throw new Wrong("unknown 'event': '" + event + "'");
        }
        return event;
    }
}
