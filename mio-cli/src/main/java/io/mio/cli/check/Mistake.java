package io.mio.cli.check;

import io.mio.cli.term.SafeText;
import io.mio.config.ConfigException;
import java.util.ArrayList;
import java.util.List;

/**
 * A mistake that makes the configuration useless.
 *
 * @param origin where the text with the mistake comes from
 * @param column column of the mistake in it, from 1; 0 if it has none
 * @param message what is wrong and what to do, in one line
 * @param lines the message, and where there is a column, the text and a mark below it; safe to show
 */
public record Mistake(String origin, int column, String message, List<String> lines) {

    /**
     * Returns the mistake that an exception tells of.
     *
     * @param config where the configuration comes from, as the user named it, or null: what {@code
     *     MIO_CONFIG} stands for
     */
    public static Mistake of(ConfigException e, String config) {
        String origin = Setting.shown(e.origin());
        if (config != null && origin.equals("MIO_CONFIG")) {
            origin = config;
        }
        String text = origin + e.getMessage().substring(e.origin().length());
        List<String> lines = new ArrayList<>();
        text.lines()
                .forEach(line -> lines.add(lines.isEmpty() ? SafeText.of(line) : aligned(line)));
        return new Mistake(origin, e.column(), text.lines().findFirst().orElse(text), lines);
    }

    /**
     * Returns a safe line of the same columns, so that the mark stays below its place: a character
     * that cannot be shown becomes a question mark.
     */
    private static String aligned(String line) {
        StringBuilder safe = new StringBuilder();
        line.codePoints()
                .forEach(
                        point -> {
                            String one = Character.toString(point);
                            safe.append(SafeText.of(one).equals(one) ? one : "?");
                        });
        return safe.toString();
    }
}
