package io.mio.config;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The debug keywords that are on. */
public final class DebugKeywords {
    private final Set<DebugKeyword> on = EnumSet.noneOf(DebugKeyword.class);

    private DebugKeywords() {}

    /**
     * Reads MIO_DEBUG: words in any case, with blanks between them.
     *
     * @param origin name of the text in messages
     * @throws ConfigException if a word is not known
     */
    static DebugKeywords parse(String origin, String text) {
        DebugKeywords keywords = new DebugKeywords();
        ConfigText in = new ConfigText(origin, text);
        in.skipBlanks();
        while (!in.atEnd()) {
            int start = in.position();
            String word = in.word("");
            DebugKeyword keyword = find(word);
            if (keyword == null) {
                throw in.error(
                        start,
                        "there is no debug keyword '"
                                + word
                                + "'"
                                + Nearest.hint(word, names())
                                + " (keywords: "
                                + String.join(" ", names())
                                + ")");
            }
            keywords.add(keyword);
            in.skipBlanks();
        }
        return keywords;
    }

    /** True if the keyword was typed, or {@code ALL} was and stands for it. */
    public boolean isOn(DebugKeyword keyword) {
        return on.contains(keyword);
    }

    /**
     * Keywords that get a line {@code MIO_DEBUG OPEN =T} in the header, in the header's order.
     * {@code MATCH} has none, as in the original; {@code ALL} has the lines of those it stands for.
     */
    public List<DebugKeyword> shown() {
        List<DebugKeyword> shown = new ArrayList<>();
        for (DebugKeyword keyword : on) {
            if (keyword != DebugKeyword.ALL && keyword != DebugKeyword.MATCH) {
                shown.add(keyword);
            }
        }
        return shown;
    }

    private void add(DebugKeyword keyword) {
        on.add(keyword);
        if (keyword == DebugKeyword.ALL) {
            for (DebugKeyword each : DebugKeyword.values()) {
                if (each != DebugKeyword.ABORT) {
                    on.add(each);
                }
            }
        }
    }

    private static DebugKeyword find(String word) {
        for (DebugKeyword keyword : DebugKeyword.values()) {
            if (isName(keyword.name(), word)) {
                return keyword;
            }
        }
        return null;
    }

    /** Compares in any case, but only the letters A to Z: look-alikes of other alphabets differ. */
    private static boolean isName(String name, String word) {
        boolean same = word.length() == name.length();
        for (int i = 0; same && i < name.length(); i++) {
            char c = word.charAt(i);
            same = (c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c) == name.charAt(i);
        }
        return same;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (DebugKeyword keyword : DebugKeyword.values()) {
            names.add(keyword.name());
        }
        return names;
    }
}
