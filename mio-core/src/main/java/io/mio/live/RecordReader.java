package io.mio.live;

import io.mio.counters.CounterLayout;
import io.mio.counters.CounterStripe;
import io.mio.counters.ProcFacts;
import io.mio.live.LiveProcess.Door;
import io.mio.live.LiveProcess.State;
import io.mio.stats.AutoSnapshot.Decision;
import io.mio.stats.TraceSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads one file. It is read and not mapped: a file that is cut meanwhile is then short, and causes
 * no fault.
 */
final class RecordReader {
    private static final int BYTES = CounterLayout.RECORD_BYTES;

    /** Records read at once. */
    private static final int BATCH = 16;

    /** Most attempts at reading a record that changes hands meanwhile. */
    private static final int TRIES = 4;

    private static final long NANOS = 1_000_000_000;

    private final FileChannel channel;
    private final ByteBuffer batch = memory(BATCH * BYTES);
    private final ByteBuffer head = memory(CounterLayout.OWNER);

    /** Trace records by number; {@link #sums} has the sums of their stripes once all is read. */
    private final Map<Long, ByteBuffer> traces = new HashMap<>();

    private final Map<Long, CounterStripe> sums = new HashMap<>();
    private final List<ByteBuffer> stripes = new ArrayList<>();

    /** Records of decisions by the number of the trace record that they belong to. */
    private final Map<Long, Place> decisions = new HashMap<>();

    private final List<ByteBuffer> pages = new ArrayList<>();
    private final List<ByteBuffer> caches = new ArrayList<>();
    private long left;

    private record Place(long number, ByteBuffer record) {}

    private RecordReader(FileChannel channel, int blocksMax) {
        this.channel = channel;
        this.left = blocksMax;
    }

