package io.mio.cli.plot.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where an axis has its marks, and their labels. */
public final class Ticks {
    private static final double SECOND = 1e9;
    private static final double MINUTE = 60 * SECOND;
    private static final double HOUR = 60 * MINUTE;
    private static final double DAY = 24 * HOUR;

    /** Steps above a second that people count in. */
    private static final double[] LONG_STEPS = {
        SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND,
        MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
        HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY
    };

    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    /** Most characters of a label that is beside a panel. */
    private static final int LABEL = 11;

    private static final String[] DECIMAL = {"", "k", "M", "G", "T", "P", "E"};

    /**
     * One mark of an axis.
     *
     * @param value on the axis
     * @param label beside it
     */
    public record Tick(double value, String label) {}

    private Ticks() {}

    /** Returns marks for times in nanoseconds. */
    public static List<Tick> time(double from, double to, int countMax) {
        double step = timeStep((to - from) / Math.max(1, countMax));
        double largest = Math.max(Math.abs(from), Math.abs(to));
        List<Tick> ticks = new ArrayList<>();
        for (double value : values(from, to, step)) {
            ticks.add(new Tick(value, timeLabel(value, step, largest)));
        }
        return ticks;
    }

    private static double timeStep(double least) {
        if (least <= SECOND / 2) {
            return Math.max(1, decimalStep(least));
        }
        for (double step : LONG_STEPS) {
            if (step >= least) {
                return step;
            }
        }
        return decimalStep(least / DAY) * DAY;
    }

    private static String timeLabel(double nanos, double step, double largest) {
        if (nanos == 0) {
            return "0";
        }
        if (step >= DAY) {
            return plain(nanos / DAY, 0) + " d";
        }
        if (largest >= 10 * MINUTE && step >= SECOND) {
            long seconds = Math.round(Math.abs(nanos) / SECOND);
            String sign = nanos < 0 ? "-" : "";
            return largest < HOUR
                    ? String.format(Locale.ROOT, "%s%d:%02d min", sign, seconds / 60, seconds % 60)
                    : String.format(
                            Locale.ROOT,
                            "%s%d:%02d:%02d",
                            sign,
                            seconds / 3600,
                            seconds / 60 % 60,
                            seconds % 60);
        }
        double unit = largest >= SECOND ? SECOND : largest >= 1e6 ? 1e6 : largest >= 1e3 ? 1e3 : 1;
        String name = unit == SECOND ? " s" : unit == 1e6 ? " ms" : unit == 1e3 ? " us" : " ns";
        return plain(nanos / unit, digits(step / unit)) + name;
    }

    /**
     * Returns marks for bytes, in binary units; {@code suffix} is put behind the unit. Where labels
     * would be too long, only the first one is whole, and the others tell how many bytes more they
     * are.
     */
    public static List<Tick> bytes(double from, double to, int countMax, String suffix) {
        double least = (to - from) / Math.max(1, countMax);
        double step = 1;
        while (step < least) {
            step *= 2;
        }
        double largest = Math.max(Math.abs(from), Math.abs(to));
        double size = unitOf(step, largest);
        int unit = exponent(size, 1024);
        List<Tick> ticks = new ArrayList<>();
        for (double value : values(from, to, step)) {
            String label = trimmed(plain(value / size, 3)) + " " + BINARY[unit] + suffix;
            ticks.add(new Tick(value, value == 0 ? "0" : label));
        }
        boolean far = ticks.stream().anyMatch(tick -> tick.label().length() > LABEL);
        return far && from > 0 ? farBytes(ticks, step, suffix) : ticks;
    }

    private static List<Tick> farBytes(List<Tick> ticks, double step, String suffix) {
        double first = ticks.get(0).value();
        double span = ticks.get(ticks.size() - 1).value() - first;
        List<Tick> made = new ArrayList<>();
        made.add(new Tick(first, exactBytes(first, suffix)));
        double size = unitOf(step, span);
        int unit = exponent(size, 1024);
        for (Tick tick : ticks.subList(1, ticks.size())) {
            String more = trimmed(plain((tick.value() - first) / size, 3));
            made.add(new Tick(tick.value(), "+" + more + " " + BINARY[unit] + suffix));
        }
        return made;
    }

    /** Returns bytes in the largest unit that needs no more than three digits behind the point. */
    private static String exactBytes(double value, String suffix) {
        int unit = BINARY.length - 1;
        while (unit > 0
                && (value < StrictMath.pow(1024, unit)
                        || value % (StrictMath.pow(1024, unit) / 8) != 0)) {
            unit--;
        }
        return trimmed(plain(value / StrictMath.pow(1024, unit), 3)) + " " + BINARY[unit] + suffix;
    }

