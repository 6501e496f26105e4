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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/stride}, which the C side reads as well. */
class StreamTableTest {
    /** A channel's last request, which is told along with its next one. */
    private record Request(long offset, long length) {}

    private final List<io.mio.pf.Stream> numbered = new ArrayList<>();

    static Stream<Named<GoldenCase>> streams() {
        return GoldenCase.readTwin("stride/streams.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void shouldRecogniseTheStreamsOfTheGoldenCase(GoldenCase golden) {
        StreamTable table = table(golden.value("table"));
        Map<String, Request> last = new HashMap<>();
        List<String> expected = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        String request = "";
        for (GoldenCase.Line line : golden.lines()) {
            if (line.key().equals("request")) {
                request = line.value();
                seen.add(request + ": " + seen(table, last, request.split(" ")));
            } else if (line.key().equals("active")) {
                expected.add(request + ": active " + line.value());
                seen.add(request + ": active " + table.active());
            } else if (line.key().equals("unused")) {
                table.unused(numbered.get(Integer.parseInt(line.value()) - 1));
            } else if (line.key().equals("window")) {
                String[] words = line.value().split(" ");
                expected.add(request + ": window " + words[5]);
                seen.add(request + ": window " + window(words));
            } else if (line.key().equals("missed")) {
                numbered.get(Integer.parseInt(line.value()) - 1).missed();
            } else if (line.key().equals("stream")) {
                expected.add(request + ": " + line.value());
            }
        }
        assertThat(expected).as("the case has requests").isNotEmpty();
        assertThat(seen).as(golden.title()).isEqualTo(expected);
    }

    private static StreamTable table(String text) {
        Map<String, String> values = new HashMap<>();
        for (String part : text.split(" ")) {
            int equals = part.indexOf('=');
            values.put(part.substring(0, equals), part.substring(equals + 1));
        }
        return new StreamTable(
                Integer.parseInt(values.get("slots")),
                Integer.parseInt(values.get("page")),
                Integer.parseInt(values.get("stride")),
                distance(values.get("pref")));
    }

    private static Distance distance(String text) {
        if (text.equals("auto")) {
            return Distance.of(0, 0);
        }
        int colon = text.indexOf(':');
        long min = Long.parseLong(colon < 0 ? text : text.substring(0, colon));
        return Distance.of(min, colon < 0 ? min : Long.parseLong(text.substring(colon + 1)));
    }

    private int window(String[] words) {
        io.mio.pf.Stream stream = numbered.get(Integer.parseInt(words[0]) - 1);
        int steps = Integer.parseInt(words[1]);
        long moves = Long.parseLong(words[4]);
        int first =
                stream.beginsWith(steps, Long.parseLong(words[2]), Long.parseLong(words[3]), moves);
        if (first <= steps) {
            boolean forward = stream.kind == io.mio.pf.Stream.Kind.FORWARD;
            stream.lookedAhead(
                    forward ? stream.lastPage + steps : stream.firstPage - steps, moves + steps);
        }
        return first;
    }

    private String seen(StreamTable table, Map<String, Request> last, String[] request) {
        Request now = new Request(Long.parseLong(request[1]), Long.parseLong(request[2]));
        Request before = last.getOrDefault(request[0], new Request(-1, 0));
        last.put(request[0], now);
        io.mio.pf.Stream stream = table.seen(now.offset, now.length, before.offset, before.length);
        if (stream == null) {
            return "none";
        }
        if (stream.proven && stream.enters()) {
            table.stepped(stream);
        }
        if (!numbered.contains(stream)) {
            numbered.add(stream);
        }
        String kind = stream.kind.name().toLowerCase(Locale.ROOT);
        return String.format(
                Locale.ROOT,
                "%d %s%s %s %d",
                numbered.indexOf(stream) + 1,
                kind,
                stream.isDense() ? "" : String.format(Locale.ROOT, "%+d", stream.step),
                stream.proven ? "proven" : "guess",
                stream.distance);
    }

    @Test
    void shouldForgetStreamsThatGaveTheirSlotAway() {
        StreamTable table = new StreamTable(1, 4096, 1, Distance.of(0, 0));
        table.seen(8192, 100, -1, 0);
        io.mio.pf.Stream first = table.seen(8292, 100, 8192, 100);
        table.late(first, 100);
        assertThat(table.distanceMax()).isEqualTo(4);
        table.seen(1 << 20, 100, -1, 0);
        assertThat(table.seen((1 << 20) + 100, 100, 1 << 20, 100)).isNotSameAs(first);
        table.late(first, 100);
        assertThat(table.distanceMax()).isEqualTo(4);
    }
}
