package io.mio.cli.plot.html;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.mio.cli.term.Json;

/** JSON that may stand in a page. */
final class PageJson {
    private static final JsonMapper MAPPER = Json.line();

    private PageJson() {}

    static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
