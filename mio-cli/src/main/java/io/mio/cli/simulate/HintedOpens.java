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

    /** How many opens have pages, of each process. */
    private final Map<Long, AtomicInteger> paged = new HashMap<>();

    private long memoryBytes;

    /**
     * Of a replay.
     *
     * @param recording its events file
     */
    HintedOpens(Device device, Timeline timeline, Path recording) {
        this.device = device;
        this.timeline = timeline;
        this.recording = recording;
    }

    /** The open of that number, or null if it has not begun. */
    HintedOpen get(int number) {
        return opens.get(number);
    }

    /** It begins. */
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
     * What pages took of memory at most, bytes: as much as all files that had some at the time when
     * one of them was closed.
     */
    long memoryBytes() {
        return memoryBytes;
    }

    /** Returns what pages of the open counted, or null. */
    PfSnapshot close(int number) throws IOException {
        HintedOpen open = opens.get(number);
        if (open == null) {
            return null;
        }
        seeMemory();
        opens.remove(number);
        return open.close();
    }

    /** The same for all that are left; each is told to somebody. */
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
