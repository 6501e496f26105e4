package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/auto}, which the C side reads as well. */
class ReadHintsTest {
    private final List<String> decisions = new ArrayList<>();
    private ReadHints hints;
    private long nanos = 1000;
    private int looked;
    private int told;
    private int times;
    private long bytes;

    /** How often, since the case began, the kernel's page cache was to be asked for a request. */
    private int asked;

    /** True if the kernel's page cache has what is asked about. */
    private boolean warm;

    /** True if the kernel's page cache has what lies before a request, but not the request. */
    private boolean front;

    /** True if the kernel's page cache has what lies before a request, and the request. */
    private boolean there;

    /** True if the kernel does not read on after a byte that was read first. */
    private boolean vain;

    /** The number of requests of which a byte was read first, since the case began. */
    private int nudged;

    /** True if a byte of the last request was read first. */
    private boolean nudges;

    static Stream<Named<GoldenCase>> cases() {
        return GoldenCase.readTwin("auto/hints.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldTellWhatTheGoldenCaseSays(GoldenCase golden) {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (GoldenCase.Line line : golden.lines()) {
            String value = line.value();
            switch (line.key()) {
                case "hints" -> {
                    warm = value.endsWith(" warm");
                    begin(values(value));
                }
                case "room" -> hints.room(Long.parseLong(value));
                case "request" -> found.add(request(value.split(" ")));
                case "pass" -> found.add(pass(values(value), value.endsWith(" cached")));
                case "scattered" -> found.add(scattered(values(value)));
                case "cached" -> hints.cached();
                case "rest" -> found.add(Integer.toString(hints.rest(Long.parseLong(value))));
                case "front" -> {
                    vain = value.equals("vain");
                    front = vain || value.equals("yes");
                    there = value.equals("there");
                }
                case "nudged" -> found.add(Integer.toString(nudged));
                case "asked" -> found.add(Integer.toString(asked));
                case "decided" -> found.add(decided());
                case "found" -> expected.add(value);
                default -> throw new IllegalArgumentException(line.key());
            }
        }
        assertThat(expected).as("the case has requests").isNotEmpty();
        assertThat(found).isEqualTo(expected);
    }

    private static Map<String, Long> values(String text) {
        Map<String, Long> values = new HashMap<>();
        for (String part : text.split(" ")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(part.substring(0, equals), Long.valueOf(part.substring(equals + 1)));
            }
        }
        return values;
    }

    private void begin(Map<String, Long> values) {
        front = false;
        there = false;
        vain = false;
        nudged = 0;
        hints =
                new ReadHints(
                        values.get("streams").intValue(),
                        values.get("kernel"),
                        values.getOrDefault("size", 0L));
    }

    /** Shows the hints a request; returns false if they left it alone (it was quiet). */
    private boolean see(long offset, long length) {
        hear();
        if (hints.isQuiet(offset, length)) {
            return false;
        }
        looked++;
        times += hints.isTiming() ? 1 : 0;
        hints.seen(offset, length, nanos);
        nudges = front && hints.front() > 0;
        if (nudges) {
            nudged++;
            hints.nudged();
            if (vain) {
                hints.inVain();
            }
        } else if (there && hints.front() > 0) {
            hints.isThere();
        }
        told += hints.count() > 0 ? 1 : 0;
        bytes += hints.count() > 0 ? hints.count() * hints.bytes() : 0;
        if (!nudges && hints.count() == 0 && hints.asks()) {
            asked++;
            if (!warm) {
                hints.cold();
            }
        }
        return true;
    }

    private void hear() {
        HintDecisions made = hints.decisions();
        if (made.take()) {
            decisions.add(made.word() + ": " + made.reason());
        }
    }

    /** The decisions since the case asked for them last, and what holds now. */
    private String decided() {
        hear();
        decisions.add("now " + hints.decisions().now());
        String all = String.join("; ", decisions);
        decisions.clear();
        return all;
    }

    private void forget() {
        looked = 0;
        told = 0;
        times = 0;
        bytes = 0;
    }

    private String request(String[] request) {
        if (!see(Long.parseLong(request[0]), Long.parseLong(request[1]))) {
            return "quiet";
        }
        if (nudges) {
            return "nudge";
        }
        return hints.count() == 0
                ? "none"
                : String.format(
                        Locale.ROOT,
                        "%d %d %+d x%d",
                        hints.from(),
                        hints.bytes(),
                        hints.step(),
                        hints.count());
    }

    private String pass(Map<String, Long> values, boolean cached) {
        forget();
        for (long i = 0; i < values.get("count"); i++) {
            boolean seen = see(values.get("from") + i * values.get("step"), values.get("bytes"));
            if (seen && hints.count() > 0 && cached) {
                hints.cached();
            }
            nanos += values.get(hints.way().isKernelAlone() ? "alone" : "ns");
        }
        String way = hints.way().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return String.format(
                Locale.ROOT,
                "looked %d told %d bytes %d times %d %s",
                looked,
                told,
                bytes,
                times,
                way);
    }

    private String scattered(Map<String, Long> values) {
        forget();
        long seed = 1;
        for (long i = 0; i < values.get("count"); i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            see((seed >>> 33) % values.get("places") * values.get("bytes"), values.get("bytes"));
        }
        return String.format(Locale.ROOT, "looked %d told %d bytes %d", looked, told, bytes);
    }
}
