package io.mio.config;

/**
 * The value of an option.
 *
 * @param setting on, off, or left alone
 * @param text value as typed, without braces; "" where there is none
 * @param number value of a size or an integer, first number of a range; else -1
 * @param second second number of a range; else -1
 * @param place where it was typed, or null for a built-in default
 */
record OptionValue(Setting setting, String text, long number, long second, TextPlace place) {
    enum Setting {
        UNSET,
        ON,
        OFF
    }

    static OptionValue unset() {
        return new OptionValue(Setting.UNSET, "", -1, -1, null);
    }

    static OptionValue on() {
        return new OptionValue(Setting.ON, "", -1, -1, null);
    }

    static OptionValue off() {
        return new OptionValue(Setting.OFF, "", -1, -1, null);
    }

    static OptionValue text(String text) {
        return new OptionValue(Setting.ON, text, -1, -1, null);
    }

    static OptionValue numbers(String text, long first, long second) {
        return new OptionValue(Setting.ON, text, first, second, null);
    }

    OptionValue at(TextPlace typed) {
        return new OptionValue(setting, text, number, second, typed);
    }

    /** The option as the original prints it, for example {@code cache_size=100m}; may be "". */
    String echo(OptionTraits option) {
        if (setting == Setting.OFF) {
            return option.offWord();
        }
        if (setting == Setting.UNSET) {
            return option.kind() == OptionKind.FLAG ? "" : option.offWord();
        }
        if (option.kind() == OptionKind.FLAG) {
            return option.id();
        }
        if (!option.takesValue()) {
            return text;
        }
        StringBuilder echo = new StringBuilder(option.id()).append('=');
        return option.isBraced()
                ? echo.append('{').append(text).append('}').toString()
                : echo.append(text).toString();
    }
}
