package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.TwinProgram;
import io.mio.TwinProgram.Case;
import io.mio.stats.PfSnapshot.Details;
import io.mio.stats.PfSnapshot.Transfers;
import io.mio.stats.TraceSnapshot.Distributions;
import io.mio.stats.TraceSnapshot.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Gives Java and C the same random counts, and compares the blocks they make of them. */
class StatsTwinTest {
    private static final int CASES = 2_000;
    private static final String[] FILES = {
        "/a/b.dat", "x", "a b", "line\nend", "tab\t\"quoted\\", "\u00e9\ud834\udd1e", "\u0001\u007f"
    };

    private final long seed = Long.getLong("mio.test.seed", 20050526L);
    private final Random random = new Random(seed);
    private final List<Case> cases = new ArrayList<>();
    private final List<List<String>> expected = new ArrayList<>();

    /** The current case; the numbers that are drawn for it are written into it. */
    private Case given;

    @Test
    void shouldReportOnACacheAsJavaDoes() {
        for (int i = 0; i < CASES; i++) {
            given = new Case().put("block", "pf");
            PfSnapshot pf = pf();
            JsonText json = new JsonText();
            PfJson.write(json, pf);
            expect(pf, json);
        }

        compare();
    }

    @Test
    void shouldReportOnATraceAsJavaDoes() {
        for (int i = 0; i < CASES; i++) {
            given = new Case().put("block", "trace");
            TraceSnapshot trace = trace();
            JsonText json = new JsonText();
            TraceJson.write(json, trace);
            expect(trace, json);
        }

        compare();
    }

    @Test
    void shouldReportOnAnOpenWithoutPagesAsJavaDoes() {
        for (int i = 0; i < CASES; i++) {
            given = new Case().put("block", "auto");
            AutoSnapshot auto = auto();
            JsonText json = new JsonText();
            AutoReport.write(json, auto);
            expect(auto, json);
        }

        compare();
    }

    private void expect(StatsBlock block, JsonText json) {
        cases.add(given);
        // Without the opening brace: in the whole object, members of the process come after it.
        String members = json.toString().substring(1) + "\n";
        expected.add(new Case().put("classic", block.classic()).put("json", members).lines());
    }

    private void compare() {
        List<List<String>> actual = TwinProgram.ask("twin_stats", "blocks", cases);
        for (int i = 0; i < CASES; i++) {
            assertThat(actual.get(i))
                    .as("C's answer to case %d of seed %d:\n%s", i, seed, cases.get(i))
                    .isEqualTo(expected.get(i));
        }
    }

    private PfSnapshot pf() {
        boolean ofCache = random.nextBoolean();
        return new PfSnapshot(
                event(),
                ofCache ? null : text("file", FILES),
                (int) put("cache", random.nextInt(4) - 1),
                text("below", "os", "aix"),
                text("tag", "", "", "job 1: ", "\u00e9\n"),
                unit(),
                number("pages"),
                number("page_bytes"),
                number("sector_bytes"),
                number("not_preread"),
                number("not_preread_for_write"),
                number("unused_prefetches"),
                number("started_prefetches"),
                number("distance"),
                number("write_behinds"),
                number("forced_syncs"),
                number("retained_pages"),
                transfers("program"),
                transfers("child"),
                new Details(
                        number("hits"),
                        number("misses"),
                        number("partial_reads"),
                        number("prefetch_waits"),
                        number("prefetch_wait_ns"),
                        number("evictions"),
                        number("dirty_evictions"),
                        number("write_errors"),
                        number("streams"),
                        number("gate_waits"),
                        number("gate_wait_ns"),
                        text("backend", "io_uring", "threads", "sync"),
                        flag("direct")),
                plan());
    }

    /** One that is followed or left, none for a reason, or nothing. */
    private PfSnapshot.Plan plan() {
        return switch (random.nextInt(3)) {
            case 0 ->
                    PfSnapshot.Plan.none(
                            text("plan.none", "no memory for it", "there is no file /a\nb\u00e9"));
            case 1 ->
                    new PfSnapshot.Plan(
                            null,
                            flag("plan.follows"),
                            number("plan.pages"),
                            number("plan.place"),
                            number("plan.requests"),
                            number("plan.followed"),
                            number("plan.left"),
                            number("plan.stray"),
                            number("plan.stray_of"));
            default -> null;
        };
    }

