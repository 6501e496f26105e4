package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrueTypeTest {
    private final TrueType font = TrueType.usual();

    /** All points of the outline, two numbers each. */
    private List<Double> points(String text) {
        List<Double> points = new ArrayList<>();
        font.draw(
                text,
                1000,
                new TrueType.Pen() {
                    @Override
                    public void move(double x, double y) {
                        points.add(x);
                        points.add(y);
                    }

                    @Override
                    public void line(double x, double y) {
                        move(x, y);
                    }

                    @Override
                    public void curve(double controlX, double controlY, double x, double y) {
                        move(x, y);
                    }

                    @Override
                    public void close() {}
                });
        return points;
    }

    private static double highest(List<Double> points) {
        double highest = -1e9;
        for (int i = 1; i < points.size(); i += 2) {
            highest = Math.max(highest, points.get(i));
        }
        return highest;
    }

    @Test
    void shouldKnowWidthsOfTheFamilyThatOthersHave() {
        // Widths as in Helvetica's published metrics, in thousandths.
        assertThat(font.width("a", 1000)).isCloseTo(556, within(1.0));
        assertThat(font.width("i", 1000)).isCloseTo(222, within(1.0));
        assertThat(font.width("M", 1000)).isCloseTo(833, within(1.0));
        assertThat(font.width("aiM", 10)).isCloseTo(16.11, within(0.03));
    }

    @Test
    void shouldDrawLettersComposedOfOthers() {
        List<Double> plain = points("u");
        List<Double> composed = points("\u00fc");
        assertThat(composed.size()).isGreaterThan(plain.size());
        assertThat(highest(plain)).isLessThan(560);
        assertThat(highest(composed)).isGreaterThan(600);
    }

    @Test
    void shouldDrawTheSameBoxForWhateverTheFontLacks() {
        List<Double> box = points("\u6f22");
        assertThat(box).isNotEmpty().isEqualTo(points("\ud83d\ude00")).isEqualTo(points("\ud800"));
        assertThat(points(" ")).isEmpty();
    }

    @Test
    void shouldDrawEveryCharacterItHas() {
        int drawn = 0;
        for (int point = 0x20; point < 0x10000; point++) {
            drawn += points(Character.toString(point)).isEmpty() ? 0 : 1;
        }
        assertThat(drawn).isGreaterThan(60_000);
    }
}
