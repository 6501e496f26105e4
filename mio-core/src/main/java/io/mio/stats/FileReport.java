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
        /** The block as it stands, or null if there is nothing to say this time. */
        StatsBlock snapshot(Event event);

        /** The file is closed and was reported: what others could see of it live is given back. */
        default void release() {}
    }

    private record Line(String target, boolean inter, Source source) {}

    private final StatsOutput output;
    private final List<Line> lines = new ArrayList<>();

    /** A report that goes to {@code output}. */
    public FileReport(StatsOutput output) {
        this.output = output;
    }

    /**
     * Adds what a layer has to say; layers are added from the lowest up, before the first report.
     *
     * @param target stats file, {@link StatsOutput#MIOOUT}, or null: counted, never written
     * @param inter true if the layer reports while the program runs when the process is signalled
     */
    public void add(String target, boolean inter, Source source) {
        lines.add(new Line(target, inter, source));
    }

    /** True if there is nothing to say. */
    boolean isEmpty() {
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

    /** Writes all blocks; for {@code onlyInter}, those of layers that report on a signal. */
    void write(Event event, boolean onlyInter) {
        List<StatsOutput.Entry> entries = new ArrayList<>();
        for (Line line : lines) {
            // A snapshot asks for the file system, which costs system calls: only what is written.
            if (line.target != null && output.hasFile(line.target) && (line.inter || !onlyInter)) {
                StatsBlock block = line.source.snapshot(event);
                if (block != null) {
                    entries.add(new StatsOutput.Entry(line.target, block));
                }
            }
        }
        output.write(entries);
    }

    void release() {
        for (Line line : lines) {
            line.source.release();
        }
    }

    /** The blocks as they stand, whether they are written or not. */
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