    private AutoSnapshot auto() {
        List<AutoSnapshot.Decision> decisions = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String name = "decision" + decisions.size() + ".";
            decisions.add(
                    new AutoSnapshot.Decision(
                            number(name + "ns"),
                            text(name + "what", "hints", "no-pages", "kernel"),
                            text(name + "reason", "it goes backward", "a\nb", "\"16\"")));
        }
        return new AutoSnapshot(
                event(),
                text("file", FILES),
                text("tag", "", "", "job 1: ", "\u00e9\n"),
                unit(),
                number("opened_ns"),
                number("now_ns"),
                text("state", "looking", "pages"),
                number("looks"),
                number("hints"),
                number("hint_bytes"),
                number("cached"),
                decisions,
                put("more", random.nextInt(2)));
    }

    private Transfers transfers(String name) {
        return new Transfers(
                number(name + ".bytes_written"),
                number(name + ".writes"),
                number(name + ".bytes_read"),
                number(name + ".reads"));
    }

    private TraceSnapshot trace() {
        List<OperationStats> operations = new ArrayList<>();
        for (TraceOperation operation : TraceOperation.values()) {
            operations.add(operation(operation));
        }
        long opened = number("opened_ns");
        long now = put("now_ns", opened + amount());
        return new TraceSnapshot(
                event(),
                text("above", "program", "pf"),
                text("below", "os", "pf", "aix"),
                text("file", FILES),
                unit(),
                operations,
                number("extensions"),
                number("current_size"),
                number("max_size"),
                (int) put("mode", random.nextInt(5) == 0 ? -1 : random.nextInt(01000)),
                text("file_system_type", "ext4", "tmpfs"),
                number("sector_bytes"),
                (int) put("oflags", random.nextInt(1 << 23)),
                text("oflag_names", "RDONLY", "RDWR  CREAT"),
                flag("direct"),
                number("ill_formed"),
                number("misaligned"),
                put("seek_delta", random.nextBoolean() ? amount() : -amount()),
                opened,
                now,
                distributions());
    }

    private OperationStats operation(TraceOperation operation) {
        if (random.nextInt(3) == 0) {
            return OperationStats.NONE;
        }
        String name = operation.label() + ".";
        boolean bytes = operation.isTransfer();
        boolean waits = operation.isAsynchronous();
        return new OperationStats(
                number(name + "count"),
                number(name + "ns"),
                bytes ? number(name + "requested") : 0,
                bytes ? number(name + "delivered") : 0,
                bytes ? number(name + "smallest") : 0,
                bytes ? number(name + "largest") : 0,
                waits ? number(name + "suspends") : 0,
                waits ? number(name + "suspend_ns") : 0,
                number(name + "errors"));
    }

    private Distributions distributions() {
        Map<String, Long> errors =
                random.nextBoolean()
                        ? Map.of()
                        : Map.of(text("error", "ENOSPC", "EIO"), number("error_count"));
        return new Distributions(
                numbers("read_ns_histogram", 65),
                numbers("write_ns_histogram", 65),
                numbers("read_bytes_histogram", 65),
                numbers("write_bytes_histogram", 65),
                numbers("patterns", TraceSnapshot.Pattern.values().length),
                number("activity_bin_ns"),
                numbers("activity_read_bytes", 64),
                numbers("activity_written_bytes", 64),
                errors);
    }

    private Event event() {
        return Event.values()[(int) put("event", random.nextInt(Event.values().length))];
    }

    private ByteUnit unit() {
        ByteUnit unit = ByteUnit.values()[random.nextInt(ByteUnit.values().length)];
        given.put("unit", unit.label());
        return unit;
    }

    private String text(String name, String... all) {
        String text = all[random.nextInt(all.length)];
        given.put(name, text);
        return text;
    }

    private boolean flag(String name) {
        return put(name, random.nextInt(2)) == 1;
    }

    private long number(String name) {
        return put(name, amount());
    }

    private long[] numbers(String name, int count) {
        long[] numbers = new long[count];
        StringBuilder text = new StringBuilder();
        int used = random.nextInt(count + 1);
        for (int i = 0; i < used; i++) {
            numbers[i] = amount();
            text.append(i > 0 ? " " : "").append(numbers[i]);
        }
        given.put(name, text.toString());
        return numbers;
    }

    private long put(String name, long number) {
        given.put(name, Long.toString(number));
        return number;
    }

    /** An amount of any magnitude; the sums of all amounts do not overflow. */
    private long amount() {
        return random.nextLong() >>> (10 + random.nextInt(54));
    }
}
