package io.mio.cli.stats;

import io.mio.cli.stats.BlockSink.Pf;
import io.mio.cli.stats.BlockSink.Start;
import io.mio.cli.stats.BlockSink.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Adds up the blocks of a run, in memory that depends on the number of names and not on the number
 * of blocks.
 *
 * <p>A process is found by its number where the report has one; blocks of the classic text belong
 * to the last header before them. Each input has its own processes.
 */
final class RunStats implements BlockSink {
    private static final int PROGRAMS_MAX = 1000;
    private static final int PROCESSES_KEPT_MAX = 10_000;
    private static final int PROCESSES_OPEN_MAX = 20_000;
    private static final int PENDING_MAX = 8192;
    private static final long NAME_CHARS_MAX = 8L << 20;
    private static final int LAYERS_MAX = 1000;

    private record OpenFile(ProcessFigures process, String file, Object kind, String opened) {}

    private record TraceEntry(
            ProcessFigures process,
            String event,
            String file,
            FileFigures.Layer layer,
            Counts counts) {}

    private record PfEntry(ProcessFigures process, Pf block) {}

    private record AutoEntry(ProcessFigures process, Auto block) {}

    private final int namesMax;
    private final Predicate<String> wanted;
    private final boolean keepProcesses;
    private final Map<String, ProgramFigures> programs = new LinkedHashMap<>();
    private ProgramFigures otherPrograms;
    private final Map<FileFigures.Layer, FileFigures.Layer> layers = new HashMap<>();
    private final List<ProcessFigures> processes = new ArrayList<>();
    private long processesNotKept;
    private final Below below = new Below();

