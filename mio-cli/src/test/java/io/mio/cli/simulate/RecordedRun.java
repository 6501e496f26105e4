package io.mio.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import io.mio.cli.term.Json;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A run through a real cache, with its report, and the simulation of the run. */
final class RecordedRun {
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** What a program does with its files. */
    interface Program {
        void run(FileSystem mio) throws IOException;
    }

    private final Path events;
    private final Path report;
    private final String cache;

    private RecordedRun(Path events, Path report, String cache) {
        this.events = events;
        this.report = report;
        this.cache = cache;
    }

    /** Runs the program under {@code trace/events | cache} for all {@code *.dat}; "": no cache. */
    static RecordedRun of(Path dir, String cache, Program program) throws IOException {
        int number = NAMES.incrementAndGet();
        Path events = dir.resolve("run" + number + ".events");
        Path report = dir.resolve("run" + number + ".jsonl");
        String rule =
                "*.dat [ trace/nostats/events={"
                        + events
                        + "}"
                        + (cache.isEmpty() ? "" : " | " + cache + "/stats")
                        + " ]";
        try (FileSystem mio =
                FileSystems.newFileSystem(
                        URI.create("mio://simulated" + number + "/"),
                        Map.of("files", rule, "stats", report.toString(), "live", "off"))) {
            program.run(mio);
        }
        return new RecordedRun(events, report, cache);
    }

    static FileChannel open(FileSystem mio, Path file, OpenOption... how) throws IOException {
        return FileChannel.open(mio.getPath(file.toString()), Set.of(how));
    }

    static void read(FileChannel file, int bytes, long offset) throws IOException {
        file.read(ByteBuffer.allocate(bytes), offset);
    }

    static void write(FileChannel file, int bytes, long offset) throws IOException {
        file.write(ByteBuffer.allocate(bytes), offset);
    }

    Path events() {
        return events;
    }

    /** The sums of what the caches of all files counted, according to the report. */
    PageCounts reported() throws IOException {
        PageCounts sum = new PageCounts();
        for (String line : Files.readAllLines(report)) {
            JsonNode block = Json.line().readTree(line);
            if (!block.path("type").asText().equals("pf")
                    || !block.path("of").asText().equals("file")) {
                continue;
            }
            sum.programReads += block.at("/program/reads").asLong();
            sum.programReadBytes += block.at("/program/read_bytes").asLong();
            sum.programWrites += block.at("/program/writes").asLong();
            sum.programWrittenBytes += block.at("/program/written_bytes").asLong();
            sum.pageReads += block.at("/child/reads").asLong();
            sum.pageReadBytes += block.at("/child/read_bytes").asLong();
            sum.pageWrites += block.at("/child/writes").asLong();
            sum.pageWrittenBytes += block.at("/child/written_bytes").asLong();
            sum.hits += block.path("hits").asLong();
            sum.demandReads += block.path("misses").asLong();
            sum.readAheads +=
                    block.path("started_prefetches").asLong()
                            - block.path("not_preread_for_write").asLong();
            sum.prepared += block.path("not_preread_for_write").asLong();
            sum.unusedPrefetches += block.path("unused_prefetches").asLong();
            sum.partialReads += block.path("partial_reads").asLong();
            sum.waits += block.path("prefetch_waits").asLong();
            sum.evictions += block.path("evictions").asLong();
            sum.dirtyEvictions += block.path("dirty_evictions").asLong();
            sum.writeBehinds += block.path("write_behinds").asLong();
            sum.forcedSyncs += block.path("forced_syncs").asLong();
            sum.retainedPages += block.path("retained_pages").asLong();
        }
        sum.misses = sum.programReads - sum.hits;
        return sum;
    }

    /** Simulates the same configuration. */
    Outcome simulated() {
        return simulation("latency=100us,bandwidth=1g", cache).outcomes().get(0);
    }

    Simulation simulation(String device, String... rules) {
        PrintWriter err = new PrintWriter(new StringWriter());
        return Simulation.of(
                events.toString(),
                List.of(),
                List.of(rules).stream().map(Rule::parse).toList(),
                Device.parse(device),
                null,
                new Progress(err, Terminal.NONE, "mio simulate"));
    }
}