    /** Reads the file, at most so many blocks; null if it is no live counter file. */
    static LiveProcess read(Path path, int blocksMax) {
        try (FileChannel channel =
                FileChannel.open(
                        path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return new RecordReader(channel, blocksMax).read(path);
        } catch (IOException | RuntimeException e) {
            // The file is gone, or cannot be read.
            return null;
        }
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private LiveProcess read(Path path) throws IOException {
        ByteBuffer header = memory(BYTES);
        if (fill(header, 0) < BYTES || !isOf(header, LiveReader.pid(path))) {
            return null;
        }
        long records = Math.min(header.getLong(CounterLayout.RECORDS), CounterLayout.RECORDS_MAX);
        long unrecorded = header.getLong(CounterLayout.UNRECORDED);
        for (long first = 1; first < records; first += BATCH) {
            int count = (int) Math.min(BATCH, records - first);
            batch.clear().limit(count * BYTES);
            int whole = fill(batch, first * BYTES) / BYTES;
            for (int i = 0; i < whole; i++) {
                if (!take(first + i, batch.slice(i * BYTES, BYTES).order(batch.order()))) {
                    unrecorded++;
                }
            }
        }
        State state = state(header);
        if (state == State.RUNS
                && header.getLong(CounterLayout.STATE) != CounterLayout.STATE_RUNS) {
            return null;
        }
        long began = header.getLong(CounterLayout.BEGAN);
        long real = header.getLong(CounterLayout.BEGAN_REAL);
        long now = System.nanoTime() - began;
        return new LiveProcess(
                path,
                header.getLong(CounterLayout.PID),
                header.getLong(CounterLayout.START_TIME),
                state,
                header.getLong(CounterLayout.DOOR) == CounterLayout.DOOR_JVM
                        ? Door.JVM
                        : Door.NATIVE,
                text(header, CounterLayout.PROGRAM, CounterLayout.PROGRAM_BYTES),
                text(header, CounterLayout.ENGINE, CounterLayout.WORD_BYTES),
                // Works for any number: the seconds are then within what an instant can hold.
                Instant.ofEpochSecond(Math.floorDiv(real, NANOS), Math.floorMod(real, NANOS)),
                now,
                unrecorded,
                traces(began, now),
                pages(began),
                autos(began));
    }

    private static boolean isOf(ByteBuffer header, long pid) {
        return header.getLong(0) == CounterLayout.MAGIC
                && header.getLong(CounterLayout.VERSION) == CounterLayout.VERSION_NOW
                && header.getLong(CounterLayout.RECORD_SIZE) == BYTES
                && header.getLong(CounterLayout.PID) == pid;
    }

    private static State state(ByteBuffer header) {
        ProcFacts.Identity process =
                ProcFacts.identity(Long.toString(header.getLong(CounterLayout.PID)));
        long stack = header.getLong(CounterLayout.STACK_BEGIN);
        boolean same =
                process != null
                        && process.startTime() == header.getLong(CounterLayout.START_TIME)
                        && (stack == 0
                                || process.stackBegin() == 0
                                || stack == process.stackBegin());
        return same ? State.RUNS : State.GONE;
    }

    /** Takes a record; false if there is no room for it. */
    private boolean take(long number, ByteBuffer seen) throws IOException {
        ByteBuffer record = whole(number, seen);
        if (record == null) {
            return true;
        }
        long kind = record.getLong(CounterLayout.KIND);
        if (kind == CounterLayout.STRIPE) {
            stripes.add(record);
            return true;
        }
        if (kind == CounterLayout.DECISIONS) {
            decisions.put(record.getLong(CounterLayout.OWNER), new Place(number, record));
            return true;
        }
        if (kind != CounterLayout.TRACE
                && kind != CounterLayout.PF_FILE
                && kind != CounterLayout.PF_CACHE) {
            return true;
        }
        if (left-- <= 0) {
            return false;
        }
        if (kind == CounterLayout.TRACE) {
            traces.put(number, record);
        } else {
            (kind == CounterLayout.PF_FILE ? pages : caches).add(record);
        }
        return true;
    }

    /** Returns a copy of a record in use, all of one owner; else null. */
    private ByteBuffer whole(long number, ByteBuffer seen) throws IOException {
        ByteBuffer record = seen;
        for (int tries = 0; tries < TRIES; tries++) {
            long generation = record.getLong(CounterLayout.GENERATION);
            if ((generation & 1) == 0) {
                return null;
            }
            head.clear();
            if (fill(head, number * BYTES) < head.capacity()) {
                return null;
            }
            if (head.getLong(CounterLayout.GENERATION) == generation
                    && head.getLong(CounterLayout.KIND) == record.getLong(CounterLayout.KIND)) {
                return tries > 0 ? record : memory(BYTES).put(0, record, 0, BYTES);
            }
            record = memory(BYTES);
            if (fill(record, number * BYTES) < BYTES) {
                return null;
            }
        }
        return null;
    }

    private List<TraceSnapshot> traces(long began, long now) {
        for (ByteBuffer record : stripes) {
            long number = record.getLong(CounterLayout.OWNER);
            ByteBuffer owner = traces.get(number);
            if (owner != null
                    && owner.getLong(CounterLayout.GENERATION)
                            == record.getLong(CounterLayout.OWNER_GENERATION)) {
                CounterStripe sum = sums.computeIfAbsent(number, any -> CounterStripe.make());
                CounterStripe.of(record.asLongBuffer()).addTo(sum);
            }
        }
        List<TraceSnapshot> blocks = new ArrayList<>();
        traces.forEach(
                (number, record) -> {
                    CounterStripe sum = sums.get(number);
                    blocks.add(
                            TraceBlock.of(
                                    record, sum == null ? CounterStripe.make() : sum, began, now));
                });
        blocks.sort(
                Comparator.comparingLong(TraceSnapshot::openedNanos)
                        .thenComparing(TraceSnapshot::file)
                        .thenComparing(block -> block.above().equals("program") ? 0 : 1));
        return blocks;
    }

    private List<LiveAuto> autos(long began) throws IOException {
        List<LiveAuto> autos = new ArrayList<>();
        for (Map.Entry<Long, ByteBuffer> entry : traces.entrySet()) {
            ByteBuffer record = entry.getValue();
            long state = record.getLong(CounterLayout.AUTO_STATE);
            // States of a later version have no name here.
            boolean isKnown = state > 0 && state <= CounterLayout.AUTO_STATES.size();
            List<Decision> decisions = decisions(entry.getKey(), record, began);
            if (isKnown || !decisions.isEmpty()) {
                autos.add(
                        new LiveAuto(
                                TraceBlock.name(record),
                                record.getLong(CounterLayout.OPENED) - began,
                                isKnown ? CounterLayout.AUTO_STATES.get((int) state - 1) : "",
                                decisions));
            }
        }
        autos.sort(Comparator.comparingLong(LiveAuto::openedNanos).thenComparing(LiveAuto::file));
        return autos;
    }

    /** Returns the decisions beside a trace record. */
    private List<Decision> decisions(long number, ByteBuffer trace, long began) throws IOException {
        Place place = decisions.get(number);
        if (place == null
                || place.record.getLong(CounterLayout.OWNER_GENERATION)
                        != trace.getLong(CounterLayout.GENERATION)) {
            return List.of();
        }
        ByteBuffer again = memory(BYTES);
        return fill(again, place.number * BYTES) < BYTES
                ? List.of()
                : DecisionsBlock.of(place.record, again, began);
    }

    private List<LivePages> pages(long began) {
        List<LivePages> files = new ArrayList<>();
        for (ByteBuffer record : pages) {
            files.add(PagesBlock.of(record, began));
        }
        List<LivePages> blocks = new ArrayList<>(files);
        for (ByteBuffer record : caches) {
            blocks.add(PagesBlock.ofCache(record, began, files));
        }
        blocks.sort(Comparator.comparingLong(LivePages::beganNanos));
        return blocks;
    }

    /** Reads as much as there is, from a place in the file. */
    private int fill(ByteBuffer buffer, long from) throws IOException {
        int begin = buffer.position();
        int got = 0;
        while (buffer.hasRemaining() && got >= 0) {
            got = channel.read(buffer, from + buffer.position() - begin);
        }
        return buffer.position() - begin;
    }

    /** Returns text that ends with a zero byte or its field. */
    static String text(ByteBuffer record, int at, int bytes) {
        byte[] field = new byte[bytes];
        record.get(at, field);
        int length = 0;
        while (length < bytes && field[length] != 0) {
            length++;
        }
        return new String(field, 0, length, StandardCharsets.UTF_8);
    }
}
