package io.mio.cli.events;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time as typed: nanoseconds since time zero, or a time of the day.
 *
 * @param nanos nanoseconds since time zero; not used if there is a clock
 * @param clock time of the day in the local zone, or null
 */
record TimePoint(long nanos, LocalTime clock) {
    private static final Pattern AMOUNT =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{0,15})?|\\.[0-9]{1,15})(ns|us|ms|s|m|min|h|)");

    private static final Pattern CLOCK =
            Pattern.compile("([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]{1,9}))?)?");

    /**
     * Reads {@code 12.5s}, {@code 300ms}, {@code 5m}, {@code 14:03:22.5}; a number alone is
     * seconds.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    static TimePoint of(String text) {
        Matcher clock = CLOCK.matcher(text.trim());
        if (clock.matches()) {
            try {
                return new TimePoint(
                        0,
                        LocalTime.of(
                                Integer.parseInt(clock.group(1)),
                                Integer.parseInt(clock.group(2)),
                                clock.group(3) == null ? 0 : Integer.parseInt(clock.group(3)),
                                clock.group(4) == null ? 0 : fraction(clock.group(4))));
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("'" + text + "' is no time of a day", e);
            }
        }
        return new TimePoint(duration(text), null);
    }

    private static int fraction(String digits) {
        return Integer.parseInt((digits + "000000000").substring(0, 9));
    }

    /**
     * Returns the nanoseconds of an amount of time; a longer one than 292 years counts as 292
     * years.
     *
     * @throws IllegalArgumentException if the text is not an amount of time
     */
    static long duration(String text) {
        Matcher amount = AMOUNT.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!amount.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time; write for example 12.5s, 300ms, 5m or 1h");
        }
        long unit =
                switch (amount.group(2)) {
                    case "ns" -> 1;
                    case "us" -> 1000;
                    case "ms" -> 1_000_000;
                    case "m", "min" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> 1_000_000_000;
                };
        return new BigDecimal(amount.group(1))
                .multiply(BigDecimal.valueOf(unit))
                .setScale(0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
    }

    /**
     * Returns nanoseconds since time zero. A time of the day is the first one at or after time
     * zero.
     *
     * @param zeroNanos time zero, since 1970 (UTC)
     */
    long since(long zeroNanos, ZoneId zone) {
        if (clock == null) {
            return nanos;
        }
        ZonedDateTime zero =
                Instant.ofEpochSecond(
                                Math.floorDiv(zeroNanos, 1_000_000_000L),
                                Math.floorMod(zeroNanos, 1_000_000_000L))
                        .atZone(zone);
        ZonedDateTime first = zero.with(clock);
        if (first.isBefore(zero)) {
            // On a day when clocks are set back, the time may come a second time.
            first = first.withLaterOffsetAtOverlap();
        }
        if (first.isBefore(zero)) {
            first = zero.plusDays(1).with(clock);
        }
        return Duration.between(zero, first).toNanos();
    }
}
