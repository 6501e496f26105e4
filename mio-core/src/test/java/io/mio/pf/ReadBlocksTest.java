package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/auto/blocks.txt}, which the C side reads as well. */
class ReadBlocksTest {
    private ReadBlocks blocks;

    /** The time that each request takes, in nanoseconds; 0 if times are not known. */
    private long each;

    private long now;

    // Hints that the requests of a pass led to, and their bytes.
    private int hints;
    private long bytes;

    static Stream<Named<GoldenCase>> cases() {
        return GoldenCase.readTwin("auto/blocks.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldTellOfTheBlocksThatTheGoldenCaseSays(GoldenCase golden) {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        String last = "";
        for (GoldenCase.Line line : golden.lines()) {
            String value = line.value();
            switch (line.key()) {
                case "file" -> last = file(Long.parseLong(value));
                case "request" -> last = request(value.split(" "));
                case "pass" -> last = pass(value);
                case "scattered" -> last = scattered(values(value));
                case "popular" -> last = popular(values(value));
                case "ns" -> each = Long.parseLong(value);
                case "there" -> blocks.there();
                case "state" -> last = blocks.toString();
                case "found" -> {
                    expected.add(value);
                    found.add(last);
                }
                default -> throw new IllegalArgumentException(line.key());
            }
        }
        assertThat(expected).as("the case has results").isNotEmpty();
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

    private String file(long sizeBytes) {
        if (!ReadBlocks.serves(sizeBytes)) {
            return "none";
        }
        blocks = new ReadBlocks(sizeBytes);
        return "some";
    }

    private String request(String[] of) {
        boolean told = seen(Long.parseLong(of[0]), Long.parseLong(of[1]), Long.parseLong(of[2]));
        return told ? blocks.from() + " " + blocks.bytes() : "none";
    }

    private boolean seen(long offset, long length, long step) {
        now += each;
        blocks.next(each == 0 ? 0 : now);
        return blocks.seen(offset, length, step);
    }

    private void see(long offset, long length, long step) {
        if (seen(offset, length, step)) {
            hints++;
            bytes += blocks.bytes();
        }
    }

    private String many() {
        String all = "told " + hints + " bytes " + bytes + ": " + blocks;
        hints = 0;
        bytes = 0;
        return all;
    }

    private String pass(String text) {
        Map<String, Long> of = values(text);
        long step = Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
        for (long i = 0; i < of.get("count"); i++) {
            see(of.get("from") + i * of.get("step"), of.get("bytes"), step);
        }
        return many();
    }

    private static long next(long seed) {
        return seed * 6364136223846793005L + 1442695040888963407L;
    }

    private String scattered(Map<String, Long> of) {
        long seed = 1;
        for (long i = of.get("count"); i > 0; i--) {
            seed = next(seed);
            long place = Long.remainderUnsigned(seed >>> 33, of.get("places"));
            see(place * of.get("bytes"), of.get("bytes"), 0);
        }
        return many();
    }

    private String popular(Map<String, Long> of) {
        long places = of.get("places");
        int powers = Long.numberOfTrailingZeros(places);
        long seed = 1;
        for (long i = of.get("count"); i > 0; i--) {
            seed = next(seed);
            long power = 1L << Long.remainderUnsigned(seed >>> 33, powers);
            seed = next(seed);
            long rank = power + (seed >>> 33 & power - 1);
            see((rank * 40503 & places - 1) * of.get("bytes"), of.get("bytes"), 0);
        }
        return many();
    }
}
