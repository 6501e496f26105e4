package io.mio.pf;

import io.mio.stats.PfSnapshot;

/**
 * How the reads of a file go by a plan as long as the file has its cache, for the report. Holds the
 * plan only meanwhile: then another file may go by it. A plan counts under the lock of the cache;
 * other threads may see its counts a little late.
 */
final class PlanCounts {
    private PagePlan plan;

    /** If the file goes by no plan now: how it was, or null where no plan was asked for. */
    private PfSnapshot.Plan last;

    /** The file goes by this plan from now on. */
    synchronized void follows(PagePlan now) {
        now.countAnew();
        plan = now;
    }

    /**
     * There is no plan.
     *
     * @param reason in words
     */
    synchronized void none(String reason) {
        last = PfSnapshot.Plan.none(reason);
    }

    /** The plan is given back. */
    synchronized void end() {
        last = plan.counted();
        plan = null;
    }

    /** The counts so far, or null if no plan was asked for. */
    synchronized PfSnapshot.Plan snapshot() {
        return plan == null ? last : plan.counted();
    }
}
