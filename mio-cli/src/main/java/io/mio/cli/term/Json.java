package io.mio.cli.term;

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
}
