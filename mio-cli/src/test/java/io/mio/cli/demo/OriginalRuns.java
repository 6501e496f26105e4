package io.mio.cli.demo;

import io.mio.cli.ClassicReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The original's two runs: its reports, with passes chosen to fit their times in seconds. */
final class OriginalRuns {
    static final long RECORDS = AlotBuf.ORIGINAL_RECORDS;
    static final long BYTES = RECORDS * AlotBuf.ORIGINAL_RECORD_BYTES;

    private OriginalRuns() {}

    static String report(String name) throws IOException {
        try (InputStream in = ClassicReport.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static List<Pass> passes(long writeMillis, long forwardMillis, long backwardMillis) {
        return List.of(
                new Pass("write", RECORDS, BYTES, writeMillis * 1_000_000),
                new Pass("forward", RECORDS, BYTES, forwardMillis * 1_000_000),
                new Pass("backward", RECORDS, BYTES, backwardMillis * 1_000_000));
    }

    static RunFigures trace() throws IOException {
        return new RunFigures(
                "trace",
                "[ trace ]",
                passes(238_160, 600_000, 675_790),
                new Usage(1_685_910_000_000L, 100_000_000_000L, 280_000, 140_000, 28_000L << 20),
                0,
                ClassicReport.parse(report("original.stats")));
    }

    /** The run with pf, whose report is changed, for tests of what does not agree. */
    static RunFigures pf(String from, String to) throws IOException {
        String report = report("original-pf.stats");
        if (!report.contains(from)) {
            throw new IllegalArgumentException("not in the report: " + from);
        }
        return new RunFigures(
                "pf",
                "[ trace | pf | trace ]",
                passes(288_880, 200_000, 283_750),
                new Usage(940_940_000_000L, 50_000_000_000L, 3, 1, 0),
                0,
                ClassicReport.parse(report.replace(from, to)));
    }

    static RunFigures pf() throws IOException {
        return pf("", "");
    }
}
