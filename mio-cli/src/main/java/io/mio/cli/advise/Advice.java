package io.mio.cli.advise;

import java.util.List;

/**
 * The advice for a group of files.
 *
 * @param group the files
 * @param chosen the rule to set, with what it would do as the only one; null: leave the files alone
 * @param tried all rules that were tried
 * @param does what the program does with the files, in words
 * @param why the reason for the rule, or for none, in words
 */
record Advice(Group group, Tried chosen, List<Tried> tried, String does, String why) {
    /** The same without a rule, because beside the rules of other files it would gain nothing. */
    Advice withdrawn() {
        return new Advice(group, null, tried, does, Words.WITHDRAWN);
    }

    /** Time that the run gains if this is the only rule, in nanoseconds; 0 without a rule. */
    long gainNanos(long runNanos) {
        return chosen == null ? 0 : runNanos - chosen.runNanos();
    }
}
