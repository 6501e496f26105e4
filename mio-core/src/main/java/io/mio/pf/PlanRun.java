package io.mio.pf;

/**
 * The run of a file that has a plan: where it is in the plan, and how far ahead is read.
 *
 * @param plan used by nobody else until the end
 * @param stream has the distance
 * @param from where the plan is from
 */
record PlanRun(PagePlan plan, Stream stream, PlanFile from) {
    /**
     * Has a file read ahead by its plan, unless it goes by one already. Without the lock of the
     * cache.
     *
     * @param name of the file as the earlier run gave it
     * @return what came of it, in a line for whoever wants to see opens, or null
     */
    static String begin(CachedFile file, PlanFile plans, String name) {
        PageCache cache = file.cache();
        if (plans.failure() != null) {
            return plans.failure();
        }
        PagePlan plan;
        try {
            plan = plans.take(name, cache.pageBytes());
        } catch (OutOfMemoryError e) {
            return "no plan: no memory for it";
        }
        if (plan == null) {
            return plans.without(name);
        }
        cache.lock.lock();
        try {
            if (file.plan != null) {
                plans.giveBack(plan);
                return null;
            }
            file.plan = new PlanRun(plan, file.reads.planned(), plans);
        } finally {
            cache.lock.unlock();
        }
        return "goes by a plan of " + plan.size() + " pages" + plans.leftOut();
    }

    /** The file is closed; when it is opened again, the run goes on from here. */
    void end() {
        plan.rewind();
        from.giveBack(plan);
    }
}
