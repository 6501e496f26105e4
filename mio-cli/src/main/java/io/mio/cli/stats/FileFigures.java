package io.mio.cli.stats;

import io.mio.cli.PlanBlock;
import java.util.LinkedHashMap;
import java.util.Map;

/** All figures that are kept of one file name of one program. */
final class FileFigures {
    /** The neighbour above of the topmost layer. */
    static final String PROGRAM = "program";

    /**
     * Most layers kept apart: a rule has only a few, so more do not come from one of MIO's rules.
     */
    private static final int LAYERS_MAX = 16;

    /** The neighbours of a trace layer. */
    record Layer(String above, String below) {
        boolean isTop() {
            return above.equals(PROGRAM);
        }

        /** Returns true if the layer is next to the real file. */
        boolean isBottom() {
            return below.equals("os") || below.equals("aix") || below.equals("posix");
        }

        @Override
        public String toString() {
            return above + " <-> " + below;
        }
    }

    static final Layer OTHER_LAYERS = new Layer(Names.OTHERS, Names.OTHERS);

    private final String program;
    private final String name;
    private final Map<Layer, Counts> layers = new LinkedHashMap<>(4);
    private Counts pf;
    private AutoFigures auto;
    private PlanFigures plan;
    private Layer lastLayer;
    private Object lastProcess;
    private long processes;
    private long retries;
    private long failures;

    FileFigures(String program, String name) {
        this.program = program;
        this.name = name;
    }

    String program() {
        return program;
    }

    String name() {
        return name;
    }

    /** Adds a block. Returns the layer that it was added to. */
    Layer addTrace(Object process, Layer layer, Counts counts) {
        lastLayer = layers.containsKey(layer) || layers.size() < LAYERS_MAX ? layer : OTHER_LAYERS;
        layers.computeIfAbsent(lastLayer, any -> Counts.ofTrace()).add(counts);
        seenBy(process);
        return lastLayer;
    }

    void addPf(Object process, Counts counts) {
        if (pf == null) {
            pf = Counts.ofPf();
        }
        pf.add(counts);
        seenBy(process);
    }

    void addPlan(PlanBlock block) {
        if (plan == null) {
            plan = new PlanFigures();
        }
        plan.add(block);
    }

    void addAuto(Object process, BlockSink.Auto block) {
        if (auto == null) {
            auto = new AutoFigures();
        }
        auto.add(block);
        seenBy(process);
    }

    void addRecov(Object process, boolean failed) {
        if (failed) {
            failures++;
        } else {
            retries++;
        }
        seenBy(process);
    }

    /**
     * Counts processes. Blocks of one process mostly follow each other; where they do not, the
     * process is counted again.
     */
    private void seenBy(Object process) {
        if (process != lastProcess) {
            lastProcess = process;
            processes++;
        }
    }

    /** Adds the figures of another program for the same file name. */
    void add(FileFigures other) {
        other.layers.forEach(
                (layer, counts) -> {
                    layers.computeIfAbsent(layer, any -> Counts.ofTrace()).add(counts);
                    lastLayer = layer;
                });
        if (other.pf != null) {
            addPf(lastProcess, other.pf);
        }
        if (other.auto != null) {
            auto = auto == null ? new AutoFigures() : auto;
            auto.add(other.auto);
        }
        if (other.plan != null) {
            plan = plan == null ? new PlanFigures() : plan;
            plan.add(other.plan);
        }
        processes += other.processes;
        retries += other.retries;
        failures += other.failures;
    }

    /**
     * Returns an upper limit of the processes that used the file; it is exact if their blocks are
     * not mixed.
     */
    long processes() {
        return processes;
    }

    /** Returns the counts by layer, in the order of the first blocks. */
    Map<Layer, Counts> layers() {
        return layers;
    }

    /** Returns the counts of pf; null if there was no block of pf. */
    Counts pf() {
        return pf;
    }

    /** Returns the figures of pf/auto; null if there was no block of it. */
    AutoFigures auto() {
        return auto;
    }

    /** Returns how the file went by plans; null if no block says. */
    PlanFigures plan() {
        return plan;
    }

    /** Returns the attempts of a recov layer. */
    long retries() {
        return retries;
    }

    /** Returns the calls that failed after all attempts. */
    long failures() {
        return failures;
    }

    /**
     * Returns what the program did, from the layers next to it. Where those are not traced, this is
     * what pf counted above itself, without times; or else the counts of the last block's layer, as
     * the layers of a file are reported from the lowest up.
     */
    Counts top() {
        return partOf(this);
    }

    /** Returns true if a layer next to the program is traced. */
    boolean isTopTraced() {
        return layers.keySet().stream().anyMatch(Layer::isTop);
    }

    /** Returns what these blocks, some or all of the file's, contribute to its {@link #top}. */
    Counts partOf(FileFigures file) {
        Counts top = Counts.ofTrace();
        if (file.isTopTraced()) {
            layers.forEach(
                    (layer, counts) -> {
                        if (layer.isTop()) {
                            top.add(counts);
                        }
                    });
            return top;
        }
        if (file.pf != null) {
            if (pf == null) {
                return top;
            }
            Counts counted = Counts.traceBlock();
            counted.set(Counter.READS, pf.get(Counter.PF_READS))
                    .set(Counter.WRITES, pf.get(Counter.PF_WRITES))
                    .set(Counter.READ_BYTES, pf.atLeast(Counter.PF_READ_BYTES))
                    .set(Counter.WRITTEN_BYTES, pf.atLeast(Counter.PF_WRITTEN_BYTES));
            counted.setRounded(pf.bytesOff());
            return counted;
        }
        return layers.getOrDefault(file.lastLayer, top);
    }

    /**
     * Returns the requests to the system, from the layers next to it or from pf; {@link
     * Counts#UNKNOWN} if there are none.
     */
    long systemRequests() {
        Counts bottom = Counts.ofTrace();
        layers.forEach(
                (layer, counts) -> {
                    if (layer.isBottom()) {
                        bottom.add(counts);
                    }
                });
        if (!bottom.isEmpty()) {
            return bottom.sum(Counter.READS, Counter.WRITES);
        }
        return pf == null ? Counts.UNKNOWN : pf.sum(Counter.PAGE_READS, Counter.PAGE_WRITES);
    }
}
