package io.mio.cli.term;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads values of options; a refusal lists what may be given, in the words of the help. */
public final class Choice {
    private Choice() {}

    /**
     * Returns the constant whose {@code toString} is the text, in upper or lower case.
     *
     * @param what word for the constants in a message
     * @throws TypeConversionException if there is none; names all
     */
    public static <E extends Enum<E>> E of(Class<E> type, String text, String what) {
        for (E one : type.getEnumConstants()) {
            if (one.toString().equalsIgnoreCase(text.trim())) {
                return one;
            }
        }
        String names =
                Arrays.stream(type.getEnumConstants())
                        .map(Enum::toString)
                        .collect(Collectors.joining(", "));
        throw refused("'" + text + "' is no " + what + "; there are " + names, null);
    }

    /** Converts a whole number. */
    public static final class Whole implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return Long.parseLong(text.trim());
            } catch (NumberFormatException e) {
                boolean large = text.trim().matches("[+-]?[0-9]+");
                throw refused("'" + text + "' is " + (large ? "too large" : "no whole number"), e);
            }
        }
    }

    /** Converts a whole number; one that is too large for an {@code int} becomes the largest. */
    public static final class Small implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            long number = new Whole().convert(text);
            return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number));
        }
    }

    /** Converts a number. */
    public static final class Decimal implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                return Double.parseDouble(text.trim());
            } catch (NumberFormatException e) {
                throw refused("'" + text + "' is no number", e);
            }
        }
    }

    /** Converts an option that is there or not. */
    public static final class Flag implements ITypeConverter<Boolean> {
        @Override
        public Boolean convert(String text) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw refused("it takes no value; leave '=" + text + "' away", null);
            };
        }
    }

    /** Returns what a converter throws, with the reason for the refusal, and its cause or null. */
    public static TypeConversionException refused(String why, Exception cause) {
        TypeConversionException refusal = new TypeConversionException(why);
        refusal.initCause(cause);
        return refusal;
    }
}
