package io.mio.cli.experiment;

import io.mio.cli.bench.Spread;
import io.mio.cli.plot.draw.LineChart;
import java.util.ArrayList;
import java.util.List;

/** Makes lines and bars of spreads. */
public final class Charts {
    private Charts() {}

    /**
     * Returns a line, or a bar if there is one spread.
     *
     * @param spreads of each category; null where there is none
     */
    public static LineChart.Series series(String label, List<Spread> spreads) {
        return series(label, spreads, 1);
    }

    /**
     * Returns a line or bar in another unit.
     *
     * @param factor for example 1024 for KB per second, because axes of rates are in bytes
     */
    public static LineChart.Series series(String label, List<Spread> spreads, double factor) {
        List<Double> middle = new ArrayList<>();
        List<Double> least = new ArrayList<>();
        List<Double> most = new ArrayList<>();
        for (Spread spread : spreads) {
            middle.add(spread == null ? Double.NaN : factor * spread.median());
            least.add(spread == null ? Double.NaN : factor * spread.least());
            most.add(spread == null ? Double.NaN : factor * spread.most());
        }
        return new LineChart.Series(label, middle, least, most);
    }
}