    private final Map<Long, ProcessFigures> open =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, ProcessFigures> eldest) {
                    boolean over = size() > PROCESSES_OPEN_MAX;
                    if (over) {
                        ended(eldest.getValue());
                    }
                    return over;
                }
            };

    private final Pending<TraceEntry> pendingTrace = new Pending<>(PENDING_MAX, this::countTrace);
    private final Pending<PfEntry> pendingPf =
            new Pending<>(PENDING_MAX, entry -> countPf(entry.process(), entry.block()));

    private final Pending<AutoEntry> pendingAuto =
            new Pending<>(
                    PENDING_MAX,
                    entry ->
                            file(entry.process(), entry.block().file())
                                    .addAuto(entry.process(), entry.block()));

    private String lastRetried;
    private long names;
    private long nameChars;
    private long folded;
    private long blocks;
    private long headers;
    private long began;

    /**
     * Makes empty sums.
     *
     * @param namesMax names of files that are kept apart, of all programs together
     * @param wanted names that are counted
     * @param keepProcesses whether each process is kept as well
     */
    RunStats(int namesMax, Predicate<String> wanted, boolean keepProcesses) {
        this.namesMax = namesMax;
        this.wanted = wanted;
        this.keepProcesses = keepProcesses;
    }

    @Override
    public void start(Start start) {
        headers++;
        began++;
        ProcessFigures process = newProcess(start.program(), start.pid());
        ProcessFigures before = open.put(start.pid(), process);
        if (before != null) {
            ended(before);
        }
    }

    private ProcessFigures newProcess(String name, long pid) {
        ProgramFigures program = program(name.isEmpty() ? Names.UNKNOWN_PROGRAM : name);
        return new ProcessFigures(program, pid < 0 ? "#" + Math.max(1, began) : Long.toString(pid));
    }

    private ProgramFigures program(String name) {
        String limited = Names.limited(name);
        ProgramFigures program = programs.get(limited);
        if (program == null && programs.size() < PROGRAMS_MAX) {
            program = new ProgramFigures(limited);
            programs.put(limited, program);
        } else if (program == null) {
            if (otherPrograms == null) {
                otherPrograms = new ProgramFigures(Names.OTHERS);
            }
            program = otherPrograms;
        }
        return program;
    }

    private ProcessFigures process(long pid) {
        ProcessFigures process = open.get(pid);
        if (process == null) {
            process = newProcess("", pid);
            open.put(pid, process);
        }
        return process;
    }

    @Override
    public void trace(Trace block) {
        blocks++;
        if (!wanted.test(block.file())) {
            return;
        }
        ProcessFigures process = process(block.pid());
        counted(process).ranUntil(block.nowNanos());
        FileFigures.Layer layer = layer(block.above(), block.below());
        pendingTrace.take(
                new OpenFile(process, block.file(), layer, block.opened()),
                block.event(),
                new TraceEntry(process, block.event(), block.file(), layer, block.counts()));
    }

    /** Returns the kept instance of a layer, so that files share it instead of having one each. */
    private FileFigures.Layer layer(String above, String below) {
        FileFigures.Layer layer = new FileFigures.Layer(above, below);
        FileFigures.Layer kept = layers.get(layer);
        if (kept == null) {
            kept = layers.size() < LAYERS_MAX ? layer : FileFigures.OTHER_LAYERS;
            layers.put(kept, kept);
        }
        return kept;
    }

    private ProcessFigures counted(ProcessFigures process) {
        if (process.count()) {
            process.program().addProcess();
            if (keepProcesses && processes.size() < PROCESSES_KEPT_MAX) {
                process.keep();
                processes.add(process);
            } else {
                processesNotKept++;
            }
        }
        return process;
    }

    private void countTrace(TraceEntry entry) {
        Counts counts = entry.counts();
        counts.set(Counter.UNCLOSED, Pending.isExit(entry.event()) ? 1 : 0)
                .set(Counter.UNFINISHED, Pending.isInter(entry.event()) ? 1 : 0);
        ProcessFigures process = entry.process();
        FileFigures file = file(process, entry.file());
        FileFigures.Layer layer = file.addTrace(process, entry.layer(), counts);
        if (process.isKept() && layer.isTop()) {
            process.addTop(counts);
        } else if (process.isKept()) {
            below.addTrace(process, file, layer, counts);
        }
    }

    @Override
    public void pf(Pf block) {
        blocks++;
        // The block of a cache is the sum of the blocks of its files.
        if (block.file() == null || !wanted.test(block.file())) {
            return;
        }
        ProcessFigures process = counted(process(block.pid()));
        pendingPf.take(
                new OpenFile(process, block.file(), block.tag(), ""),
                block.event(),
                new PfEntry(process, block));
    }

    private void countPf(ProcessFigures process, Pf block) {
        FileFigures file = file(process, block.file());
        file.addPf(process, block.counts());
        if (block.plan() != null) {
            file.addPlan(block.plan());
        }
        if (process.isKept()) {
            process.addPf(block.counts());
            below.addPf(process, file, block.counts());
        }
    }

    @Override
    public void auto(Auto block) {
        blocks++;
        if (!wanted.test(block.file())) {
            return;
        }
        ProcessFigures process = counted(process(block.pid()));
        pendingAuto.take(
                new OpenFile(process, block.file(), "auto " + block.tag(), block.opened()),
                block.event(),
                new AutoEntry(process, block));
    }

    @Override
    public void recov(long pid, String file, boolean failed) {
        blocks++;
        lastRetried = file == null ? lastRetried : file;
        if (lastRetried != null && wanted.test(lastRetried)) {
            ProcessFigures process = counted(process(pid));
            file(process, lastRetried).addRecov(process, failed);
        }
    }

    @Override
    public void mistake(String what) {
        throw new UnsupportedOperationException("mistakes are the reader's");
    }

    private FileFigures file(ProcessFigures process, String name) {
        ProgramFigures program = process.program();
        FileFigures file = program.file(name);
        if (file != null) {
            return file;
        }
        if (names < namesMax && nameChars + name.length() <= NAME_CHARS_MAX) {
            names++;
            nameChars += name.length();
            return program.addFile(name);
        }
        folded++;
        return program.others();
    }

    /** Ends an input: no later block can replace one of its blocks. */
    void endOfInput() {
        pendingTrace.flush();
        pendingPf.flush();
        pendingAuto.flush();
        open.values().forEach(RunStats::ended);
        open.clear();
        lastRetried = null;
    }

    private static void ended(ProcessFigures process) {
        if (!process.count()) {
            process.program().addRun(process.runNanos());
        }
    }

    /** Returns the number of headers of processes so far. */
    long headers() {
        return headers;
    }

    /** Returns the number of blocks so far, including those of files that are not wanted. */
    long blocks() {
        return blocks;
    }

    /** Returns the number of blocks of files beyond the limits. */
    long folded() {
        return folded;
    }

    int namesMax() {
        return namesMax;
    }

    /** Returns the number of processes beyond the limits, whose rows are missing. */
    long processesNotKept() {
        return keepProcesses ? processesNotKept : 0;
    }

    /**
     * Returns the processes that had a wanted block, in the order of the input. Call this when all
     * is read.
     */
    List<ProcessFigures> processes() {
        below.settle();
        return processes;
    }

    /** Returns the programs that had a wanted block, in the order of the input. */
    List<ProgramFigures> programs() {
        List<ProgramFigures> all = new ArrayList<>(programs.values());
        if (otherPrograms != null) {
            all.add(otherPrograms);
        }
        all.removeIf(program -> program.files().isEmpty());
        return all;
    }

    /** Returns the files of all programs. */
    List<FileFigures> files() {
        return programs().stream().flatMap(program -> program.files().stream()).toList();
    }
}
