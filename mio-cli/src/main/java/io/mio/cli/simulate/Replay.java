package io.mio.cli.simulate;

import io.mio.cli.term.CliException;
import io.mio.config.PfOption;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.layer.FileKey;
import io.mio.pf.PlanFile;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Plays the calls of a recording, with one configuration, through the cache's own layer. Calls come
 * in the order in which they began; each is played to its end before the next one, at the time that
 * the clock of its thread has ({@link ThreadClocks}), over a device that tells times alone ({@link
 * Timeline}).
 */
final class Replay {
    private static final AtomicLong KEYS = new AtomicLong();

    /** No device has this number. */
    private static final long DEVICE = Long.MIN_VALUE + 7;

    /** No file is so long. */
    private static final long FARTHEST = 1L << 60;

    private static final int BUFFER_LEAST = 1 << 16;

    /** A file of a process of the recording. */
    private record Known(long process, long device, long inode) {}

    private final Rule rule;
    private final Map<Integer, PlanFile> plansOf = new HashMap<>();

    /** Of the rule's events file, once it was read. */
    private PlanFile plans;

    private final Device device;
    private final Recording recording;
    private final Timeline timeline;
    private final ThreadClocks clocks = new ThreadClocks();
    private final Optimum optimum;
    private final PageCounts counts = new PageCounts();
    private final Map<Long, Integer> processes = new HashMap<>();
    private final Map<Known, SimulatedFile> files = new HashMap<>();

    /** The processes that have a cache, by their places. */
    private final Set<Integer> caching = new TreeSet<>();

