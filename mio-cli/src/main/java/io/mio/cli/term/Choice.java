package io.mio.cli.term;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads values of options, and says what may stand there in the words that the help has. */
public final class Choice {
    private Choice() {}

    /**
     * The constant that is typed so, by its {@code toString}, in upper or lower case.
     *
     * @param what what the constants are, in a message
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

    /** Takes a whole number. */
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

    /** Takes a whole number; a larger one than an {@code int} is the largest of these. */
    public static final class Small implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            long number = new Whole().convert(text);
            return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number));
        }
    }

    /** Takes a number. */
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

    /** An option that is there or not. */
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

    /** What a converter throws: why the value is none, and what led to that, or null. */
    public static TypeConversionException refused(String why, Exception cause) {
        TypeConversionException refusal = new TypeConversionException(why);
        refusal.initCause(cause);
        return refusal;
    }
}
