package io.mio.config;

/**
 * Numbers as the grammar writes them: decimal, {@code 0x} hexadecimal or {@code 0} octal, then
 * nothing or one of k, m, g, t (powers of 1024), in upper or lower case.
 */
final class SizeText {
    /** Result for a text that is not a number. */
    static final long BAD = -1;

    /** Result for a number of 2^63 or more. */
    static final long TOO_LARGE = -2;

    private SizeText() {}

    /** Reads a whole text; returns the number, {@link #BAD} or {@link #TOO_LARGE}. */
    static long parse(String text) {
        int end = text.length();
        int shift = end == 0 ? 0 : shiftOf(text.charAt(end - 1));
        if (shift > 0) {
            end--;
        }
        if (end > 2 && text.charAt(0) == '0' && (text.charAt(1) | 0x20) == 'x') {
            return digits(text, 2, end, 16, shift);
        }
        if (end > 1 && text.charAt(0) == '0') {
            return digits(text, 1, end, 8, shift);
        }
        return digits(text, 0, end, 10, shift);
    }

    /** Reads a whole text as octal digits, as permission bits are written. */
    static long parseOctal(String text) {
        return digits(text, 0, text.length(), 8, 0);
    }

    private static long digits(String text, int from, int end, int radix, int shift) {
        if (from >= end) {
            return BAD;
        }
        long limit = Long.MAX_VALUE >> shift;
        long number = 0;
        boolean tooLarge = false;
        for (int i = from; i < end; i++) {
            int digit = digit(text.charAt(i));
            if (digit < 0 || digit >= radix) {
                return BAD;
            }
            if (tooLarge || number > (limit - digit) / radix) {
                tooLarge = true;
            } else {
                number = number * radix + digit;
            }
        }
        return tooLarge ? TOO_LARGE : number << shift;
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    private static int shiftOf(char suffix) {
        return switch (suffix) {
            case 'k', 'K' -> 10;
            case 'm', 'M' -> 20;
            case 'g', 'G' -> 30;
            case 't', 'T' -> 40;
            default -> 0;
        };
    }
}
