package io.mio.config;

/** Turns the text typed for an option into its value, or says what is wrong with it. */
final class OptionReader {
    private OptionReader() {}

    /** Reads a default value from a table; the tables hold no mistakes. */
    static OptionValue read(OptionTraits option, String text) {
        return read(option, text, null);
    }

    /**
     * Reads {@code text}, without its braces.
     *
     * @param place where the value begins
     * @throws ConfigException if the option cannot have this value
     */
    static OptionValue read(OptionTraits option, String text, TextPlace place) {
        return switch (option.kind()) {
            case SIZE, INTEGER -> integer(option, text, place);
            case RANGE -> range(option, text, place);
            case CHOICE -> choice(option, text, place);
            case FLAG, STRING -> string(option, text, place);
        };
    }

    /** How an option that takes a value is typed, for example {@code cache_size=SIZE}. */
    static String form(OptionTraits option) {
        String value =
                switch (option.kind()) {
                    case SIZE -> "SIZE";
                    case INTEGER -> option.isOctal() ? "OCTAL" : "NUMBER";
                    case RANGE -> option.isAutoAllowed() ? "PAGES, MIN:MAX or auto" : "{FROM:TO}";
                    case CHOICE -> String.join("|", option.choices());
                    case FLAG, STRING -> "TEXT";
                };
        return option.id() + "=" + value;
    }

    private static OptionValue choice(OptionTraits option, String text, TextPlace place) {
        if (!option.choices().contains(text)) {
            throw place.error(
                    option.id()
                            + " cannot be '"
                            + text
                            + "'"
                            + Nearest.hint(text, option.choices())
                            + " ("
                            + option.id()
                            + " is one of "
                            + String.join(", ", option.choices())
                            + ")");
        }
        return OptionValue.text(text);
    }

    private static OptionValue string(OptionTraits option, String text, TextPlace place) {
        if (text.isEmpty() && !option.isEmptyAllowed()) {
            throw place.error(option.id() + " needs some text: write " + form(option));
        }
        return OptionValue.text(text);
    }

    private static OptionValue integer(OptionTraits option, String text, TextPlace place) {
        return OptionValue.numbers(text, number(option, text, place), -1);
    }

    private static OptionValue range(OptionTraits option, String text, TextPlace place) {
        if (option.isAutoAllowed() && text.equals("auto")) {
            return OptionValue.numbers(text, 0, 0);
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            if (!option.isAutoAllowed()) {
                throw place.error(option.id() + " needs two numbers: write " + form(option));
            }
            long fixed = number(option, text, place);
            return OptionValue.numbers(text, fixed, fixed);
        }
        long first = number(option, text.substring(0, colon).trim(), place);
        long second = number(option, text.substring(colon + 1).trim(), place);
        if (first > second) {
            throw place.error(
                    option.id() + "=" + text + " ends before it begins: write " + form(option));
        }
        return OptionValue.numbers(text, first, second);
    }

    private static long number(OptionTraits option, String text, TextPlace place) {
        long number = option.isOctal() ? SizeText.parseOctal(text) : SizeText.parse(text);
        if (number == SizeText.BAD) {
            throw place.error(
                    "'"
                            + text
                            + "' is not a number for "
                            + option.id()
                            + "; write "
                            + (option.isOctal()
                                    ? "octal digits, for example 0640"
                                    : "digits and perhaps k, m, g or t, for example 64k"));
        }
        if (number == SizeText.TOO_LARGE || number < option.min() || number > option.max()) {
            throw place.error(
                    option.id()
                            + "="
                            + text
                            + " is out of range; it can be "
                            + limit(option, option.min())
                            + " to "
                            + limit(option, option.max()));
        }
        return number;
    }

    /** Returns a limit as a user would type it. */
    static String limit(OptionTraits option, long number) {
        if (option.isOctal()) {
            return number == 0 ? "0" : "0" + Long.toOctalString(number);
        }
        String suffixes = "kmgt";
        int shift = 0;
        while (shift < 4 && number != 0 && (number & 1023) == 0) {
            number >>= 10;
            shift++;
        }
        return shift == 0 ? Long.toString(number) : number + "" + suffixes.charAt(shift - 1);
    }
}