    /**
     * Returns the bytes of the largest unit of which a step is at least an eighth, so that three
     * digits behind the point are enough.
     */
    private static double unitOf(double step, double largest) {
        double size = 1;
        while (size < StrictMath.pow(1024, BINARY.length - 1)
                && largest >= 1024 * size
                && step >= 1024 * size / 8) {
            size *= 1024;
        }
        return size;
    }

    /** Returns marks for whole numbers without a unit. */
    public static List<Tick> counts(double from, double to, int countMax) {
        double step = Math.max(1, decimalStep((to - from) / Math.max(1, countMax)));
        double largest = Math.max(Math.abs(from), Math.abs(to));
        int unit = 0;
        double size = 1;
        while (unit < DECIMAL.length - 1 && largest >= 10_000 * size) {
            unit++;
            size *= 1000;
        }
        List<Tick> ticks = new ArrayList<>();
        for (double value : values(from, to, step)) {
            String label = plain(value / size, digits(step / size)) + " " + DECIMAL[unit];
            ticks.add(new Tick(value, value == 0 ? "0" : label.strip()));
        }
        return ticks;
    }

    /** Returns marks for times on a logarithmic axis. */
    public static List<Tick> logTime(double from, double to, int countMax) {
        List<Tick> ticks = new ArrayList<>();
        int every = every(StrictMath.log10(to / from), countMax);
        for (double value = 1; value <= to * 1.0001; value *= 10) {
            if (value >= from * 0.9999 && exponent(value, 10) % every == 0) {
                ticks.add(new Tick(value, timeLabel(value, value, value)));
            }
        }
        return ticks;
    }

    /** Returns marks for bytes on a logarithmic axis. */
    public static List<Tick> logBytes(double from, double to, int countMax) {
        List<Tick> ticks = new ArrayList<>();
        int every = every(StrictMath.log(to / from) / StrictMath.log(2), countMax);
        for (double value = 1; value <= to * 1.0001; value *= 2) {
            if (value >= from * 0.9999 && exponent(value, 2) % every == 0) {
                int unit = Math.min(BINARY.length - 1, exponent(value, 2) / 10);
                String label = plain(value / StrictMath.pow(2, 10 * unit), 0) + " " + BINARY[unit];
                ticks.add(new Tick(value, label));
            }
        }
        return ticks;
    }

    /** Returns marks for numbers from 1 on a logarithmic axis. */
    public static List<Tick> logCounts(double to, int countMax) {
        List<Tick> ticks = new ArrayList<>();
        int every = every(StrictMath.log10(Math.max(1, to)), countMax);
        for (double value = 1; value <= to * 1.0001; value *= 10) {
            int exponent = exponent(value, 10);
            if (exponent % every == 0) {
                int unit = Math.min(DECIMAL.length - 1, exponent / 3);
                String label = plain(value / StrictMath.pow(10, 3 * unit), 0) + " " + DECIMAL[unit];
                ticks.add(new Tick(value, label.strip()));
            }
        }
        return ticks;
    }

    private static int every(double steps, int countMax) {
        return Math.max(1, (int) Math.ceil(steps / Math.max(1, countMax)));
    }

    private static int exponent(double value, int base) {
        return (int) Math.round(StrictMath.log(value) / StrictMath.log(base));
    }

    /** Returns the next of 1, 2, 5, 10, 20, ... */
    private static double decimalStep(double least) {
        if (!(least > 0)) {
            return 1;
        }
        double power = StrictMath.pow(10, Math.floor(StrictMath.log10(least)));
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * power >= least * 0.999_999) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static List<Double> values(double from, double to, double step) {
        List<Double> values = new ArrayList<>();
        double first = Math.ceil(from / step - 1e-6);
        for (int i = 0; i < 100 && (first + i) * step <= to + step * 1e-6; i++) {
            values.add((first + i) * step + 0.0);
        }
        return values;
    }

    /** Returns the digits behind the point that tell steps apart. */
    private static int digits(double step) {
        return (int) Math.max(0, Math.min(9, Math.ceil(-StrictMath.log10(step) - 1e-6)));
    }

    private static String plain(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static String trimmed(String number) {
        return number.contains(".") ? number.replaceAll("\\.?0+$", "") : number;
    }
}
