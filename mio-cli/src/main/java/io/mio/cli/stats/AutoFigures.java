package io.mio.cli.stats;

import io.mio.cli.AutoBlock.Decision;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code pf/auto} did for all opens of one file name. */
final class AutoFigures {
    /** Different decisions that are kept of a file: reasons have figures in them. */
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

    /** Adds those of the same name of another program. */
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

    /** What happened in the end to the last one, a word. */
    String state() {
        return state;
    }

    /** {@link Counts#UNKNOWN} if the reports do not say; likewise the next ones. */
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

    /** Different ones in the order of the first opens that made them, and how many did. */
    Map<Decision, Long> decisions() {
        return decisions;
    }

    /** How many decisions are not among these. */
    long moreDecisions() {
        return more;
    }
}
