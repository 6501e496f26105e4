package io.mio.pf;

/**
 * This run of a file that has a plan: where it is, and how far ahead is read.
 *
 * @param plan nobody else's until the end
 * @param stream has the distance
 * @param from where the plan is from
 */
record PlanRun(PagePlan plan, Stream stream, PlanFile from) {
    /** The file is closed; it goes on from here when it is opened again. */
    void end() {
        plan.rewind();
        from.giveBack(plan);
    }
}
