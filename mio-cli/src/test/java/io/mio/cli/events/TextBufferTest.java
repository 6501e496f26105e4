package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextBufferTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final TextBuffer buffer = new TextBuffer(out);

    private String text() throws IOException {
        buffer.flush();
        String text = out.toString(StandardCharsets.UTF_8);
        out.reset();
        return text;
    }

    @Test
    void shouldWriteNumbersAsOthersDo() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            long number = random.nextLong() >> random.nextInt(64);
            number = i == 0 ? Long.MIN_VALUE : i == 1 ? Long.MAX_VALUE : number;
            int decimals = random.nextInt(10);
            int width = random.nextInt(40);
            buffer.fixed(number, decimals, width);
            String plain = BigDecimal.valueOf(number, decimals).toPlainString();
            assertThat(text())
                    .as("seed %d: %d, %d", seed, number, decimals)
                    .isEqualTo(" ".repeat(Math.max(0, width - plain.length())) + plain);
        }
    }

    @Test
    void shouldKeepTheOrderOfLargeAndSmallTexts() throws IOException {
        String large = "x".repeat(200_000) + "\u00e4";
        String wide = "\u00e4".repeat(60_000);
        buffer.text("a").text(large).character('b').text(wide).number(-5).text("\ud83d\ude00");
        assertThat(text()).isEqualTo("a" + large + "b" + wide + "-5\ud83d\ude00");
    }

    @Test
    void shouldAlign() throws IOException {
        buffer.left("ab", 4).right("cd", 4).left("long", 2).character('|');
        assertThat(text()).isEqualTo("ab    cdlong|");
    }
}
