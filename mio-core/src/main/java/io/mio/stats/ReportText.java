package io.mio.stats;

/**
 * Builds lines in the columns of the classic report.
 *
 * <p>Does not use {@code String.format}: that loads the locale data, some fifty milliseconds in a
 * short program, and rounds decimals differently from C's {@code printf}, while both doors must
 * print the same text. Here two decimals are rounded half up, from whole nanoseconds, or from the
 * product of the value and 100 in double arithmetic.
 */
final class ReportText {
    private static final long NANOS_PER_CENTISECOND = 10_000_000;

    private final StringBuilder out = new StringBuilder(1024);

    ReportText text(String text) {
        out.append(text);
        return this;
    }

    ReportText number(long value) {
        out.append(value);
        return this;
    }

    ReportText hex(int value) {
        out.append(Integer.toHexString(value));
        return this;
    }

    /** Adds text, left-justified. */
    ReportText left(String text, int width) {
        out.append(text);
        return blanks(width - text.length());
    }

    /** Adds a number, right-justified; wider values push the rest to the right. */
    ReportText right(long value, int width) {
        return right(Long.toString(value), width);
    }

    /** Adds seconds with two decimals, right-justified. */
    ReportText seconds(long nanos, int width) {
        return right(inSeconds(nanos), width);
    }

    ReportText seconds(long nanos) {
        out.append(inSeconds(nanos));
        return this;
    }

    /** Adds a rate with two decimals, right-justified. */
    ReportText rate(double rate, int width) {
        return right(hundredths(Math.round(rate * 100)), width);
    }

    ReportText rate(double rate) {
        return rate(rate, 0);
    }

    private ReportText right(String text, int width) {
        blanks(width - text.length());
        out.append(text);
        return this;
    }

    private ReportText blanks(int count) {
        for (int i = 0; i < count; i++) {
            out.append(' ');
        }
        return this;
    }

    private static String inSeconds(long nanos) {
        return hundredths(Math.floorDiv(nanos + NANOS_PER_CENTISECOND / 2, NANOS_PER_CENTISECOND));
    }

    private static String hundredths(long value) {
        long size = Math.abs(value);
        return (value < 0 ? "-" : "") + size / 100 + "." + size / 10 % 10 + size % 10;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
