package io.mio.cli.advise;

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

    private static boolean isSimpler(Tried one, Tried two) {
        if (one.isHints() != two.isHints()) {
            return one.isHints();
        }
        return one.memoryBytes() < two.memoryBytes();
    }
}
