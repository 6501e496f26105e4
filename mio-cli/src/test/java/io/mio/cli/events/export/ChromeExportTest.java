package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.events.EventSamples;
import io.mio.events.EventFormat;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document for Chrome's trace viewer. */
class ChromeExportTest {
    @TempDir private Path directory;

    private static String json(Path events) throws IOException {
        return Events.text(Events.export(events, ChromeExport::new));
    }

    @Test
    void shouldWriteTheGoldenEvents() throws IOException {
        Path events = Files.write(directory.resolve("golden.events"), EventSamples.golden());
        Golden.compare("golden.chrome.json", json(events));
    }

    @Test
    void shouldWriteTheStory() throws IOException {
        Golden.compare("story.chrome.json", json(Story.file(directory)));
    }

    @Test
    void shouldBePureAsciiWithoutControlCharacters() throws IOException {
        assertThat(json(Story.file(directory))).matches("[ -~\n]*").contains("\\\\u202e");
    }

    /** Viewers leave out what is before time 0; the first file is opened just before it. */
    @Test
    void shouldBeginAtZero() throws IOException {
        Path events = Files.write(directory.resolve("golden.events"), EventSamples.golden());
        JsonNode root = new ObjectMapper().readTree(json(events));
        BigDecimal first = null;
        for (JsonNode event : root.get("traceEvents")) {
            if (event.has("ts")) {
                BigDecimal time = new BigDecimal(event.get("ts").asText());
                first = first == null ? time : first.min(time);
            }
        }
        assertThat(first).isEqualByComparingTo(BigDecimal.ZERO);
        assertThat(root.get("otherData").get("time_zero_unix_ns").asLong())
                .isEqualTo(1790000000000000000L - 1500);
    }

    @Test
    void shouldWriteWholeDocumentsOfDamagedEvents() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] story = Files.readAllBytes(Story.file(directory));
        for (int round = 0; round < 50; round++) {
            byte[] bytes = story.clone();
            for (int i = random.nextInt(300); i >= 0; i--) {
                int block = EventFormat.BLOCK_BYTES * (1 + random.nextInt(2));
                bytes[block + 64 + random.nextInt(64 * 30)] = (byte) random.nextInt();
            }
            Path file = Files.write(directory.resolve("damaged"), bytes);
            JsonNode root = new ObjectMapper().readTree(json(file));
            Map<String, Integer> open = new HashMap<>();
            for (JsonNode event : root.get("traceEvents")) {
                String phase = event.get("ph").asText();
                if (phase.equals("b") || phase.equals("e")) {
                    open.merge(
                            event.at("/id2/local").asText(),
                            phase.equals("b") ? 1 : -1,
                            Integer::sum);
                }
            }
            assertThat(open.values())
                    .as("seed %d, round %d", seed, round)
                    .allMatch(count -> count == 0);
        }
    }
}
