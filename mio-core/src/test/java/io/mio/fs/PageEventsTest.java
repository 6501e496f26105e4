package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of a file's pages agree with the counters of pf. */
class PageEventsTest {
    private static final int PAGE = 64 << 10;
    private static final int PAGES = 100;
    private static final int RECORD = 10_000;

    @TempDir private Path directory;

    private final Map<PageOperation, List<Event>> events = new EnumMap<>(PageOperation.class);
    private String report;

    /** Reads the file forward and backward, and writes it anew, in a cache of 16 pages. */
    @BeforeEach
    void run() throws IOException {
        Path data = Files.write(directory.resolve("data"), new byte[PAGES * PAGE - 100]);
        String rule =
                "* [ trace/events={%s} | pf/cache=1m/page=64k/pref=3/replace=lru/stats={%s} ]"
                        .formatted(directory.resolve("x.events"), directory.resolve("x.jsonl"));
        try (FileSystem mio =
                        FileSystems.newFileSystem(
                                URI.create("mio://page-events/"), Map.of("files", rule));
                FileChannel channel =
                        FileChannel.open(mio.getPath(data.toString()), READ, WRITE, CREATE)) {
            ByteBuffer record = ByteBuffer.allocateDirect(RECORD);
            long size = channel.size();
            for (long at = 0; at < size; at += RECORD) {
                channel.read(record.clear(), at);
            }
            for (long at = size - RECORD; at >= 0; at -= RECORD) {
                channel.read(record.clear(), at);
            }
            for (long at = 0; at < size; at += RECORD) {
                channel.write(record.clear(), at);
            }
        }
        report = Files.readString(directory.resolve("x.jsonl"));
        try (EventReader reader = EventReader.open(directory.resolve("x.events"))) {
            int pages = 0;
            for (EventFile file : reader.files().values()) {
                if (file.layer() == EventFormat.OF_PF) {
                    pages = file.id();
                    assertThat(file.pageBytes()).isEqualTo(PAGE);
                    assertThat(file.frames()).isEqualTo(16);
                    assertThat(file.place()).isEqualTo(2);
                }
            }
            for (Event event = reader.next(); event != null; event = reader.next()) {
                if (event.kind() == Event.Kind.PAGE) {
                    assertThat(event.file()).isEqualTo(pages);
                    events.computeIfAbsent(event.page(), any -> new ArrayList<>()).add(event);
                }
            }
        }
    }

    private List<Event> of(PageOperation operation) {
        return events.getOrDefault(operation, List.of());
    }

    private long counted(String name) {
        Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(report);
        assertThat(found.find()).as("%s in %s", name, report).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void shouldAgreeWithTheCounters() {
        assertThat(
                        (long) of(PageOperation.PREFETCH_ISSUED).size()
                                + of(PageOperation.PREPARED).size())
                .isEqualTo(counted("started_prefetches"))
                .isGreaterThan(PAGES);
        assertThat(of(PageOperation.PREPARED)).isNotEmpty();
        assertThat((long) of(PageOperation.PREFETCH_UNUSED).size())
                .isEqualTo(counted("unused_prefetches"));
        assertThat((long) of(PageOperation.WRITE_BEHIND).size())
                .isEqualTo(counted("write_behinds"))
                .isPositive();
        assertThat((long) of(PageOperation.EVICT).size())
                .isEqualTo(counted("evictions"))
                .isPositive();
        assertThat((long) of(PageOperation.DIRTY_EVICT).size())
                .isEqualTo(counted("dirty_evictions"));
        assertThat((long) of(PageOperation.DEMAND_READ).size())
                .isEqualTo(counted("misses"))
                .isPositive();
        assertThat((long) of(PageOperation.WAIT).size()).isEqualTo(counted("prefetch_waits"));
        assertThat(report)
                .contains("\"reads\":" + of(PageOperation.ARRIVED).size() + "}")
                .contains("\"writes\":" + of(PageOperation.WRITTEN).size() + ",");
    }

    @Test
    void shouldTellEachPageAheadOnceAsUsedOrUnused() {
        int ahead = 0;
        Set<Long> starts = new HashSet<>();
        for (Event event : of(PageOperation.PREFETCH_USED)) {
            assertThat(event.offset() % PAGE).isZero();
            assertThat(event.requested()).isEqualTo(PAGE);
            starts.add(event.offset());
            ahead++;
        }
        assertThat(ahead + of(PageOperation.PREFETCH_UNUSED).size())
                .isLessThanOrEqualTo(
                        of(PageOperation.PREFETCH_ISSUED).size()
                                + of(PageOperation.PREPARED).size());
        assertThat(starts).hasSizeGreaterThan(PAGES - 5);
    }

    /** A page that comes into a frame leaves it, and no frame holds two pages at a time. */
    @Test
    void shouldTellWhichPageIsInWhichFrame() {
        List<Event> moves = new ArrayList<>();
        for (PageOperation operation :
                List.of(
                        PageOperation.ARRIVED,
                        PageOperation.PREPARED,
                        PageOperation.EVICT,
                        PageOperation.DROPPED)) {
            moves.addAll(of(operation));
        }
        moves.sort(java.util.Comparator.comparingLong(Event::endNanos));
        Map<Long, Long> frames = new java.util.HashMap<>();
        for (Event event : moves) {
            long page = event.offset() / PAGE;
            assertThat(event.number()).isBetween(0L, 15L);
            if (event.page() == PageOperation.EVICT || event.page() == PageOperation.DROPPED) {
                assertThat(frames.remove(event.number())).as("%s", event).isEqualTo(page);
            } else {
                Long before = frames.put(event.number(), page);
                assertThat(before == null || before == page).as("%s", event).isTrue();
            }
        }
        assertThat(frames).isEmpty();
        assertThat((long) of(PageOperation.HIT).size() + of(PageOperation.MISS).size())
                .isGreaterThanOrEqualTo(2L * PAGES * PAGE / RECORD);
    }
}
