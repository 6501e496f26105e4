package io.mio.config;

/**
 * A template for file names (reference 2.1, rules 2 and 3).
 *
 * <p>{@code *} stands for any number of characters other than {@code /}; {@code ?} for one
 * character other than {@code /}; {@code **} for any number of characters whatever they are. All
 * others, the backslash included, stand for themselves. A template without {@code /} is compared
 * with the last component of the name, one with {@code /} with the whole name as the program gave
 * it.
 *
 * <p>Matching allocates nothing. It remembers the last {@code *} and the last {@code **} and
 * lengthens what they stand for, first {@code *}, then {@code **}, until the rest fits. Earlier
 * ones need not be tried again, because the shortest text for them leaves the most to the rest.
 */
public final class NamePattern {
    private static final int NONE = -1;

    private final String template;
    private final boolean leafOnly;

    /** True for a template that fits every name: by far the most common ones; every open asks. */
    private final boolean fitsAll;

    NamePattern(String template) {
        this.template = template;
        this.leafOnly = template.indexOf('/') < 0;
        this.fitsAll = template.equals("*") || template.equals("**");
    }

    /** Makes a pattern without a rule, for tools that choose files as the rules do. */
    public static NamePattern of(String template) {
        return new NamePattern(template);
    }

    /** The template as typed, without braces. */
    public String template() {
        return template;
    }

    /** True if {@code name}, as the program gave it, fits the template. */
    public boolean matches(String name) {
        if (fitsAll) {
            return true;
        }
        int n = leafOnly ? name.lastIndexOf('/') + 1 : 0;
        int t = 0;
        int starTemplate = NONE;
        int starName = NONE;
        int deepTemplate = NONE;
        int deepName = NONE;
        while (true) {
            if (t < template.length() && template.charAt(t) == '*') {
                int past = pastStars(t);
                if (past - t > 1) {
                    deepTemplate = past;
                    deepName = n;
                    starTemplate = NONE;
                } else {
                    starTemplate = past;
                    starName = n;
                }
                t = past;
                continue;
            }
            if (t == template.length() && n == name.length()) {
                return true;
            }
            int width = t < template.length() ? fits(t, name, n) : 0;
            if (width > 0) {
                t++;
                n += width;
            } else if (starTemplate != NONE
                    && starName < name.length()
                    && name.charAt(starName) != '/') {
                starName += width(name, starName);
                n = starName;
                t = starTemplate;
            } else if (deepTemplate != NONE && deepName < name.length()) {
                deepName += width(name, deepName);
                n = deepName;
                t = deepTemplate;
                starTemplate = NONE;
            } else {
                return false;
            }
        }
    }

    /** The {@link #template}. */
    @Override
    public String toString() {
        return template;
    }

    private int pastStars(int from) {
        int past = from;
        while (past < template.length() && template.charAt(past) == '*') {
            past++;
        }
        return past;
    }

    /** Characters of the name that the template's character at {@code t} takes; 0 if it differs. */
    private int fits(int t, String name, int n) {
        if (n == name.length()) {
            return 0;
        }
        char wanted = template.charAt(t);
        char given = name.charAt(n);
        if (wanted == '?') {
            return given == '/' ? 0 : width(name, n);
        }
        return wanted == given ? 1 : 0;
    }

    /** 2 for a character outside the basic plane, which Java keeps as two; else 1. */
    private static int width(String name, int n) {
        boolean pair =
                n + 1 < name.length()
                        && Character.isHighSurrogate(name.charAt(n))
                        && Character.isLowSurrogate(name.charAt(n + 1));
        return pair ? 2 : 1;
    }
}
