package io.mio.stats;

import io.mio.stats.TraceSnapshot.Distributions;
import io.mio.stats.TraceSnapshot.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes snapshots of files on which nothing happened. */
public final class TestBlocks {
    private TestBlocks() {}

    /** The snapshot of a file of this name. */
    public static TraceSnapshot of(Event event, String file) {
        List<OperationStats> none = new ArrayList<>();
        for (TraceOperation unused : TraceOperation.values()) {
            none.add(OperationStats.NONE);
        }
        long[] empty = new long[4];
        return new TraceSnapshot(
                event,
                "program",
                "os",
                file,
                ByteUnit.BYTES,
                none,
                0,
                0,
                0,
                0600,
                "ext4",
                4096,
                0,
                "RDONLY",
                false,
                0,
                0,
                0,
                0,
                0,
                new Distributions(empty, empty, empty, empty, empty, 1, empty, empty, Map.of()));
    }
}
