package io.mio.cli.experiment;

import io.mio.cli.bench.Spread;
import io.mio.cli.plot.draw.LineChart;
import java.util.ArrayList;
import java.util.List;

/** Spreads as lines and bars. */
public final class Charts {
    private Charts() {}

    /**
     * A line, or a bar if it is one spread.
     *
     * @param spreads of each category; null where there is none
     */
    public static LineChart.Series series(String label, List<Spread> spreads) {
        return series(label, spreads, 1);
    }

    /**
     * The same in another unit.
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
