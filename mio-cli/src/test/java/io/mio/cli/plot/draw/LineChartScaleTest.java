package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures beside the axis of a chart. */
class LineChartScaleTest {
    private static String drawn(LineChart.Scale scale, double most) throws IOException {
        List<Double> figures = List.of(most / 2, most);
        LineChart.Series series = new LineChart.Series("a", figures, figures, figures);
        LineChart.Plot plot = new LineChart.Plot("plot", List.of("x", "y"), List.of(series), scale);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new LineChart("title", List.of(), List.of(plot), "below").svg(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldCountInTheUnitOfThePlot() throws IOException {
        assertThat(drawn(LineChart.Scale.BYTES_PER_SECOND, 4 << 20)).contains(">4 MiB/s<");
        assertThat(drawn(LineChart.Scale.TIME, 4e9)).contains(">4 s<").doesNotContain("iB/s");
        assertThat(drawn(LineChart.Scale.COUNT, 4)).contains(">4<").doesNotContain("iB/s");
    }

    @Test
    void shouldShowRatesUnlessItIsToldMore() {
        assertThat(new LineChart.Plot("plot", List.of("x"), List.of()).scale())
                .isEqualTo(LineChart.Scale.BYTES_PER_SECOND);
    }
}
