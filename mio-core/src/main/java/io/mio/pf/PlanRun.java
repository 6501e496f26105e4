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
     * @return null if it goes by a plan already
     */
    static PlanAnswer begin(CachedFile file, PlanFile plans, String name) {
        PageCache cache = file.cache();
        if (goesByOne(file, cache)) {
            return null;
        }
        String none = plans.failure();
        PagePlan plan = null;
        if (none == null) {
            try {
                plan = plans.take(name, cache.pageBytes());
                none = plan == null ? plans.without(name) : null;
            } catch (OutOfMemoryError e) {
                none = "no memory for it";
            }
        }
        cache.lock.lock();
        try {
            // Another open of the file may have been quicker.
            if (file.plan != null) {
                if (plan != null) {
                    plans.giveBack(plan);
                }
                return null;
            }
            if (plan == null) {
                file.planCounts().none(none);
                return new PlanAnswer(false, none);
            }
            file.plan = new PlanRun(plan, file.reads.planned(), plans);
            file.planCounts().follows(plan);
        } finally {
            cache.lock.unlock();
        }
        return new PlanAnswer(
                true, "goes by a plan of " + plan.size() + " pages" + plans.leftOut());
    }

    private static boolean goesByOne(CachedFile file, PageCache cache) {
        cache.lock.lock();
        try {
            return file.plan != null;
        } finally {
            cache.lock.unlock();
        }
    }

    /** The file is closed; when it is opened again, the run goes on from here. */
    void end() {
        plan.rewind();
        from.giveBack(plan);
    }
}
