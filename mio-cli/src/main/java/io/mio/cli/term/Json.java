package io.mio.cli.term;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The JSON of all commands: names in snake_case with the unit last, as in the reports. */
public final class Json {
    private static final JsonMapper LINE =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();

    private Json() {}

    /** For one object on several lines. */
    public static JsonMapper indented() {
        return LINE.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    /** For one object a line. */
    public static JsonMapper line() {
        return LINE;
    }

    /**
     * One that writes only ASCII, and no characters that mean something in a page: it can be shown
     * on a terminal and put into HTML.
     */
    public static JsonMapper harmless(JsonMapper mapper) {
        JsonMapper harmless = mapper.rebuild().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
        harmless.getFactory().setCharacterEscapes(new PageEscapes());
        return harmless;
    }

    /** A page would end a script at {@code </script>}. */
    private static final class PageEscapes extends CharacterEscapes {
        private static final long serialVersionUID = 1;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            for (char c : new char[] {'<', '>', '&', '\'', 0x7f}) {
                codes[c] = ESCAPE_STANDARD;
            }
            return codes;
        }

        @Override
        public SerializableString getEscapeSequence(int ch) {
            return new SerializedString(Integer.toString(ch));
        }
    }
}
