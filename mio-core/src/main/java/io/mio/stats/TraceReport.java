package io.mio.stats;

import java.util.Locale;

/**
 * The classic text of a trace block, label for label and column for column that of the original
 * (reference 4.3, document 000). The demand line has one closing bracket too many there, and so
 * here: scripts that read the original's reports read ours. Between columns there is a blank also
 * where a number fills its column, as those of today's machines can.
 */
final class TraceReport {
    private TraceReport() {}

    static String classic(TraceSnapshot trace) {
        StringBuilder out = new StringBuilder(1024);
        ByteUnit unit = trace.unit();
        long total = trace.totalBytes();
        long nanos = trace.transferNanos();
        long open = trace.nowNanos() - trace.openedNanos();
        line(
                out,
                "Trace %s : %s <-> %s : %s : (%d/%.2f)=%.2f %s/s",
                trace.event().label(),
                trace.above(),
                trace.below(),
                trace.file(),
                unit.whole(total),
                seconds(nanos),
                unit.rate(total, nanos),
                unit.label());
        line(
                out,
                "     demand rate=%.2f %s/s=%d/(%.2f-%.2f))",
                unit.rate(total, open),
                unit.label(),
                unit.whole(total),
                seconds(trace.nowNanos()),
                seconds(trace.openedNanos()));
        line(
                out,
                "     current size=%d   max_size=%d",
                unit.whole(trace.currentSize()),
                unit.whole(trace.maxSize()));
        line(
                out,
                "  mode =%s  FileSystemType=%s sector size=%d",
                trace.mode() < 0 ? "unknown" : String.format(Locale.ROOT, "0%o", trace.mode()),
                trace.fileSystemType(),
                trace.sectorBytes());
        line(out, "  oflags =0x%x=%s", trace.oflags(), trace.oflagNames());
        for (TraceOperation operation : TraceOperation.values()) {
            row(out, trace, operation);
            if (operation == TraceOperation.OPEN && trace.direct()) {
                line(
                        out,
                        "  %-10s%9d   mem misaligned %d",
                        "ill form",
                        trace.illFormed(),
                        trace.misaligned());
            }
        }
        if (trace.extensions() > 0) {
            line(out, "  %-10s%9d", "size", trace.extensions());
        }
        return out.toString();
    }

    private static void row(StringBuilder out, TraceSnapshot trace, TraceOperation operation) {
        OperationStats one = trace.of(operation);
        if (one.count() == 0) {
            return;
        }
        String label = operation.label();
        if (operation == TraceOperation.SEEK) {
            line(
                    out,
                    "  %-10s%9d %8.2f average seek delta=%d",
                    label,
                    one.count(),
                    seconds(one.nanos()),
                    trace.averageSeekDelta());
        } else if (!operation.isTransfer()) {
            line(out, "  %-10s%9d %8.2f", label, one.count(), seconds(one.nanos()));
        } else {
            ByteUnit unit = trace.unit();
            line(
                    out,
                    "  %-10s%9d %8.2f %10d %10d %10d %10d",
                    label,
                    one.count(),
                    seconds(one.nanos()),
                    unit.whole(one.requested()),
                    unit.whole(one.delivered()),
                    one.smallest(),
                    one.largest());
            if (operation.isAsynchronous()) {
                line(
                        out,
                        "   %-9s%9d %8.2f %11.2f %s/s",
                        "suspend",
                        one.suspends(),
                        seconds(one.suspendNanos()),
                        unit.rate(one.delivered(), one.nanos() + one.suspendNanos()),
                        unit.label());
            }
        }
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
