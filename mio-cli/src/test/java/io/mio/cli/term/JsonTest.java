package io.mio.cli.term;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    /** Names come through, whatever the encoding of standard output is. */
    @Test
    void shouldWriteNothingButHarmlessAscii() throws Exception {
        Map<String, String> names = Map.of("file", "\u00e4\u65e5\ud83d\ude00\033</script>'&\177");
        for (JsonMapper mapper : List.of(Json.line(), Json.indented())) {
            String text = mapper.writeValueAsString(names);
            assertThat(text).matches("[ -~\n]*").doesNotContain("<", ">", "'", "&");
            assertThat((Object) mapper.readValue(text, Map.class)).isEqualTo(names);
        }
        assertThat(Json.line().writeValueAsString(names)).hasLineCount(1);
        assertThat(Json.indented().writeValueAsString(names)).hasLineCount(3);
    }
}
