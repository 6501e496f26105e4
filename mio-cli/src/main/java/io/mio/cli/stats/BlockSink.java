package io.mio.cli.stats;

import io.mio.cli.AutoBlock.Decision;
import io.mio.cli.PlanBlock;
import java.util.List;

/** Takes what the readers of both report forms find, in the order of the input. */
interface BlockSink {
    /** Process number for reports that do not have one: the classic text. */
    long NO_PID = -1;

    /**
     * The configuration part of a report.
     *
     * @param pid process, or {@link #NO_PID}
     * @param program as the report names it; empty if it does not
     */
    record Start(long pid, String program, String host, String engine) {}

    /**
     * A block of trace.
     *
     * @param pid process, or {@link #NO_PID} for that of the last header
     * @param event {@code close}, {@code exit} or {@code inter}
     * @param file name with its control characters escaped as in the classic text
     * @param opened when the file was opened, in a form that tells the opens of one process apart
     * @param nowNanos when the block was made, since the library was first used; -1 if not known
     */
    record Trace(
            long pid,
            String event,
            String file,
            String above,
            String below,
            String opened,
            long nowNanos,
            Counts counts) {}

    /**
     * A block of pf.
     *
     * @param file null in the block of a cache
     * @param plan how the file went by a plan; null if the block does not say
     */
    record Pf(long pid, String event, String file, String tag, Counts counts, PlanBlock plan) {}

    /**
     * A block of pf/auto.
     *
     * @param opened as for trace; empty if the form does not say
     * @param looks requests looked at; this and the next counts are {@link Counts#UNKNOWN} if they
     *     are not there
     */
    record Auto(
            long pid,
            String event,
            String file,
            String tag,
            String opened,
            String state,
            long looks,
            long hints,
            long hintBytes,
            long cached,
            List<Decision> decisions,
            long moreDecisions) {}

    void start(Start start);

    void trace(Trace block);

    void pf(Pf block);

    void auto(Auto block);

    /**
     * Takes the line of a recov layer that tried again, or gave up.
     *
     * @param file null where the line does not say
     */
    void recov(long pid, String file, boolean failed);

    /** Takes what is wrong with a line or block, which is left out. */
    void mistake(String what);
}
