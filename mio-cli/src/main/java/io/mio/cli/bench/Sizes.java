package io.mio.cli.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Sizes of records and files: {@code 4k}, {@code 4k,64k}, {@code 1k..8m} (doubling). A number needs
 * a unit, because IOzone's plain numbers are KB and other commands' are bytes.
 */
public final class Sizes {
    private static final String UNITS = "bkmgt";

    private Sizes() {}

    /**
     * Reads a list.
     *
     * @return bytes, in the order given, each once
     * @throws IllegalArgumentException if it is none; the message says what to write
     */
    public static List<Long> list(String text) {
        List<Long> sizes = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            int dots = one.indexOf("..");
            if (dots < 0) {
                add(sizes, size(one));
            } else {
                doubling(size(one.substring(0, dots)), size(one.substring(dots + 2)))
                        .forEach(size -> add(sizes, size));
            }
        }
        return sizes;
    }

    private static void add(List<Long> sizes, long size) {
        if (!sizes.contains(size)) {
            sizes.add(size);
        }
    }

    /**
     * Returns sizes from the least to at most the most, each twice the one before.
     *
     * @throws IllegalArgumentException if the least is more than the most
     */
    public static List<Long> doubling(long least, long most) {
        if (least > most) {
            throw new IllegalArgumentException(
                    "'" + text(least) + ".." + text(most) + "' goes down; write the smaller first");
        }
        List<Long> sizes = new ArrayList<>();
        for (long size = least; size <= most; size *= 2) {
            sizes.add(size);
            if (size > Long.MAX_VALUE / 2) {
                break;
            }
        }
        return sizes;
    }

    /**
     * Reads one size.
     *
     * @throws IllegalArgumentException if it is none; the message says what to write
     */
    public static long size(String text) {
        int unit = text.isEmpty() ? -1 : power(text.charAt(text.length() - 1));
        if (unit < 0 && isNumber(text)) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' has no unit; write "
                            + text
                            + "k for KB, "
                            + text
                            + "b for bytes");
        }
        String digits = unit < 0 ? "" : text.substring(0, text.length() - 1);
        try {
            long number = isNumber(digits) ? Long.parseLong(digits) : 0;
            if (number > 0 && number <= Long.MAX_VALUE >> 10 * unit) {
                return number << 10 * unit;
            }
        } catch (NumberFormatException e) {
            // Refused like a number that is out of bounds.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no size; write for example 4k, 64k, 1m or 2g");
    }

    /**
     * Returns the power of 1024 that a letter stands for, of either case: 0 for {@code b}, to 4 for
     * {@code t}; -1 for any other. Only ASCII letters count: in lower case, the Kelvin sign would
     * be a {@code k}, too.
     */
    public static int power(char unit) {
        int at = (UNITS + "BKMGT").indexOf(unit);
        return at < 0 ? -1 : at % UNITS.length();
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]+");
    }

    /** Returns the size with the largest unit that leaves a whole number: {@code 64k}. */
    public static String text(long bytes) {
        int unit = 0;
        long number = bytes;
        while (unit < UNITS.length() - 1 && number % 1024 == 0 && number > 0) {
            number /= 1024;
            unit++;
        }
        return number + UNITS.substring(unit, unit + 1);
    }
}
