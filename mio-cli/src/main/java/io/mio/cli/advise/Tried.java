package io.mio.cli.advise;

/**
 * What a rule would do to the run if it was the only one.
 *
 * @param rule options of a {@code pf} layer
 * @param runNanos the whole run would take
 * @param memoryBytes of its caches
 */
record Tried(String rule, long runNanos, long memoryBytes) {
    boolean isHints() {
        return rule.equals(Candidates.HINTS);
    }
}
