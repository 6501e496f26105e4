package io.mio.cli.demo;

import io.mio.cli.ClassicReport;
import io.mio.cli.PfBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One run in figures: what the program measured, and what MIO counted. */
public final class RunFigures {
    /** Names of the last layer. */
    private static final Set<String> LAST_LAYER = Set.of("os", "aix", "posix");

    private static final double NANOS = 1e9;
    private static final double KIB_PER_MIB = 1024;

    private final String name;
    private final String layers;
    private final List<Pass> passes;
    private final Usage usage;
    private final double flushSeconds;
    private final ClassicReport report;
    private final ClassicReport.Block program;
    private final ClassicReport.Block system;

    /**
     * Takes the results of a run.
     *
     * @param layers layers of the rule
     * @param flushNanos how long dropping the file's pages took, with writing them out before
     * @throws IOException if these are not three passes, their cost, and a report with a trace
     *     block next to the program and one next to the system; one block can be both
     */
    RunFigures(
            String name,
            String layers,
            List<Pass> passes,
            Usage usage,
            long flushNanos,
            ClassicReport report)
            throws IOException {
        if (passes.size() != 3 || usage == null) {
            throw new IOException(
                    "expected 3 passes and their cost, found "
                            + passes.size()
                            + (usage == null ? " without" : " with")
                            + " cost");
        }
        this.name = name;
        this.layers = layers;
        this.passes = passes;
        this.usage = usage;
        this.flushSeconds = flushNanos / NANOS;
        this.report = report;
        ClassicReport.Block top = null;
        ClassicReport.Block bottom = null;
        for (ClassicReport.Block block : report.blocks()) {
            if ("program".equals(block.above())) {
                top = block;
            }
            if (LAST_LAYER.contains(block.below())) {
                bottom = block;
            }
        }
        if (top == null || bottom == null) {
            throw new IOException(
                    "run '"
                            + name
                            + "': no trace block next to program and system among "
                            + report.blocks().size());
        }
        this.program = top;
        this.system = bottom;
    }

    public String layers() {
        return layers;
    }

    public long fileBytes() {
        return passes.get(0).bytes();
    }

    public long records() {
        return passes.get(0).records();
    }

    /** Returns the rate of the pass with that number: write, forward, backward. */
    public double mibPerSecond(int pass) {
        return passes.get(pass).mibPerSecond();
    }

    /** Returns the rate of the two passes that read, together. */
    public double readMibPerSecond() {
        Pass forward = passes.get(1);
        Pass backward = passes.get(2);
        return new Pass(
                        "read",
                        forward.records() + backward.records(),
                        forward.bytes() + backward.bytes(),
                        forward.nanos() + backward.nanos())
                .mibPerSecond();
    }

    Usage usage() {
        return usage;
    }

    public double flushSeconds() {
        return flushSeconds;
    }

    /** Returns the rate in the title of the block next to the program, converted from KiB/s. */
    public double reportedMibPerSecond() {
        return program.rate() / KIB_PER_MIB;
    }

    /** Returns the seconds in a row of the block next to the program; 0 if there is none. */
    public double programSeconds(String row) {
        ClassicReport.Row found = program.rows().get(row);
        return found == null ? 0 : found.seconds();
    }

    /** Returns the rate in the title of the block next to the system, converted from KiB/s. */
    public double systemMibPerSecond() {
        return system.rate() / KIB_PER_MIB;
    }

    public double elapsedSeconds() {
        return usage.elapsedSeconds();
    }

    public double cpuSeconds() {
        return usage.cpuSeconds();
    }

    /**
     * Returns the reads and writes that reached the system, as the block next to it counts them.
     */
    public long requests() {
        return count("write") + count("awrite") + count("read") + count("aread");
    }

    /** Returns the count in a row of the block next to the system; 0 if there is none. */
    long count(String row) {
        return count(system, row);
    }

    /** Returns the count in a row of the block next to the program; 0 if there is none. */
    long programCount(String row) {
        return count(program, row);
    }

    private static long count(ClassicReport.Block block, String row) {
        ClassicReport.Row found = block.rows().get(row);
        return found == null ? 0 : found.count();
    }

    /** Returns the pf block of the file, null if there is none. */
    PfBlock pf() {
        for (PfBlock block : report.pfBlocks()) {
            if (block.isOfFile()) {
                return block;
            }
        }
        return null;
    }

    /** Returns all figures by name, for {@code --json}. */
    Map<String, Object> byName() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("run", name);
        figures.put("layers", layers);
        figures.put("elapsed_seconds", usage.elapsedSeconds());
        List<Object> passFigures = new ArrayList<>();
        for (Pass pass : passes) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("pass", pass.name());
            one.put("seconds", pass.seconds());
            one.put("mib_per_second", pass.mibPerSecond());
            passFigures.add(one);
        }
        figures.put("passes", passFigures);
        figures.put("flush_seconds", flushSeconds);
        figures.put("cpu_seconds", usage.cpuSeconds());
        figures.put("requests", requests());
        figures.put("read_calls", usage.readCalls());
        figures.put("write_calls", usage.writeCalls());
        figures.put("device_read_bytes", usage.deviceReadBytes());
        figures.put("trace", report.blocks());
        figures.put("pf", report.pfBlocks());
        return figures;
    }
}
