package io.mio.trace;

import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stats.ByteUnit;
import io.mio.stats.ProcessFacts;
import io.mio.stats.TraceSnapshot;
import io.mio.stats.TraceSnapshot.Event;

/** Makes a trace layer over the layer under test, and reads what it has counted. */
final class Traced {
    private static final OpenRequest.Place PLACE =
            new OpenRequest.Place() {
                @Override
                public String type() {
                    return "ext4";
                }

                @Override
                public long sectorBytes() {
                    return 4096;
                }
            };

    private Traced() {}

    static TraceLayer over(Layer below, int oflags, long sizeBytes) {
        return new TraceLayer(
                "trace",
                below,
                "program",
                ByteUnit.KBYTES,
                new OpenRequest(
                        "test.dat", oflags, 0640, sizeBytes, ProcessFacts.START_NANOS, 0, PLACE));
    }

    static TraceSnapshot snapshot(TraceLayer trace) {
        return (TraceSnapshot) trace.source().snapshot(Event.CLOSE);
    }
}
