package io.mio.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The option that a typed word means. An exact word wins, then abbreviations of the original's
 * words, then those of MIO's own, so an extension never takes an abbreviation away from the
 * original.
 *
 * @param option what is set
 * @param word its word in full, for example {@code nostats}
 */
record OptionName(LayerOption option, String word) {

    /** True if the word switches the option off. */
    boolean isOff() {
        return !word.equals(option.id()) && !option.traits().choices().contains(word);
    }

    /**
     * Finds the option of this layer that {@code typed} names.
     *
     * @throws ConfigException if there is none, or several
     */
    static OptionName find(LayerKind kind, String typed, TextPlace place) {
        OptionName exact = null;
        List<OptionName> original = new ArrayList<>();
        List<OptionName> extensions = new ArrayList<>();
        for (LayerOption option : kind.options()) {
            for (String word : option.words()) {
                if (word.equals(typed)) {
                    exact = new OptionName(option, word);
                } else if (word.startsWith(typed)) {
                    (option.isExtension() ? extensions : original)
                            .add(new OptionName(option, word));
                }
            }
        }
        if (exact != null) {
            return exact;
        }
        List<OptionName> fitting = original.isEmpty() ? extensions : original;
        if (fitting.isEmpty()) {
            String hint = Nearest.hint(typed, words(kind));
            if (hint.isEmpty()) {
                hint = "; it has " + String.join(" ", words(kind));
            }
            throw place.error(
                    kind.id()
                            + " has no option '"
                            + typed
                            + "'"
                            + hint
                            + " (docs/Configuration.md explains all options)");
        }
        if (fitting.size() > 1) {
            throw place.error(
                    "'"
                            + typed
                            + "' is short for several options of "
                            + kind.id()
                            + ": "
                            + list(fitting)
                            + "; write one of them");
        }
        return fitting.get(0);
    }

    private static List<String> words(LayerKind kind) {
        List<String> words = new ArrayList<>();
        for (LayerOption option : kind.options()) {
            words.addAll(option.words());
        }
        return words;
    }

    private static String list(List<OptionName> names) {
        StringBuilder list = new StringBuilder();
        for (OptionName name : names) {
            list.append(list.length() == 0 ? "" : ", ").append(name.word);
        }
        return list.toString();
    }
}
