package io.mio.cli.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which of the rules that were tried is the one to set, if any: pure. */
final class Choice {
    /** Of the run: less is within what one run differs from the next by. */
    static final double GAIN_MIN = 0.03;

    /** So much of the gain may be given up for less memory, or for none at all. */
    private static final double SIMPLER = 0.05;

    /** And the run may become so much longer by that. */
    private static final double LONGER = 1.1;

    private Choice() {}

    /**
     * The one to set, or null: leave the files alone.
     *
     * @param runNanos the run takes without
     */
    static Tried of(long runNanos, List<Tried> all) {
        long best = runNanos;
        for (Tried each : all) {
            best = Math.min(best, each.runNanos());
        }
        long gain = runNanos - best;
        if (gain < GAIN_MIN * runNanos || gain <= 0) {
            return null;
        }
        Tried chosen = null;
        for (Tried each : all) {
            boolean goodEnough =
                    runNanos - each.runNanos() >= (1 - SIMPLER) * gain
                            && each.runNanos() <= LONGER * best;
            if (goodEnough && (chosen == null || isSimpler(each, chosen))) {
                chosen = each;
            }
        }
        return chosen;
    }

    /**
     * One for each group of files, so that all caches together fit into memory: the groups that
     * gain most have the first choice. Each has a cache of its own, with the same rule or not, and
     * pages of its own under hints: so it was tried.
     *
     * @param all of each group the rules that were tried
     * @param memoryBytes of all caches, at most
     * @return of each group the rule, or null
     */
    static List<Tried> within(long runNanos, List<List<Tried>> all, long memoryBytes) {
        Tried[] chosen = new Tried[all.size()];
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = of(runNanos, all.get(i));
            order.add(i);
        }
        order.sort(
                Comparator.comparingLong(
                        i -> chosen[i] == null ? Long.MAX_VALUE : chosen[i].runNanos()));
        long left = memoryBytes;
        for (int i : order) {
            long most = left;
            chosen[i] =
                    of(
                            runNanos,
                            all.get(i).stream()
                                    .filter(each -> each.memoryBytes() <= most)
                                    .toList());
            left -= chosen[i] == null ? 0 : chosen[i].memoryBytes();
        }
        return Arrays.asList(chosen);
    }

    private static boolean isSimpler(Tried one, Tried two) {
        if (one.isHints() != two.isHints()) {
            return one.isHints();
        }
        return one.memoryBytes() < two.memoryBytes();
    }
}
