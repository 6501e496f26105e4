package io.mio.config;

import java.util.List;

/**
 * One rule of MIO_FILES.
 *
 * @param names the name list as typed, without blanks round the names
 * @param patterns the names, in order
 * @param stack layers of the files that match
 */
public record FileRule(String names, List<NamePattern> patterns, StackSpec stack) {

    /** Copies the list. */
    public FileRule {
        patterns = List.copyOf(patterns);
    }

    /** The first pattern that fits {@code name}, the name as the program gave it, or null. */
    public NamePattern matching(String name) {
        for (int i = 0; i < patterns.size(); i++) {
            if (patterns.get(i).matches(name)) {
                return patterns.get(i);
            }
        }
        return null;
    }
}
