package io.mio.live;

import io.mio.stats.TraceSnapshot;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * What one door of a process counts for the files it has open, at one moment. A JVM that also has
 * the native door shows twice. Names come from the process and may hold any character.
 *
 * @param path the file it was read from
 * @param pid number of the process
 * @param startTime when the process started, in the kernel's ticks: with the number it tells one
 *     process from another
 * @param state whether it runs
 * @param door how MIO got into it
 * @param program its name
 * @param engine how page requests are done, for example {@code io_uring}
 * @param began when the library started in it: zero of the times in the blocks
 * @param nowNanos nanoseconds from {@code began} to the reading
 * @param unrecorded layers so far that do not show here because there was no space for them
 * @param traces one block for each trace layer of each open file. {@link TraceSnapshot#openedNanos}
 *     with name and neighbours tells one from another
 * @param pages one block for each file that has pages, and one for each shared cache
 * @param autos one for each open that has a trace layer over {@code pf/auto}, or over a cache that
 *     has decided something
 */
public record LiveProcess(
        Path path,
        long pid,
        long startTime,
        State state,
        Door door,
        String program,
        String engine,
        Instant began,
        long nowNanos,
        long unrecorded,
        List<TraceSnapshot> traces,
        List<LivePages> pages,
        List<LiveAuto> autos) {

    /** Whether the process runs. */
    public enum State {
        /** The process runs. */
        RUNS,
        /** The process was killed, or executed another program without MIO's seeing it. */
        GONE
    }

    /** How MIO got into the process. */
    public enum Door {
        /** A native program. */
        NATIVE,
        /** A JVM. */
        JVM
    }
}
