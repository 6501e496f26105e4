package io.mio.cli.events;

import io.mio.stats.TraceSnapshot;

/** The order of the requests of one open, judged as trace layers judge it. */
final class AccessPattern {
    private long lastOffset = -1;
    private long lastEnd;
    private long lastStride;

    /** Returns the pattern of the next request. */
    TraceSnapshot.Pattern next(long offset, long bytes) {
        TraceSnapshot.Pattern pattern =
                TraceSnapshot.Pattern.of(offset, bytes, lastOffset, lastEnd, lastStride);
        lastStride = offset - lastOffset;
        lastOffset = offset;
        lastEnd = offset + bytes;
        return pattern;
    }
}
