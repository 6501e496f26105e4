package io.mio.pf;

import static io.mio.pf.PfFixture.read;
import static io.mio.pf.PfFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import io.mio.layer.PageWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is counted of a cache, beside what is counted of its files. */
class PfCountersTest {
    private static final int PAGE = 4096;

    private static final Map<String, Integer> BOTH =
            Map.ofEntries(
                    Map.entry("resident", CounterLayout.RESIDENT),
                    Map.entry("dirty", CounterLayout.DIRTY),
                    Map.entry("waiting", CounterLayout.WAITING),
                    Map.entry("misses", CounterLayout.MISSES),
                    Map.entry("demand reads", CounterLayout.DEMAND_READS),
                    Map.entry("page reads", CounterLayout.PAGE_READS),
                    Map.entry("page read bytes", CounterLayout.PAGE_READ_BYTES),
                    Map.entry("page writes", CounterLayout.PAGE_WRITES),
                    Map.entry("page write bytes", CounterLayout.PAGE_WRITE_BYTES),
                    Map.entry("write behinds", CounterLayout.WRITE_BEHINDS),
                    Map.entry("write errors", CounterLayout.WRITE_ERRORS),
                    Map.entry("evictions", CounterLayout.EVICTIONS),
                    Map.entry("dirty evictions", CounterLayout.DIRTY_EVICTIONS),
                    Map.entry("unused", CounterLayout.UNUSED),
                    Map.entry("waits", CounterLayout.WAITS),
                    Map.entry("wait nanos", CounterLayout.WAIT_NANOS),
                    Map.entry("read after all", CounterLayout.READ_AFTER_ALL),
                    Map.entry("forced syncs", CounterLayout.FORCED_SYNCS));

    private static Map<String, Long> both(PfCounters counters) {
        Map<String, Long> seen = new TreeMap<>();
        BOTH.forEach((name, what) -> seen.put(name, counters.get(what)));
        return seen;
    }

    @Test
    void shouldCountOfACacheWhatItCountsOfItsOnlyFile() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[200 * PAGE]);
        String options = "cache=64k/page=4k/pref=2/discovered_direct=32k/global=177";
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR);
        CachedFile file = CachedFiles.find(key);
        write(layer, 180 * PAGE, 512, 1);
        write(layer, 180 * PAGE + 700, 10, 1);
        for (int page = 0; page < 40; page++) {
            read(layer, (long) page * PAGE, PAGE);
        }
        read(layer, 100 * PAGE, 32 << 10);
        for (int i = 0; i < 40; i++) {
            write(layer, (60 + ReplacementRun.scattered(i)) * PAGE, 512, 2);
            read(layer, (61L + ReplacementRun.scattered(i)) * PAGE, 512);
        }
        layer.write(new ByteBuffer[] {ByteBuffer.allocate(32 << 10)}, 0, 1, 0);
        layer.flush(false);
        write(layer, 30 * PAGE, 512, 3);
        below.fault((write, offset, bytes) -> write ? new IOException("full") : null);
        assertThatThrownBy(() -> layer.flush(false)).hasMessageContaining("full");
        below.fault((write, offset, bytes) -> null);

        Map<String, Long> counted = both(file.counters());
        assertThat(both(file.cache().counters)).isEqualTo(counted);
        assertThat(counted).as("nobody waits").containsEntry("waiting", 0L);
        counted.keySet().removeIf(name -> name.startsWith("wait"));
        assertThat(counted.values()).as("%s", counted).doesNotContain(0L);
        layer.flush(false);
        PfFixture.close(layer, key);
    }

    /** Notes what it is told of pages, for example "HIT 0+100". */
    private static final class Noted implements PageWatch {
        private final List<String> notes = new ArrayList<>();

        @Override
        public void happened(PageOperation operation, int frame, long offset, long bytes) {
            notes.add(operation + " " + offset + "+" + bytes);
        }

        @Override
        public void ended(
                PageOperation operation,
                int frame,
                long offset,
                long requested,
                long delivered,
                Throwable error,
                boolean asynchronous,
                long began) {}
    }

    @Test
    void shouldTellWhatWasThereAndWhatWasUsedOfPagesAhead() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[40 * PAGE]);
        String options = "cache=64k/page=4k/private/pref=2";
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR);
        Noted noted = new Noted();
        layer.watch(noted);
        read(layer, 0, PAGE);
        read(layer, PAGE, PAGE);
        read(layer, 100, PAGE);
        write(layer, 2 * PAGE, 512, 1);
        assertThat(noted.notes)
                .containsSubsequence(
                        "MISS 0+4096",
                        "MISS 4096+4096",
                        "HIT 100+3996",
                        "HIT 4096+100",
                        "PREFETCH_USED 8192+4096");
        assertThat(noted.notes).filteredOn(note -> note.startsWith("MISS")).hasSize(2);
        assertThat(noted.notes).filteredOn(note -> note.startsWith("HIT")).hasSize(2);
        PfFixture.close(layer, key);
    }
}
