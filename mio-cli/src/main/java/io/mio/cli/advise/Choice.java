package io.mio.cli.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Chooses the rule to set from those that were tried, if any: pure. */
final class Choice {
    /** Smallest gain that counts, as a part of the run: one run differs from the next by less. */
    static final double GAIN_MIN = 0.03;

    /** Part of the gain that may be given up for less memory, or for none. */
    private static final double SIMPLER = 0.05;

    /** Most that the run with the chosen rule may take, as a multiple of the shortest run. */
    private static final double LONGER = 1.1;

    private Choice() {}

    /**
     * The rule to set, or null: leave the files alone.
     *
     * @param runNanos what the run takes without a rule
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
     * Chooses a rule for each group of files, so that all caches together fit into memory: the
     * groups that gain most have the first choice. Each group has a cache of its own, even if two
     * have the same rule, and under hints pages of its own, because it was tried like that.
     *
     * @param all the rules that were tried, by group
     * @param memoryBytes most memory of all caches together
     * @return the rule of each group, or null
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
