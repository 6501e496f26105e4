package io.mio.cli.term;

import java.util.Locale;

/**
 * Amounts for people: three significant figures and a unit. Units are binary, as in the reports.
 */
public final class Amounts {
    /** Text for what is not known or does not apply. */
    public static final String NONE = "-";

    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private Amounts() {}

    /** Returns bytes: {@code 512 B}, {@code 1.50 MiB}; a minus sign in front of negative ones. */
    public static String bytes(long bytes) {
        if (bytes < 0) {
            return bytes == Long.MIN_VALUE ? "-8.00 EiB" : "-" + bytes(-bytes);
        }
        return bytes < 1024 ? bytes + " B" : scaled((double) bytes);
    }

    /** Returns bytes per second: {@code 1.50 MiB/s}; {@code -} where no time passed. */
    public static String rate(double bytesPerSecond) {
        if (!Double.isFinite(bytesPerSecond) || bytesPerSecond < 0) {
            return NONE;
        }
        return (bytesPerSecond < 1024
                        ? String.format(Locale.ROOT, "%.0f B", bytesPerSecond)
                        : scaled(bytesPerSecond))
                + "/s";
    }

    private static String scaled(double bytes) {
        int unit = 0;
        double amount = bytes;
        // From 1023.5 KiB on, the number would be shown as 1024 KiB.
        while (amount >= 1023.5 && unit < BINARY.length - 1) {
            amount /= 1024;
            unit++;
        }
        return figures(amount) + " " + BINARY[unit];
    }

    /** Returns three figures at least: {@code 1.50}, {@code 15.0}, {@code 150}. */
    private static String figures(double amount) {
        String pattern = amount < 9.995 ? "%.2f" : amount < 99.95 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, pattern, amount);
    }

    /**
     * Returns a time in nanoseconds: {@code 850 ns}, {@code 12.0 us}, {@code 1.50 s}, {@code
     * 2:05:09}.
     */
    public static String time(long nanos) {
        if (nanos < 0) {
            return NONE;
        }
        if (nanos < 1000) {
            return nanos + " ns";
        }
        if (nanos < 999_500) {
            return figures(nanos / 1e3) + " us";
        }
        if (nanos < 999_500_000) {
            return figures(nanos / 1e6) + " ms";
        }
        if (nanos < 99_950_000_000L) {
            return figures(nanos / 1e9) + " s";
        }
        long seconds = nanos / 1_000_000_000 + (nanos % 1_000_000_000 >= 500_000_000 ? 1 : 0);
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60)
                : String.format(
                        Locale.ROOT,
                        "%d:%02d:%02d",
                        seconds / 3600,
                        seconds / 60 % 60,
                        seconds % 60);
    }

    /**
     * Returns a ratio: {@code 1.79x}, {@code 120x}; {@code -} where there is nothing to compare
     * with.
     */
    public static String ratio(double ratio) {
        if (!Double.isFinite(ratio) || ratio < 0) {
            return NONE;
        }
        return ratio < 1000 ? figures(ratio) + "x" : String.format(Locale.ROOT, "%.0fx", ratio);
    }

    /**
     * Returns a share of 0 to 1: {@code 97.3 %}, {@code 100 %}; {@code -} where it is not a number.
     */
    public static String percent(double share) {
        if (!Double.isFinite(share)) {
            return NONE;
        }
        double percent = 100 * share;
        return String.format(
                Locale.ROOT, percent > 0 && percent < 99.95 ? "%.1f %%" : "%.0f %%", percent);
    }

    /** Returns a count with its digits in groups: {@code 1 234 567}. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count).replace(',', ' ');
    }
}
