package io.mio.config;

import java.util.List;

/** The setting {@code backend}: the best way of doing page requests that may be used. */
final class BackendName {
    /** The best one first. */
    private static final List<String> NAMES = List.of("uring", "threads", "sync");

    private BackendName() {}

    /**
     * Reads the setting.
     *
     * @param origin name of the text in messages
     * @return one of the names, or "" where the setting is empty
     * @throws ConfigException if there is no such way
     */
    static String parse(String origin, String text) {
        String word = text.trim();
        if (word.isEmpty() || NAMES.contains(word)) {
            return word;
        }
        throw new ConfigException(
                origin,
                text.indexOf(word) + 1,
                text,
                "there is no backend '"
                        + word
                        + "'"
                        + Nearest.hint(word, NAMES)
                        + " (backends: "
                        + String.join(", ", NAMES)
                        + ")");
    }
}
