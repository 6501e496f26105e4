package io.mio.cli.plot.html;

import io.mio.cli.plot.Distribution;
import io.mio.cli.plot.Distribution.Count;
import java.util.List;

/** A distribution: series, time bin and bucket as differences, and events. */
final class CountColumns {
    private CountColumns() {}

    static Columns of(Distribution distribution) {
        List<Count> counts = distribution.counts();
        return new Columns(
                counts.size(),
                Columns.differences(row -> counts.get(row).series()),
                Columns.differences(row -> counts.get(row).bin()),
                Columns.differences(row -> counts.get(row).bucket()),
                row -> Columns.clamped(counts.get(row).events()));
    }
}
