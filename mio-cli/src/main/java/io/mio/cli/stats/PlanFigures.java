package io.mio.cli.stats;

import io.mio.cli.AutoBlock.Decision;
import io.mio.cli.PlanBlock;

/** How all opens of one file name went by their plans. */
final class PlanFigures {
    private final Reasons reasons = new Reasons();
    private PlanBlock last;
    private long opens;
    private long requests;
    private long followed;
    private long left;

    void add(PlanBlock block) {
        opens++;
        last = block;
        requests = Counts.add(requests, block.requests());
        followed = Counts.add(followed, block.followed());
        left = Counts.add(left, block.left());
        if (!block.reason().isEmpty()) {
            reasons.add(new Decision(block.state(), block.reason()));
        }
    }

    /** Adds the figures of another program for the same file name. */
    void add(PlanFigures other) {
        opens += other.opens;
        last = other.last;
        requests = Counts.add(requests, other.requests);
        followed = Counts.add(followed, other.followed);
        left = Counts.add(left, other.left);
        reasons.add(other.reasons);
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

    /** Returns why plans were left, or were not there. */
    Reasons reasons() {
        return reasons;
    }
}
