package io.mio.cli.term;

import java.util.Locale;

/**
 * Text from outside — names of files and programs, lines of reports — made harmless for a terminal:
 * no control characters, no escape sequences, nothing that turns the direction of writing.
 */
public final class SafeText {
    private static final String ELLIPSIS = "...";

    private SafeText() {}

    /**
     * Returns the text made harmless. Control characters become a backslash and three octal digits,
     * as in the reports. Characters that have no shape of their own, or change that of others,
     * become {@code \}{@code u} and four hexadecimal digits.
     */
    public static String of(String text) {
        int at = 0;
        while (at < text.length() && isPlain(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, at);
        while (at < text.length()) {
            int point = text.codePointAt(at);
            append(safe, point);
            at += Character.charCount(point);
        }
        return safe.toString();
    }

    private static boolean isPlain(char c) {
        return c >= ' ' && c < 0x7f;
    }

    private static void append(StringBuilder safe, int point) {
        if (point < ' ' || point >= 0x7f && point < 0xa0) {
            safe.append(String.format(Locale.ROOT, "\\%03o", point));
        } else if (isHarmful(point)) {
            safe.append(String.format(Locale.ROOT, point > 0xffff ? "\\U%08x" : "\\u%04x", point));
        } else {
            safe.appendCodePoint(point);
        }
    }

    private static boolean isHarmful(int point) {
        return switch (Character.getType(point)) {
            case Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> false;
        };
    }

    /**
     * Returns the columns the text takes on a terminal: two for a wide character, none for a
     * combining one.
     */
    public static int columns(String text) {
        int columns = 0;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            columns += columns(point);
            at += Character.charCount(point);
        }
        return columns;
    }

    private static int columns(int point) {
        if (point < 0x300) {
            return 1;
        }
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        return isWide(point) ? 2 : 1;
    }

    /**
     * Tells wide characters: blocks of Unicode's East Asian Width property W and F, and pictures.
     */
    private static boolean isWide(int point) {
        return point >= 0x1100 && point <= 0x115f
                || point >= 0x2e80 && point <= 0xa4cf && point != 0x303f
                || point >= 0xac00 && point <= 0xd7a3
                || point >= 0xf900 && point <= 0xfaff
                || point >= 0xfe30 && point <= 0xfe6f
                || point >= 0xff00 && point <= 0xff60
                || point >= 0xffe0 && point <= 0xffe6
                || point >= 0x1f300 && point <= 0x1faff
                || point >= 0x20000 && point <= 0x3fffd;
    }

    /**
     * Returns at most so many columns of the text. One that is too long loses its middle, because
     * names differ at the end: {@code /scratch/...run7/matrix.dat}.
     */
    public static String shorten(String text, int columnsMax) {
        if (columns(text) <= columnsMax) {
            return text;
        }
        if (columnsMax <= ELLIPSIS.length()) {
            return ELLIPSIS.substring(0, Math.max(0, columnsMax));
        }
        int left = (columnsMax - ELLIPSIS.length()) / 3;
        int right = columnsMax - ELLIPSIS.length() - left;
        int from = 0;
        for (int used = 0; ; ) {
            int point = text.codePointAt(from);
            used += columns(point);
            if (used > left) {
                break;
            }
            from += Character.charCount(point);
        }
        int to = text.length();
        for (int used = 0; ; ) {
            int point = text.codePointBefore(to);
            used += columns(point);
            if (used > right) {
                break;
            }
            to -= Character.charCount(point);
        }
        return text.substring(0, from) + ELLIPSIS + text.substring(to);
    }
}
