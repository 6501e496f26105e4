package io.mio.cli.experiment;

import java.util.Locale;

/** What a figure counts. */
public enum Unit {
    SECONDS("s"),
    MICROSECONDS("us"),
    KB_PER_SECOND("KB/s"),
    MIB_PER_SECOND("MiB/s"),
    MIB("MiB"),
    CPU_SECONDS_PER_GB("CPU s/GB"),
    PER_SECOND("1/s"),
    PERCENT("%"),
    TIMES("x"),
    COUNT("");

    private static final double WHOLE = 1000;

    private final String label;

    Unit(String label) {
        this.label = label;
    }

    /** Returns the unit behind a figure or in a heading; empty for plain numbers. */
    public String label() {
        return label;
    }

    /**
     * Returns a figure without its unit. A count is a whole number. Other figures have at least
     * three significant digits, but small ones no more than two decimals.
     */
    public String text(double figure) {
        if (!Double.isFinite(figure)) {
            return "-";
        }
        double size = Math.abs(figure);
        if (this == COUNT || size >= WHOLE || size == 0) {
            return String.format(Locale.ROOT, "%.0f", figure);
        }
        String pattern = size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, pattern, figure);
    }
}
