package io.mio.cli.demo;

import io.mio.cli.ClassicReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run's figures, in three lines and as a map for JSON. */
public final class DemoSummary {
    private static final double MIB = 1024 * 1024;

    private final List<Pass> passes;
    private final ClassicReport.Block block;
    private final long memoryBytes;

    /**
     * @param memoryBytes of the machine, 0 if not known
     * @throws IOException if the report has not exactly one trace block, or the passes are not
     *     three
     */
    public static DemoSummary of(DemoRun run, long memoryBytes) throws IOException {
        return new DemoSummary(run.passes(), ClassicReport.parse(run.report()), memoryBytes);
    }

    DemoSummary(List<Pass> passes, ClassicReport report, long memoryBytes) throws IOException {
        if (passes.size() != 3 || report.blocks().size() != 1) {
            throw new IOException(
                    "expected 3 passes and 1 trace block, found "
                            + passes.size()
                            + " and "
                            + report.blocks().size());
        }
        this.passes = passes;
        this.block = report.blocks().get(0);
        this.memoryBytes = memoryBytes;
    }

    /** What the program did, how fast it was, what that means. */
    public List<String> lines() {
        Pass write = passes.get(0);
        return List.of(
                String.format(
                        Locale.ROOT,
                        "The program: wrote %.0f MiB in %d calls, read it forward and backward in"
                                + " %d calls with %d seeks; every byte was right.",
                        write.bytes() / MIB,
                        count("write"),
                        count("read"),
                        count("seek")),
                String.format(
                        Locale.ROOT,
                        "Its speed: write %.0f, forward %.0f, backward %.0f MiB/s; %.2f of %.2f"
                                + " seconds went into reading and writing the file.",
                        write.mibPerSecond(),
                        passes.get(1).mibPerSecond(),
                        passes.get(2).mibPerSecond(),
                        block.seconds(),
                        seconds()),
                "What it means: " + meaning(write.bytes()));
    }

    private String meaning(long bytes) {
        return reading(bytes) + ". Your own program: docs/GettingStarted.md";
    }

    private String reading(long bytes) {
        if (memoryBytes == 0) {
            return "reads of a file that fits into memory show the system's cache, reads of a"
                    + " larger one the disk";
        }
        if (bytes >= memoryBytes) {
            return "the file is larger than memory, so the reads show the disk";
        }
        String beyond =
                "a --size beyond "
                        + Math.round(memoryBytes / (MIB * 1024))
                        + "g shows the disk alone";
        if (bytes < memoryBytes / 2) {
            return "the file fits into memory, so the reads show the system's cache; " + beyond;
        }
        return "memory may hold part of the file, so the reads show the system's cache and the"
                + " disk; "
                + beyond;
    }

    private long count(String row) {
        ClassicReport.Row found = block.rows().get(row);
        return found == null ? 0 : found.count();
    }

    private double seconds() {
        double seconds = 0;
        for (Pass pass : passes) {
            seconds += pass.seconds();
        }
        return seconds;
    }

    /** The same figures, and every row of the trace block, for {@code --json}. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("file_bytes", passes.get(0).bytes());
        figures.put("records", passes.get(0).records());
        figures.put("memory_bytes", memoryBytes);
        List<Object> passFigures = new ArrayList<>();
        for (Pass pass : passes) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("pass", pass.name());
            one.put("seconds", pass.seconds());
            one.put("mib_per_second", pass.mibPerSecond());
            passFigures.add(one);
        }
        figures.put("passes", passFigures);
        figures.put("trace", block);
        return figures;
    }
}
