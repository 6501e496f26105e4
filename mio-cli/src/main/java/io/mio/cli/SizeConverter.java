package io.mio.cli;

import io.mio.cli.bench.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code 102400}, {@code 100k}, {@code 64m}, {@code 14g}, {@code 1t}: bytes, powers of 1024.
 */
final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        String digits = text;
        int power = text.isEmpty() ? 0 : Sizes.power(text.charAt(text.length() - 1));
        int shift = 10 * Math.max(power, 0);
        if (shift > 0) {
            digits = text.substring(0, text.length() - 1);
        }
        long number;
        try {
            number = digits.matches("[0-9]+") ? Long.parseLong(digits) : 0;
        } catch (NumberFormatException e) {
            throw refused(text, e);
        }
        if (number <= 0 || number > Long.MAX_VALUE >> shift) {
            throw refused(text, null);
        }
        return number << shift;
    }

    private static TypeConversionException refused(String text, Throwable cause) {
        TypeConversionException refusal =
                new TypeConversionException(
                        "'" + text + "' is no size; write for example 102400, 100k, 64m or 14g");
        refusal.initCause(cause);
        return refusal;
    }
}
