package io.mio.stats;

/**
 * The classic text of a trace block, label for label and column for column that of the original
 * (reference 4.3, document 000). As in the original, the demand line has one closing bracket too
 * many: scripts that read the original's reports also read these. A blank stands between columns
 * even where a number fills its column, as numbers of today's machines can.
 */
final class TraceReport {
    // Widths of columns; a blank stands before each but the label and the count.
    private static final int LABEL = 10;
    private static final int COUNT = 9;
    private static final int SECONDS = 8;
    private static final int BYTES = 10;

    private TraceReport() {}

    static String classic(TraceSnapshot trace) {
        ReportText out = new ReportText();
        ByteUnit unit = trace.unit();
        long total = trace.totalBytes();
        long nanos = trace.transferNanos();
        long open = trace.nowNanos() - trace.openedNanos();
        out.text("Trace ").text(trace.event().label()).text(" : ").text(trace.above());
        out.text(" <-> ")
                .text(trace.below())
                .text(" : ")
                .text(LineText.of(trace.file()))
                .text(" : (");
        out.number(unit.whole(total)).text("/").seconds(nanos).text(")=");
        out.rate(unit.rate(total, nanos)).text(" ").text(unit.label()).text("/s\n");
        out.text("     demand rate=").rate(unit.rate(total, open)).text(" ").text(unit.label());
        out.text("/s=").number(unit.whole(total)).text("/(").seconds(trace.nowNanos());
        out.text("-").seconds(trace.openedNanos()).text("))\n");
        out.text("     current size=").number(unit.whole(trace.currentSize()));
        out.text("   max_size=").number(unit.whole(trace.maxSize())).text("\n");
        out.text("  mode =").text(mode(trace.mode()));
        out.text("  FileSystemType=").text(trace.fileSystemType());
        out.text(" sector size=").number(trace.sectorBytes()).text("\n");
        out.text("  oflags =0x").hex(trace.oflags()).text("=").text(trace.oflagNames()).text("\n");
        for (TraceOperation operation : TraceOperation.values()) {
            if (trace.of(operation).count() > 0) {
                row(out, trace, operation);
            }
            if (operation == TraceOperation.OPEN && trace.direct()) {
                out.text("  ").left("ill form", LABEL).right(trace.illFormed(), COUNT);
                out.text("   mem misaligned ").number(trace.misaligned()).text("\n");
            }
        }
        if (trace.extensions() > 0) {
            out.text("  ").left("size", LABEL).right(trace.extensions(), COUNT).text("\n");
        }
        return out.toString();
    }

    private static String mode(int mode) {
        return mode < 0 ? "unknown" : "0" + Integer.toOctalString(mode);
    }

    private static void row(ReportText out, TraceSnapshot trace, TraceOperation operation) {
        OperationStats one = trace.of(operation);
        out.text("  ").left(operation.label(), LABEL).right(one.count(), COUNT).text(" ");
        out.seconds(one.nanos(), SECONDS);
        if (operation == TraceOperation.SEEK) {
            out.text(" average seek delta=").number(trace.averageSeekDelta());
        }
        if (operation.isTransfer()) {
            out.text(" ").right(trace.unit().whole(one.requested()), BYTES);
            out.text(" ").right(trace.unit().whole(one.delivered()), BYTES);
            out.text(" ").right(one.smallest(), BYTES).text(" ").right(one.largest(), BYTES);
        }
        out.text("\n");
        if (operation.isAsynchronous()) {
            long nanos = one.nanos() + one.suspendNanos();
            out.text("   ").left("suspend", LABEL - 1).right(one.suspends(), COUNT).text(" ");
            out.seconds(one.suspendNanos(), SECONDS).text(" ");
            out.rate(trace.unit().rate(one.delivered(), nanos), BYTES + 1);
            out.text(" ").text(trace.unit().label()).text("/s\n");
        }
    }
}
