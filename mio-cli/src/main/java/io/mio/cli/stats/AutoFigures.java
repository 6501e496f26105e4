package io.mio.cli.stats;

/** What {@code pf/auto} did in all opens of one file name. */
final class AutoFigures {
    private final Reasons decisions = new Reasons();
    private String state = "";
    private long opens;
    private long looks;
    private long hints;
    private long hintBytes;
    private long cached;

    void add(BlockSink.Auto block) {
        opens++;
        state = block.state();
        looks = Counts.add(looks, block.looks());
        hints = Counts.add(hints, block.hints());
        hintBytes = Counts.add(hintBytes, block.hintBytes());
        cached = Counts.add(cached, block.cached());
        decisions.addMore(Math.max(0, block.moreDecisions()));
        block.decisions().forEach(decisions::add);
    }

    /** Adds the figures of another program for the same file name. */
    void add(AutoFigures other) {
        opens += other.opens;
        state = other.state;
        looks = Counts.add(looks, other.looks);
        hints = Counts.add(hints, other.hints);
        hintBytes = Counts.add(hintBytes, other.hintBytes);
        cached = Counts.add(cached, other.cached);
        decisions.add(other.decisions);
    }

    long opens() {
        return opens;
    }

    /** Returns one word for the state in which the last open ended. */
    String state() {
        return state;
    }

    /**
     * Returns the number of requests looked at. This and the next three figures are {@link
     * Counts#UNKNOWN} if the reports do not say.
     */
    long looks() {
        return looks;
    }

    long hints() {
        return hints;
    }

    long hintBytes() {
        return hintBytes;
    }

    long cached() {
        return cached;
    }

    /** Returns the decisions with their reasons. */
    Reasons decisions() {
        return decisions;
    }
}
