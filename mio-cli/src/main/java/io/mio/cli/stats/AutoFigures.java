package io.mio.cli.stats;

import io.mio.cli.AutoBlock.Decision;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code pf/auto} did in all opens of one file name. */
final class AutoFigures {
    /** Most different decisions kept for a file. Reasons contain figures, so there can be many. */
    private static final int DECISIONS_MAX = 16;

    private final Map<Decision, Long> decisions = new LinkedHashMap<>(4);
    private String state = "";
    private long opens;
    private long looks;
    private long hints;
    private long hintBytes;
    private long cached;
    private long more;

    void add(BlockSink.Auto block) {
        opens++;
        state = block.state();
        looks = Counts.add(looks, block.looks());
        hints = Counts.add(hints, block.hints());
        hintBytes = Counts.add(hintBytes, block.hintBytes());
        cached = Counts.add(cached, block.cached());
        more = Counts.add(more, Math.max(0, block.moreDecisions()));
        for (Decision decision : block.decisions()) {
            add(decision, 1);
        }
    }

    /** Adds the figures of another program for the same file name. */
    void add(AutoFigures other) {
        opens += other.opens;
        state = other.state;
        looks = Counts.add(looks, other.looks);
        hints = Counts.add(hints, other.hints);
        hintBytes = Counts.add(hintBytes, other.hintBytes);
        cached = Counts.add(cached, other.cached);
        more = Counts.add(more, other.more);
        other.decisions.forEach(this::add);
    }

    private void add(Decision decision, long times) {
        if (decisions.containsKey(decision) || decisions.size() < DECISIONS_MAX) {
            decisions.merge(decision, times, Long::sum);
        } else {
            more = Counts.add(more, times);
        }
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

    /**
     * Returns the different decisions with how often they were made, in the order in which they
     * came first.
     */
    Map<Decision, Long> decisions() {
        return decisions;
    }

    /** Returns how many decisions are not in {@link #decisions}. */
    long moreDecisions() {
        return more;
    }
}
