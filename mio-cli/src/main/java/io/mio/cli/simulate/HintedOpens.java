package io.mio.cli.simulate;

import io.mio.events.EventFile;
import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The opens of a replay that are under {@code pf/auto}, by their numbers. */
final class HintedOpens {
    private final Device device;
    private final Timeline timeline;
    private final Path recording;
    private final Map<Integer, HintedOpen> opens = new LinkedHashMap<>();

    /** The number of opens that have pages, by process. */
    private final Map<Long, AtomicInteger> paged = new HashMap<>();

    private long memoryBytes;

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
        AtomicInteger ofProcess =
                paged.computeIfAbsent(recorded.process(), any -> new AtomicInteger());
        HintedOpen open =
                new HintedOpen(recorded, file, rule, device, timeline, recording, ofProcess);
        opens.put(number, open);
        return open;
    }

    /**
     * Most memory that the pages of all opens took at the same time, in bytes; looked at whenever
     * an open is closed.
     */
    long memoryBytes() {
        return memoryBytes;
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
        seeMemory();
        opens.remove(number);
        return open.close();
    }

    /** Closes all opens that are left; {@code told} gets the result of each. */
    void closeAll(Consumer<PfSnapshot> told) throws IOException {
        for (Integer number : new ArrayList<>(opens.keySet())) {
            told.accept(close(number));
        }
    }

    private void seeMemory() {
        long bytes = 0;
        for (HintedOpen open : opens.values()) {
            bytes += open.memoryBytes();
        }
        memoryBytes = Math.max(memoryBytes, bytes);
    }
}
