package io.mio.cli.advise;

import io.mio.cli.term.SafeText;
import java.util.regex.Pattern;

/**
 * Turns names into ones that can be printed in a rule and still match: pure. Recordings have U+FFFD
 * for bytes that are no UTF-8; reports have an escape for these and for control characters.
 */
final class Typable {
    private static final char UNREADABLE = '\uFFFD';

    /**
     * The escape of a control character, as {@link io.mio.stats.LineText} makes it, or of a byte,
     * as readers of reports make it.
     */
    private static final Pattern ESCAPE = Pattern.compile("\\\\[0-3][0-7][0-7]");

    private Typable() {}

    /**
     * The name in a report, with U+FFFD for each escape, as recordings have it for what cannot be
     * told.
     */
    static String ofReport(String name) {
        return ESCAPE.matcher(name).replaceAll(String.valueOf(UNREADABLE));
    }

    /**
     * The template with {@code *} for bytes that cannot be told, because one character may stand
     * for several of them, and with {@code ?} for what is not printed as it is or cannot stand in a
     * rule.
     */
    static String of(String template) {
        boolean balanced = isBalanced(template);
        StringBuilder text = new StringBuilder();
        boolean star = false;
        for (int at = 0; at < template.length(); ) {
            int point = template.codePointAt(at);
            at += Character.charCount(point);
            // Never two stars: they would match across directories.
            boolean last = text.length() > 0 && text.charAt(text.length() - 1) == '*';
            if (point == UNREADABLE) {
                text.append(last ? "" : "*");
                star = true;
                continue;
            }
            String one = Character.toString(point);
            boolean brace = point == '{' || point == '}';
            if (point != '*' || !star) {
                text.append(!SafeText.of(one).equals(one) || brace && !balanced ? "?" : one);
            }
            star &= point == '*';
        }
        return text.toString();
    }

    /** True if the braces in the text are balanced, so that braces can be put around it. */
    private static boolean isBalanced(String text) {
        int depth = 0;
        for (int i = 0; i < text.length() && depth >= 0; i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
        }
        return depth == 0;
    }
}
