package io.mio.cli.top;

/**
 * A decision of {@code pf/auto} for an open file.
 *
 * @param pid number of the process
 * @param program name of the program
 * @param file name of the file
 * @param killed whether the process is gone
 * @param door {@code native} or {@code jvm}
 * @param agoNanos nanoseconds from the decision to the reading
 * @param what the decision, one word
 * @param reason in words
 */
public record DecisionRow(
        long pid,
        String program,
        String file,
        boolean killed,
        String door,
        long agoNanos,
        String what,
        String reason) {}
