package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.plot.What;
import io.mio.cli.plot.draw.PictureOptions.Theme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Colours must be visible. */
class PaletteTest {
    /** The contrast that WCAG 2.1 requires of graphics (1.4.11). */
    private static final double LEAST = 3;

    @ParameterizedTest
    @EnumSource(Theme.class)
    void shouldStandOutFromTheGround(Theme theme) {
        Palette palette = Palette.of(theme);
        for (What what : What.values()) {
            assertThat(contrast(palette.of(what), palette.ground()))
                    .as("%s, %s", what, theme)
                    .isGreaterThanOrEqualTo(LEAST);
        }
    }

    private static double contrast(Ink one, Ink other) {
        double a = luminance(one) + 0.05;
        double b = luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(Ink ink) {
        return 0.2126 * linear(ink.rgb() >> 16)
                + 0.7152 * linear(ink.rgb() >> 8)
                + 0.0722 * linear(ink.rgb());
    }

    private static double linear(int value) {
        double share = (value & 0xff) / 255.0;
        return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }

    @ParameterizedTest
    @EnumSource(Theme.class)
    void shouldBeThatOfThePage(Theme theme) throws IOException {
        String script;
        try (InputStream in = What.class.getResourceAsStream("html/palette.js")) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String name = theme.name().toLowerCase(Locale.ROOT);
        String own = script.substring(script.indexOf(name + ": {"));
        for (What what : What.values()) {
            Matcher colour = Pattern.compile("\\b" + what + ": '#([0-9A-Fa-f]{6})'").matcher(own);
            assertThat(colour.find()).as("%s", what).isTrue();
            assertThat(Integer.parseInt(colour.group(1), 16))
                    .as("%s, %s", what, theme)
                    .isEqualTo(Palette.of(theme).of(what).rgb());
        }
    }
}
