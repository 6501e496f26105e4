package io.mio.cli.simulate;

import io.mio.cli.term.CliException;
import io.mio.cli.term.JavaOptions;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Plays the calls of a recording with one configuration, through the cache's own layer. The calls
 * come in the order in which they began. Each begins at the time of its thread's clock ({@link
 * ThreadClocks}), and is played to its end before the next one. The device only tells times ({@link
 * Timeline}).
 */
final class Replay implements PlayedCalls.Player {
    /** Largest offset of a call that is played; no file is so long. */
    private static final long FARTHEST = 1L << 60;

    private static final int BUFFER_LEAST = 1 << 16;

    private final Rules rules;
    private final Device device;
    private final Recording recording;
    private final Timeline timeline;
    private final ThreadClocks clocks;
    private final Map<Rule, Optimum> optima = new LinkedHashMap<>();
    private final PageCounts counts = new PageCounts();

    /** The processes that have made a call, and not their last one. */
    private final Map<Long, SimulatedProcess> processes = new LinkedHashMap<>();

    /** The rule of each open, by the number of the open. */
    private final Map<Integer, Rule> ruleOf = new HashMap<>();

    /** The opens under {@code pf/auto}. */
    private final HintedOpens hinted;

    /** Memory that ended processes took for caches. */
    private long takenBytes;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LEAST);

    /** Tells which rule a file has; {@link Rule#isNone} leaves its calls as they were recorded. */
    @FunctionalInterface
    interface Rules {
        Rule of(EventFile file);
    }

    Replay(Rule rule, Device device, Recording recording) {
        this(any -> rule, device, recording);
    }

    Replay(Rules rules, Device device, Recording recording) {
        this.rules = rules;
        this.device = device;
        this.recording = recording;
        this.timeline =
                new Timeline(new DeviceQueue(device), device.submitNanos(), device.handoffNanos());
        this.hinted = new HintedOpens(device, timeline, recording.path());
        this.clocks = new ThreadClocks(device.recordNanos(), device.wakeNanos());
    }

    private Optimum optimum(Rule rule) {
        return optima.computeIfAbsent(
                rule, any -> new Optimum(rule.sectorBytes(), rule.keepsMemory()));
    }

    private Rule rule(int file) {
        return ruleOf.get(file);
    }

    /**
     * Plays the whole recording.
     *
     * @param rule that the outcome is shown with
     * @param progress is told now and then how many events were read
     * @throws IOException if the recording cannot be read
     */
    Outcome run(Rule rule, LongConsumer progress) throws IOException {
        try {
            recording.play(this, progress);
        } catch (IOException | CliException e) {
            endAll();
            throw e;
        }
        endAll();
        // Without a cache there is no best one.
        Belady best = optima.isEmpty() ? null : Belady.NONE;
        long memory = hinted.memoryBytes();
        for (Optimum each : optima.values()) {
            Belady one = each.best();
            best = one == null || best == null ? null : best.plus(one);
            memory += each.memoryBytes();
        }
        return new Outcome(
                rule,
                Math.max(clocks.latest(), timeline.now()),
                timeline.stallNanos() + clocks.waitNanos(),
                timeline.stalls() + clocks.waits(),
                counts,
                memory,
                takenBytes + hinted.takenBytes(),
                best == null
                        ? null
                        : new Outcome.Best(
                                best.fetches(),
                                best.reads() == 0 ? -1 : best.hitShare(),
                                best.readBytes()),
                best == null ? -1 : bestNanos(best));
    }

    /** Time of the best possible: that of a program without waits, or of the device, if longer. */
    private long bestNanos(Belady best) {
        long written = Math.min(best.writtenBytes(), counts.pageWrittenBytes);
        long wire =
                best.fetches() * device.requestNanos()
                        + device.transferNanos(best.readBytes() + written);
        long turns = (best.fetches() + device.depth() - 1) / device.depth();
        return Math.max(clocks.latestBusy(), Math.max(wire, turns * device.latencyNanos()));
    }

    @Override
    public void call(Event call) throws IOException {
        if (call.kind() == Event.Kind.END) {
            clocks.returned(call);
            return;
        }
        Rule rule = ruleOf.computeIfAbsent(call.file(), any -> rules.of(recording.file(call)));
        long start = clocks.begin(call);
        timeline.at(start);
        if (rule.isNone() || rule.isHints()) {
            long nanos = rule.isNone() ? call.durationNanos() : hinted(call, rule);
            timeline.pass(nanos);
            clocks.end(call, timeline.now(), nanos);
            return;
        }
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

    /** Plays a call under {@code pf/auto}; returns how long its thread is busy, in nanoseconds. */
    private long hinted(Event call, Rule rule) throws IOException {
        TraceOperation operation = call.operation();
        if (operation == TraceOperation.CLOSE) {
            add(hinted.close(call.file()));
        } else if (call.failed() || !isPossible(call)) {
            return call.durationNanos();
        } else if (operation == TraceOperation.OPEN) {
            // Opened now, not at its first request: the open may truncate the file.
            hintedOpen(call, rule);
        } else if (operation == TraceOperation.READ) {
            HintedOpen open = hintedOpen(call, rule);
            return hinted.read(open, call, buffer(playedBytes(call, rule, call.delivered())));
        } else if (operation == TraceOperation.WRITE) {
            return hintedOpen(call, rule).write(call, buffer(call.delivered()));
        } else if (operation == TraceOperation.TRUNC) {
            return hintedOpen(call, rule).truncate(call);
        }
        return call.durationNanos();
    }

    private HintedOpen hintedOpen(Event call, Rule rule) throws IOException {
        HintedOpen open = hinted.get(call.file());
        if (open == null) {
            EventFile recorded = recording.file(call);
            SimulatedFile file = process(recorded.process()).file(recorded);
            open = hinted.begin(call.file(), recorded, file, rule);
        }
        return open;
    }

    /** False for numbers that cannot be played, as in a damaged recording. */
    private static boolean isPossible(Event call) {
        return call.requested() >= 0
                && call.requested() <= Integer.MAX_VALUE
                && call.delivered() >= 0
                && call.delivered() <= call.requested()
                && call.offset() <= FARTHEST;
    }

    /** Plays a read or a write; returns the bytes it moved. */
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
            optimum(rule(call.file()))
                    .wants(open.cacheId(), open.file().generation, offset, bytes, true);
        }
        open.write(buffer(bytes), offset, call.append());
        return bytes;
    }

    private long read(SimulatedOpen open, Event call) throws IOException {
        long offset = call.offset();
        if (offset < 0) {
            return 0;
        }
        open.reaches(call.delivered() > 0 ? offset + call.delivered() : 0);
        long there = Math.min(call.requested(), open.size() - offset);
        if (there > 0) {
            optimum(rule(call.file()))
                    .wants(open.cacheId(), open.file().generation, offset, there, false);
        }
        return open.read(buffer(playedBytes(call, rule(call.file()), there)), offset);
    }

    /**
     * Length of a read that is played. A program may ask for far more than there is, and most of
     * that needs no memory here.
     *
     * @param there bytes that the read can get
     */
    private static long playedBytes(Event read, Rule rule, long there) {
        long telling = Math.max(rule.tellingBytes(), Math.max(there, read.delivered()));
        return telling < read.requested() ? telling + 1 : read.requested();
    }

    private ByteBuffer buffer(long bytes) {
        if (bytes > buffer.capacity()) {
            try {
                buffer = ByteBuffer.allocateDirect((int) bytes);
            } catch (OutOfMemoryError e) {
                throw new CliException(
                        "not enough memory for a call of " + bytes + " bytes; " + JavaOptions.MORE);
            }
        }
        return buffer.clear().limit((int) bytes);
    }

    /** Plays a call that is no transfer; returns how long its thread is busy, in nanoseconds. */
    private long other(Event call) throws IOException {
        switch (call.operation()) {
            case OPEN -> {
                open(call);
                return call.durationNanos();
            }
            case CLOSE -> {
                SimulatedProcess process = process(recording.file(call).process());
                close(process, call.file(), process.opens.remove(call.file()));
            }
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

    private SimulatedProcess process(long number) {
        return processes.computeIfAbsent(number, any -> new SimulatedProcess(timeline));
    }

    private SimulatedOpen open(Event call) throws IOException {
        EventFile recorded = recording.file(call);
        SimulatedProcess process = process(recorded.process());
        SimulatedOpen open = process.opens.get(call.file());
        if (open == null) {
            Rule rule = rule(call.file());
            open = process.open(call.file(), recorded, rule);
            process.memory(optimum(rule).opened(open.cacheId(), open.frames(), open.pageBytes()));
        }
        return open;
    }

    private void close(SimulatedProcess process, int number, SimulatedOpen open)
            throws IOException {
        if (open != null) {
            int cache = open.cacheId();
            PfSnapshot counted = open.close();
            process.memory(-optimum(rule(number)).closed(cache));
            add(counted);
        }
    }

    private void add(PfSnapshot counted) {
        if (counted != null) {
            counts.add(counted);
        }
    }

    /** Closes what a process has left open, and gives up its caches, as its end does. */
    @Override
    public void ended(long number) throws IOException {
        long from = clocks.exits(number);
        hinted.exits(number, this::add);
        SimulatedProcess process = processes.remove(number);
        if (process == null) {
            return;
        }
        timeline.counts(true);
        timeline.at(from);
        Map<Integer, SimulatedOpen> left = process.opens;
        while (!left.isEmpty()) {
            int open = left.keySet().iterator().next();
            close(process, open, left.remove(open));
        }
        process.release((rule, cache) -> optimum(rule).gone(cache));
        takenBytes += process.memoryMost();
        clocks.exited(number, from, timeline.now());
    }

    /** Ends the processes whose last calls could not be played. */
    private void endAll() throws IOException {
        for (Long number : List.copyOf(processes.keySet())) {
            ended(number);
        }
    }
}
