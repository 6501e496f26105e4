package io.mio.cli.advise;

/**
 * What a rule would do to the run if it was the only one.
 *
 * @param rule options of a {@code pf} layer
 * @param runNanos what the whole run would take
 * @param memoryBytes memory of the rule's caches
 */
record Tried(String rule, long runNanos, long memoryBytes) {
    boolean isHints() {
        return rule.equals(Candidates.HINTS);
    }
}