    /** By the number of the open, in the order in which they were opened. */
    private final Map<Integer, SimulatedOpen> opens = new LinkedHashMap<>();

    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LEAST);
    private int generations;

    Replay(Rule rule, Device device, Recording recording) {
        this.rule = rule;
        this.device = device;
        this.recording = recording;
        this.timeline = new Timeline(new DeviceQueue(device));
        this.optimum = new Optimum(rule.sectorBytes(), rule.keepsMemory());
    }

    /**
     * Plays all of it.
     *
     * @param progress is told now and then how many events were read
     * @throws IOException if the recording cannot be read
     */
    Outcome run(LongConsumer progress) throws IOException {
        try {
            recording.play(this::call, progress);
        } catch (IOException | CliException e) {
            closeAll();
            throw e;
        }
        closeAll();
        Belady best = optimum.best();
        return new Outcome(
                rule,
                Math.max(clocks.latest(), timeline.now()),
                timeline.stallNanos() + clocks.waitNanos(),
                timeline.stalls() + clocks.waits(),
                counts,
                optimum.memoryBytes(),
                best == null
                        ? null
                        : new Outcome.Best(
                                best.fetches(),
                                best.reads() == 0 ? -1 : best.hitShare(),
                                best.readBytes()),
                best == null ? -1 : bestNanos(best));
    }

    /** The device works all the time, or the program does. */
    private long bestNanos(Belady best) {
        long written = Math.min(best.writtenBytes(), counts.pageWrittenBytes);
        long wire =
                best.fetches() * device.requestNanos()
                        + device.transferNanos(best.readBytes() + written);
        long turns = (best.fetches() + device.depth() - 1) / device.depth();
        return Math.max(clocks.latestBusy(), Math.max(wire, turns * device.latencyNanos()));
    }

    private void call(Event call) throws IOException {
        if (call.kind() == Event.Kind.END) {
            clocks.returned(call);
            return;
        }
        long start = clocks.begin(call);
        timeline.at(start);
        TraceOperation operation = call.operation();
        boolean transfers = operation.isTransfer() && !call.failed() && isPossible(call);
        boolean goesOn = transfers && operation.isAsynchronous();
        timeline.counts(!goesOn);
        long busy;
        if (transfers) {
            busy = device.callNanos(transfer(call));
        } else if (call.failed() || operation.isTransfer()) {
            busy = call.durationNanos();
        } else {
            busy = other(call);
        }
        timeline.pass(busy);
        if (goesOn) {
            clocks.submitted(call, timeline.now(), busy, call.durationNanos());
        } else {
            clocks.end(call, timeline.now(), busy);
        }
    }

    /** A damaged recording may say anything. */
    private static boolean isPossible(Event call) {
        return call.requested() >= 0
                && call.requested() <= Integer.MAX_VALUE
                && call.delivered() >= 0
                && call.delivered() <= call.requested()
                && call.offset() <= FARTHEST;
    }

    /** Returns the bytes. */
    private long transfer(Event call) throws IOException {
        SimulatedOpen open = open(call);
        boolean async = call.operation().isAsynchronous();
        if (!call.operation().isWrite()) {
            return read(open, call);
        }
        long bytes = async ? call.requested() : call.delivered();
        long offset = call.offset();
        if (bytes == 0 || (offset < 0 && !call.append())) {
            return 0;
        }
        if (open.keepsWrites() && !call.append()) {
            optimum.wants(open.cacheId(), open.file().generation, offset, bytes, true);
        }
        open.write(buffer(bytes), offset, call.append());
        return bytes;
    }

    private long read(SimulatedOpen open, Event call) throws IOException {
        long offset = call.offset();
        if (offset < 0) {
            return 0;
        }
        long there = Math.min(call.requested(), open.size() - offset);
        if (there > 0) {
            optimum.wants(open.cacheId(), open.file().generation, offset, there, false);
        }
        return open.read(buffer(call.requested()), offset);
    }

    private ByteBuffer buffer(long bytes) {
        if (bytes > buffer.capacity()) {
            try {
                buffer = ByteBuffer.allocateDirect((int) bytes);
            } catch (OutOfMemoryError e) {
                throw new CliException(
                        "not enough memory for a call of "
                                + bytes
                                + " bytes; give Java more: -XX:MaxDirectMemorySize");
            }
        }
        return buffer.clear().limit((int) bytes);
    }

    /** Returns how long it keeps the processor. */
    private long other(Event call) throws IOException {
        switch (call.operation()) {
            case OPEN -> {
                open(call);
                return call.durationNanos();
            }
            case CLOSE -> close(opens.remove(call.file()));
            case TRUNC -> {
                if (call.offset() >= 0) {
                    open(call).truncate(call.offset());
                }
            }
            case FSYNC -> open(call).flush();
            default -> {
                return call.durationNanos();
            }
        }
        return device.callNanos();
    }

    private SimulatedOpen open(Event call) throws IOException {
        SimulatedOpen open = opens.get(call.file());
        if (open == null) {
            open = open(recording.file(call));
            opens.put(call.file(), open);
        }
        return open;
    }

    /** Each process follows its plans by itself. Null if the rule has none. */
    private PlanFile plans(int process) {
        if (!rule.cache().isOn(PfOption.PLAN)) {
            return null;
        }
        if (plans == null) {
            plans = PlanFile.of(FileSystems.getDefault(), rule.cache().text(PfOption.PLAN));
            if (plans.failure() != null) {
                throw new CliException("--config " + rule.text() + ": " + plans.failure());
            }
        }
        return plansOf.computeIfAbsent(process, any -> plans.another());
    }

    private SimulatedOpen open(EventFile recorded) throws IOException {
        Integer process = processes.computeIfAbsent(recorded.process(), any -> processes.size());
        SimulatedFile file = file(recorded);
        if (file.generation == 0 || (file.opens == 0 && !rule.retains())) {
            file.generation = ++generations;
        }
        try {
            SimulatedOpen open =
                    new SimulatedOpen(
                            recorded,
                            rule.cacheOf(process),
                            rule.sectorBytes(),
                            file,
                            timeline,
                            plans(process));
            optimum.opened(open.cacheId(), open.frames(), open.pageBytes());
            caching.add(process);
            return open;
        } catch (OutOfMemoryError e) {
            throw new CliException(
                    "--config "
                            + rule.text()
                            + ": not enough memory to simulate so many pages; give Java more, or"
                            + " take larger pages");
        }
    }

    private SimulatedFile file(EventFile recorded) {
        boolean known = recorded.device() != 0 || recorded.inode() != 0;
        if (!known) {
            return new SimulatedFile(null);
        }
        return files.computeIfAbsent(
                new Known(recorded.process(), recorded.device(), recorded.inode()),
                any -> new SimulatedFile(new FileKey(DEVICE, KEYS.incrementAndGet())));
    }

    private void close(SimulatedOpen open) throws IOException {
        if (open != null) {
            int cache = open.cacheId();
            PfSnapshot counted = open.close();
            optimum.closed(cache);
            if (counted != null) {
                counts.add(counted);
            }
        }
    }

    /** What the program has left open is closed at its end. */
    private void closeAll() throws IOException {
        if (!opens.isEmpty()) {
            timeline.counts(true);
            timeline.at(Math.max(clocks.latest(), timeline.now()));
        }
        while (!opens.isEmpty()) {
            close(opens.remove(opens.keySet().iterator().next()));
        }
        release();
    }

    /** Nothing of it stays in this process. */
    private void release() throws IOException {
        if (rule.keepsMemory()) {
            for (int process : caching) {
                new SimulatedOpen(
                                nobody(),
                                rule.released(process),
                                rule.sectorBytes(),
                                new SimulatedFile(null),
                                timeline,
                                null)
                        .close();
            }
        }
    }

    private static EventFile nobody() {
        return new EventFile(
                0, EventFormat.OF_TRACE, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, "", "", "", "");
    }
}
