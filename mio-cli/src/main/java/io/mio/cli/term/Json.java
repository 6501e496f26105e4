package io.mio.cli.term;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * The JSON of all commands: names in snake_case with the unit last, as in the reports. The text is
 * ASCII only and has no characters with a meaning in HTML: it is the same in every locale, can be
 * shown on a terminal and be put into a page.
 */
public final class Json {
    private static final JsonMapper LINE = mapper();
    private static final JsonMapper INDENTED = mapper(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    private static JsonMapper mapper(SerializationFeature... features) {
        JsonMapper mapper =
                JsonMapper.builder()
                        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                        .enable(features)
                        .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                        .build();
        mapper.getFactory().setCharacterEscapes(new PageEscapes());
        return mapper;
    }

    /** Returns the mapper for one object on several lines. */
    public static JsonMapper indented() {
        return INDENTED;
    }

    /** Returns the mapper for one object a line. */
    public static JsonMapper line() {
        return LINE;
    }

    /** Escapes for text in a page, which would end a script at {@code </script>}. */
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
