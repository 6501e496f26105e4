package io.mio.cli.events;

import io.mio.stats.TraceSnapshot;

/** How the requests of one open lie to one another, judged as trace layers do. */
final class AccessPattern {
    private long lastOffset = -1;
    private long lastEnd;
    private long lastStride;

    /** That of the next request. */
    TraceSnapshot.Pattern next(long offset, long bytes) {
        long stride = offset - lastOffset;
        TraceSnapshot.Pattern pattern;
        if (offset == lastEnd || lastOffset < 0) {
            pattern = TraceSnapshot.Pattern.SEQUENTIAL;
        } else if (offset + bytes == lastOffset) {
            pattern = TraceSnapshot.Pattern.BACKWARD;
        } else if (stride == lastStride && stride != 0) {
            pattern = TraceSnapshot.Pattern.STRIDED;
        } else {
            pattern = TraceSnapshot.Pattern.RANDOM;
        }
        lastStride = stride;
        lastOffset = offset;
        lastEnd = offset + bytes;
        return pattern;
    }
}
