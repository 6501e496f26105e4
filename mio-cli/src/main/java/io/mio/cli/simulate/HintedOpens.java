package io.mio.cli.simulate;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The opens of a replay that are under {@code pf/auto}, by their numbers. */
final class HintedOpens {
    private final Device device;
    private final Timeline timeline;
    private final Path recording;
    private final Map<Integer, HintedOpen> opens = new LinkedHashMap<>();

    /** A process with such opens. */
    private static final class Owner {
        /** Number of opens that have pages. */
        final AtomicInteger paged = new AtomicInteger();

        long nowBytes;
        long mostBytes;
    }

    private final Map<Long, Owner> owners = new HashMap<>();

    private long nowBytes;
    private long memoryBytes;
    private long takenBytes;

    /**
     * Creates an empty set of opens for a replay.
     *
     * @param recording its events file
     */
    HintedOpens(Device device, Timeline timeline, Path recording) {
        this.device = device;
        this.timeline = timeline;
        this.recording = recording;
    }

    /** The open with this number, or null if it has not begun. */
    HintedOpen get(int number) {
        return opens.get(number);
    }

    /** Begins the open with this number. */
    HintedOpen begin(int number, EventFile recorded, SimulatedFile file, Rule rule)
            throws IOException {
        AtomicInteger ofProcess = owner(recorded.process()).paged;
        HintedOpen open =
                new HintedOpen(recorded, file, rule, device, timeline, recording, ofProcess);
        opens.put(number, open);
        return open;
    }

    private Owner owner(long process) {
        return owners.computeIfAbsent(process, any -> new Owner());
    }

    /** Plays a read; returns what {@link HintedOpen#read} does. */
    long read(HintedOpen open, Event call, ByteBuffer buffer) throws IOException {
        long before = open.memoryBytes();
        long nanos = open.read(call, buffer);
        memory(open, open.memoryBytes() - before);
        return nanos;
    }

    private void memory(HintedOpen open, long moreBytes) {
        if (moreBytes != 0) {
            Owner owner = owner(open.process());
            owner.nowBytes += moreBytes;
            takenBytes += Math.max(0, owner.nowBytes - owner.mostBytes);
            owner.mostBytes = Math.max(owner.mostBytes, owner.nowBytes);
            nowBytes += moreBytes;
            memoryBytes = Math.max(memoryBytes, nowBytes);
        }
    }

    /** Most memory that the pages of all opens took at the same time, in bytes. */
    long memoryBytes() {
        return memoryBytes;
    }

    /** The same of each process, added up. */
    long takenBytes() {
        return takenBytes;
    }

    /**
     * Closes the open with this number. Returns what {@link HintedOpen#close} does, or null if the
     * open has not begun.
     */
    PfSnapshot close(int number) throws IOException {
        HintedOpen open = opens.get(number);
        if (open == null) {
            return null;
        }
        opens.remove(number);
        memory(open, -open.memoryBytes());
        return open.close();
    }

    /** Closes what a process has left open; {@code told} gets the result of each. */
    void exits(long process, Consumer<PfSnapshot> told) throws IOException {
        List<Integer> left = new ArrayList<>();
        opens.forEach(
                (number, open) -> {
                    if (open.process() == process) {
                        left.add(number);
                    }
                });
        for (Integer number : left) {
            told.accept(close(number));
        }
        owners.remove(process);
    }
}
