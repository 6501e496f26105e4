package io.mio.cli.advise;

import io.mio.cli.term.SafeText;
import java.util.regex.Pattern;

/**
 * Names as they can stand in a rule that is printed, and then fit: pure. Recordings have U+FFFD for
 * bytes that are no UTF-8, reports an escape for these and for control characters.
 */
final class Typable {
    private static final char UNREADABLE = '\uFFFD';

    /**
     * Of control characters, as {@link io.mio.stats.LineText} makes them, and of bytes, as readers
     * of reports do.
     */
    private static final Pattern ESCAPE = Pattern.compile("\\\\[0-3][0-7][0-7]");

    private Typable() {}

    /** The name in a report, with what cannot be told of it as in recordings. */
    static String ofReport(String name) {
        return ESCAPE.matcher(name).replaceAll(String.valueOf(UNREADABLE));
    }

    /**
     * The template with {@code *} for bytes that nobody can tell, as one character may stand for
     * several of them, and {@code ?} for what would not be printed as it is or has no place in a
     * rule.
     */
    static String of(String template) {
        boolean balanced = isBalanced(template);
        StringBuilder text = new StringBuilder();
        boolean star = false;
        for (int at = 0; at < template.length(); ) {
            int point = template.codePointAt(at);
            at += Character.charCount(point);
            // Two stars would go beyond a directory.
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

    /** True if braces can be put around it. */
    private static boolean isBalanced(String text) {
        int depth = 0;
        for (int i = 0; i < text.length() && depth >= 0; i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
        }
        return depth == 0;
    }
}
