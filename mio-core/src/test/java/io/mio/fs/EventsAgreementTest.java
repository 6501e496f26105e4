package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random use of files through all doors, compared with the plain JDK's, and recorded above and
 * below a cache of few frames: the sums of the events equal the counters of the reports.
 */
@Tag("backends")
class EventsAgreementTest {
    private static final int CALLS = Integer.getInteger("mio.test.exercise", 4000);
    private static final String[] COUNTERS = {
        "started_prefetches",
        "unused_prefetches",
        "misses",
        "prefetch_waits",
        "evictions",
        "dirty_evictions",
        "write_behinds"
    };
    private static final Pattern ROW =
            Pattern.compile(
                    "\"(\\w+)\":\\{\"count\":(\\d+),\"ns\":\\d+"
                            + "(?:,\"requested_bytes\":(\\d+),\"delivered_bytes\":(\\d+))?");
    private static final Pattern CHILD =
            Pattern.compile("\"child\":\\{.*?\"writes\":(\\d+),.*?\"reads\":(\\d+)\\}");

    @TempDir Path directory;

    @Test
    void shouldTellByEventsWhatTheReportsTell() throws Exception {
        long seed = Long.getLong("mio.test.seed", System.nanoTime());
        Path events = directory.resolve("x.events");
        Path stats = directory.resolve("x.jsonl");
        String trace = "trace/stats={" + stats + "}/events={" + events + "}";
        String pf = "pf/cache=64k/page=8k/pref=1:3/private/stats={" + stats + "}";
        String layers = trace + " | " + pf + " | " + trace;
        try (DoorExerciser exerciser = new DoorExerciser(directory, layers, seed)) {
            exerciser.run(CALLS);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("replay with -Dmio.test.seed=" + seed, e);
        }

        Map<String, Long> recorded = recorded(events);
        Map<String, Long> counted = counted(stats);
        // Transfers that went past the pages have no page event.
        for (String transfers : List.of("pf reads", "pf writes")) {
            assertThat(recorded.remove(transfers))
                    .as("%s, -Dmio.test.seed=%d", transfers, seed)
                    .isPositive()
                    .isLessThanOrEqualTo(counted.remove(transfers));
        }
        assertThat(recorded)
                .as("-Dmio.test.seed=%d", seed)
                .isEqualTo(counted)
                .containsKeys("1 read count", "3 aread delivered", "pf evictions");
    }

    private static void add(Map<String, Long> sums, String what, long more) {
        if (more > 0) {
            sums.merge(what, more, Long::sum);
        }
    }

    private static Map<String, Long> counted(Path stats) throws IOException {
        Map<String, Long> sums = new TreeMap<>();
        for (String line : Files.readAllLines(stats)) {
            if (line.contains("\"type\":\"trace\"")) {
                String place = line.contains("\"above\":\"program\"") ? "1 " : "3 ";
                Matcher row = ROW.matcher(line);
                while (row.find()) {
                    String name = place + row.group(1);
                    // These rows are no calls: waits, and seeks, which take no time.
                    if (name.endsWith("suspend") || name.endsWith("seek")) {
                        continue;
                    }
                    add(sums, name + " count", Long.parseLong(row.group(2)));
                    if (row.group(3) != null) {
                        add(sums, name + " requested", Long.parseLong(row.group(3)));
                        add(sums, name + " delivered", Long.parseLong(row.group(4)));
                    }
                }
            } else if (line.contains("\"type\":\"pf\"") && line.contains("\"of\":\"file\"")) {
                for (String counter : COUNTERS) {
                    Matcher found = Pattern.compile("\"" + counter + "\":(\\d+)").matcher(line);
                    assertThat(found.find()).as("%s in %s", counter, line).isTrue();
                    add(sums, "pf " + counter, Long.parseLong(found.group(1)));
                }
                Matcher child = CHILD.matcher(line);
                assertThat(child.find()).as(line).isTrue();
                add(sums, "pf writes", Long.parseLong(child.group(1)));
                add(sums, "pf reads", Long.parseLong(child.group(2)));
            }
        }
        return sums;
    }

    private static Map<String, Long> recorded(Path events) throws IOException {
        Map<String, Long> sums = new TreeMap<>();
        Map<PageOperation, Long> pages = new EnumMap<>(PageOperation.class);
        try (EventReader reader = EventReader.open(events)) {
            for (Event event = reader.next(); event != null; event = reader.next()) {
                if (event.kind() == Event.Kind.PAGE) {
                    boolean inVain =
                            event.failed()
                                    && (event.page() == PageOperation.ARRIVED
                                            || event.page() == PageOperation.WRITTEN);
                    pages.merge(event.page(), inVain ? 0L : 1L, Long::sum);
                    continue;
                }
                EventFile file = reader.files().get(event.file());
                assertThat(file.layer()).isEqualTo(EventFormat.OF_TRACE);
                TraceOperation operation = event.operation();
                // For an open without a cache, the lower trace is at place 2.
                String place = file.place() == 1 ? "1 " : "3 ";
                String name = place + operation.name().toLowerCase(Locale.ROOT);
                boolean isCall = event.kind() == Event.Kind.CALL;
                add(sums, name + " count", isCall ? 1 : 0);
                if (operation.isTransfer()) {
                    add(sums, name + " requested", isCall ? event.requested() : 0);
                    add(sums, name + " delivered", event.delivered());
                }
            }
            assertThat(reader.losses().dropped()).isZero();
            assertThat(reader.losses().damagedRecords()).isZero();
        }
        add(
                sums,
                "pf started_prefetches",
                of(pages, PageOperation.PREFETCH_ISSUED) + of(pages, PageOperation.PREPARED));
        add(sums, "pf unused_prefetches", of(pages, PageOperation.PREFETCH_UNUSED));
        add(sums, "pf misses", of(pages, PageOperation.DEMAND_READ));
        add(sums, "pf prefetch_waits", of(pages, PageOperation.WAIT));
        add(sums, "pf evictions", of(pages, PageOperation.EVICT));
        add(sums, "pf dirty_evictions", of(pages, PageOperation.DIRTY_EVICT));
        add(sums, "pf write_behinds", of(pages, PageOperation.WRITE_BEHIND));
        add(sums, "pf writes", of(pages, PageOperation.WRITTEN));
        add(sums, "pf reads", of(pages, PageOperation.ARRIVED));
        return sums;
    }

    private static long of(Map<PageOperation, Long> pages, PageOperation operation) {
        return pages.getOrDefault(operation, 0L);
    }
}
