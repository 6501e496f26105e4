package io.mio.cli.events;

import io.mio.stats.TraceSnapshot;

/** How the requests of one open lie to one another, judged as trace layers do. */
final class AccessPattern {
    private long lastOffset = -1;
    private long lastEnd;
    private long lastStride;

    /** That of the next request. */
    TraceSnapshot.Pattern next(long offset, long bytes) {
        TraceSnapshot.Pattern pattern =
                TraceSnapshot.Pattern.of(offset, bytes, lastOffset, lastEnd, lastStride);
        lastStride = offset - lastOffset;
        lastOffset = offset;
        lastEnd = offset + bytes;
        return pattern;
    }
}
