package io.mio.cli.stats;

import io.mio.cli.PlanBlock;
import java.util.LinkedHashMap;
import java.util.Map;

/** How all opens of one file name went by their plans. */
final class PlanFigures {
    /** Most different reasons kept for a file. Reasons contain figures, so there can be many. */
    private static final int REASONS_MAX = 16;

    /**
     * Why a plan was not followed in the end.
     *
     * @param state {@code left} or {@code none}
     */
    record Reason(String state, String words) {}

    private final Map<Reason, Long> reasons = new LinkedHashMap<>(4);
    private PlanBlock last;
    private long opens;
    private long requests;
    private long followed;
    private long left;
    private long more;

    void add(PlanBlock block) {
        opens++;
        last = block;
        requests = Counts.add(requests, block.requests());
        followed = Counts.add(followed, block.followed());
        left = Counts.add(left, block.left());
        if (!block.reason().isEmpty()) {
            add(new Reason(block.state(), block.reason()), 1);
        }
    }

    /** Adds the figures of another program for the same file name. */
    void add(PlanFigures other) {
        opens += other.opens;
        last = other.last;
        requests = Counts.add(requests, other.requests);
        followed = Counts.add(followed, other.followed);
        left = Counts.add(left, other.left);
        more = Counts.add(more, other.more);
        other.reasons.forEach(this::add);
    }

    private void add(Reason reason, long times) {
        if (reasons.containsKey(reason) || reasons.size() < REASONS_MAX) {
            reasons.merge(reason, times, Long::sum);
        } else {
            more = Counts.add(more, times);
        }
    }

    /** Returns the number of blocks: several opens at once have one. */
    long opens() {
        return opens;
    }

    /** Returns what the last block said: its state, its place and the size of its plan. */
    PlanBlock last() {
        return last;
    }

    /**
     * Returns the requests that were looked up in the plans. This and the next two figures are
     * {@link Counts#UNKNOWN} if a report does not say.
     */
    long requests() {
        return requests;
    }

    long followed() {
        return followed;
    }

    /** Returns how often plans were left. */
    long left() {
        return left;
    }

    /** Returns the different reasons with how often they were given, in the order of the input. */
    Map<Reason, Long> reasons() {
        return reasons;
    }

    /** Returns how many reasons are not in {@link #reasons}. */
    long moreReasons() {
        return more;
    }
}
