package io.mio.cli.advise;

import java.util.List;

/**
 * What is said of a group of files.
 *
 * @param group of files
 * @param chosen rule to set, with what it would do as the only one; null: leave the files alone
 * @param tried all rules that were tried
 * @param does what the program does, in words
 * @param why the rule, or none
 */
record Advice(Group group, Tried chosen, List<Tried> tried, String does, String why) {
    /** Nothing is set, since with the rules of other files there is nothing left to gain. */
    Advice withdrawn() {
        return new Advice(group, null, tried, does, Words.WITHDRAWN);
    }

    /** Of the run, if this was the only rule. */
    long gainNanos(long runNanos) {
        return chosen == null ? 0 : runNanos - chosen.runNanos();
    }
}
