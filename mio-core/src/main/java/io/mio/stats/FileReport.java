package io.mio.stats;

import io.mio.stats.TraceSnapshot.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * The report of one open file: what each of its layers will say, lowest first, as the original's
 * modules report while a close runs down the stack (reference 1.3).
 *
 * <p>Holds counters, never layers or channels: a file that the program forgets to close can still
 * be collected, and is closed then as it would be without MIO.
 */
public final class FileReport {
    /** Takes a snapshot of a layer's counters. Called by any thread, also after the close. */
    @FunctionalInterface
    public interface Source {
        /** Returns the block as it stands, or null if there is nothing to say this time. */
        StatsBlock snapshot(Event event);

        /** Adds what the program did, if this layer counts it; false if not. No system calls. */
        default boolean addProgram(IoTotals totals) {
            return false;
        }

        /** Adds what a cache did. */
        default void addPages(IoTotals totals) {}

        /** Gives back what others could see live: the file is closed and was reported. */
        default void release() {}
    }

    private record Line(String target, boolean inter, Source source) {}

    private final StatsOutput output;
    private final String name;
    private volatile String layers = "";
    private final long openedNanos;
    private final List<Line> lines = new ArrayList<>();

    /** Makes a report that goes to {@code output}, of a file without a known name. */
    public FileReport(StatsOutput output) {
        this(output, "", System.nanoTime());
    }

    /**
     * Makes a report that goes to {@code output}.
     *
     * @param name of the file, as the program gave it
     * @param openedNanos {@link System#nanoTime} of the open
     */
    public FileReport(StatsOutput output, String name, long openedNanos) {
        this.output = output;
        this.name = name;
        this.openedNanos = openedNanos;
    }

    /** Name of the file, as the program gave it. */
    public String name() {
        return name;
    }

    /** Names of the layers from the program down, for example {@code trace|pf|os}. */
    public String layers() {
        return layers;
    }

    /** Sets the names of the layers, which are composed after the report is made. */
    public void layers(String names) {
        layers = names;
    }

    /** How long the file has been open, nanoseconds. */
    public long openNanos() {
        return System.nanoTime() - openedNanos;
    }

    /** What its layers have counted so far. */
    public IoTotals totals() {
        IoTotals totals = new IoTotals();
        addTo(totals);
        return totals;
    }

    /** Adds what the program did, as the uppermost counting layer has it, and what caches did. */
    void addTo(IoTotals totals) {
        boolean counted = false;
        for (int i = lines.size() - 1; i >= 0; i--) {
            Source source = lines.get(i).source;
            counted = counted || source.addProgram(totals);
            source.addPages(totals);
        }
    }

    /**
     * Adds what a layer has to say. Layers are added from the lowest up, before the first report.
     *
     * @param target stats file, {@link StatsOutput#MIOOUT}, or null: counted, never written
     * @param inter true if the layer reports while the program runs when the process is signalled
     */
    public void add(String target, boolean inter, Source source) {
        lines.add(new Line(target, inter, source));
    }

    /** True if there is nothing to say. */
    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /** True if a layer reports on a signal. */
    public boolean hasInter() {
        for (Line line : lines) {
            if (line.inter) {
                return true;
            }
        }
        return false;
    }

    /** Writes all blocks; with {@code onlyInter} only those of layers that report on a signal. */
    void write(Event event, boolean onlyInter) {
        List<StatsOutput.Entry> entries = new ArrayList<>();
        for (Line line : lines) {
            // Only for what is written: a snapshot asks for the file system, by system calls.
            if (line.target != null && output.hasFile(line.target) && (line.inter || !onlyInter)) {
                StatsBlock block = line.source.snapshot(event);
                if (block != null) {
                    entries.add(new StatsOutput.Entry(line.target, block));
                }
            }
        }
        output.write(entries);
    }

    /** Ends reporting: gives back what others could see of the file live. Call this once. */
    public void release() {
        for (Line line : lines) {
            line.source.release();
        }
    }

    /** Returns the blocks as they stand, whether they are written or not. */
    List<StatsBlock> snapshots() {
        List<StatsBlock> blocks = new ArrayList<>();
        for (Line line : lines) {
            StatsBlock block = line.source.snapshot(Event.INTER);
            if (block != null) {
                blocks.add(block);
            }
        }
        return blocks;
    }
}
