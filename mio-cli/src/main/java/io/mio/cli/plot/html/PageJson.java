package io.mio.cli.plot.html;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.mio.cli.term.Json;

/** JSON that may stand in a page: ASCII, without characters that mean something to HTML. */
final class PageJson {
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

    private PageJson() {}

    static String text(Object value) {
        JsonMapper mapper = Json.line().rebuild().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
        mapper.getFactory().setCharacterEscapes(new PageEscapes());
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
