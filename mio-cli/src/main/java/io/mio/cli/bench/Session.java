package io.mio.cli.bench;

import io.mio.cli.demo.MemoryGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The workers of one run of one configuration at one point, from their start to their end. Every
 * test of the run is done by them, one after the other.
 */
final class Session {
    /** Calls and bytes that a JVM is given to compile what it will do. */
    private static final long WARM_UP_CALLS = 20_000;

    private static final long WARM_UP_BYTES = 4 << 20;

    /** File systems that read from the device just what they are asked for. */
    private static final Set<String> EXACT =
            Set.of("ext2", "ext3", "ext4", "xfs", "f2fs", "vfat", "msdos", "exfat");

    /** A file's pages may come in before the counters are read first. */
    private static final double COLD_SHARE = 0.9;

    /** What all sessions share. */
    record Setting(
            BenchOptions options,
            BenchFiles files,
            WorkerCommand command,
            PageState state,
            Cleanup cleanup,
            Runnable tick) {}

    private final Setting setting;
    private final BenchOptions options;
    private final Configuration configuration;
    private final Point point;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final Cleanup.Action stopping = this::stop;
    private MemoryGroup group;
    private int generation;
    private boolean uniform;

    /**
     * @param generation of all the files hold; 0 if that is not known
     */
    Session(Setting setting, Configuration configuration, Point point, int generation) {
        this.setting = setting;
        this.options = setting.options();
        this.configuration = configuration;
        this.point = point;
        this.generation = generation;
        this.uniform = generation > 0;
    }

    /**
     * Starts the workers.
     *
     * @param report name of MIO's report; null for none
     */
    void start(Path report) throws IOException, InterruptedException {
        setting.cleanup().begin(() -> startAll(report), stopping);
        for (WorkerProcess worker : workers) {
            worker.expect(BenchWorker.GREETING, setting.tick());
        }
    }

    private Void startAll(Path report) throws IOException, InterruptedException {
        if (options.memoryBytes() > 0) {
            group = MemoryGroup.open(options.memoryBytes());
            if (group == null) {
                throw new IOException(
                        "--memory: a memory cgroup is not allowed here; be root, or leave it out");
            }
        }
        int count = options.processes() ? options.threads() : 1;
        for (int i = 0; i < count; i++) {
            Path own =
                    report == null || count == 1
                            ? report
                            : report.resolveSibling(report.getFileName() + "." + i);
            ProcessBuilder builder =
                    setting.command().builder(configuration, own, point.fileRecords());
            if (group != null) {
                builder.command(group.wrap(List.copyOf(builder.command())));
            }
            workers.add(new WorkerProcess(configuration.name(), builder));
        }
        return null;
    }

    /** Ends the workers, whatever they do. */
    private void stop() throws IOException {
        workers.forEach(WorkerProcess::stop);
        if (group != null) {
            group.close();
        }
    }

    /** Ends the workers in peace, or at once if something has failed. */
    void end(boolean failed) throws IOException, InterruptedException {
        try {
            if (!failed) {
                for (WorkerProcess worker : workers) {
                    worker.finish();
                }
            }
        } finally {
            setting.cleanup().end(stopping);
        }
    }

    /** Lets a JVM compile its loops, on a part of the file; the time is nobody's. */
    void warmUp() throws IOException, InterruptedException {
        if (options.door() != BenchOptions.Door.JVM) {
            return;
        }
        long records = Math.max(1, Math.min(WARM_UP_CALLS, WARM_UP_BYTES / point.recordBytes()));
        boolean writes = options.tests().contains(BenchTest.WRITE);
        if (writes) {
            setting.cleanup().step(this::makeAnew);
        }
        WorkerJob job = job(writes ? BenchTest.WRITE : BenchTest.READ, false);
        measure(withRecords(job, Math.min(point.fileRecords(), records)), () -> {});
    }

    private Void makeAnew() throws IOException {
        setting.files().makeAnew();
        return null;
    }

    /**
     * Runs one test, in the state that is asked for.
     *
     * @throws StateException if the files were not in that state
     */
    Sample run(BenchTest test) throws IOException, InterruptedException {
        boolean stateful = test != BenchTest.WRITE && test != BenchTest.REREAD;
        if (test == BenchTest.WRITE) {
            setting.cleanup().step(this::makeAnew);
        } else if (stateful) {
            setting.state().reach(setting.files().files(), group);
        }
        Sample sample =
                measure(
                        job(test, options.verify()),
                        stateful ? () -> setting.state().check(setting.files().files()) : () -> {});
        if (stateful && test.isReading() && !test.isWriting() && !options.warm()) {
            checkCounters(test, sample);
        }
        return sample;
    }

    /** Reads everything after the last test, and checks it. */
    void verify() throws IOException, InterruptedException {
        measure(job(BenchTest.READ, true), () -> {});
    }

    private WorkerJob job(BenchTest test, boolean verify) {
        int known = uniform ? generation : 0;
        if (test.isWriting() && verify) {
            // Twice the same within a run would hide a write that was lost.
            generation++;
            uniform = false;
        }
        return new WorkerJob(
                test,
                point.recordBytes(),
                point.fileRecords(),
                options.threads(),
                0,
                options.processes() ? 1 : options.threads(),
                options.stride(),
                options.seed(),
                options.mixPercent(),
                Math.max(1, generation),
                known,
                options.direct(),
                options.flush(),
                options.close(),
                verify);
    }

    private static WorkerJob withRecords(WorkerJob job, long records) {
        return new WorkerJob(
                job.test(),
                job.recordBytes(),
                records,
                job.threads(),
                job.first(),
                job.count(),
                job.stride(),
                job.seed(),
                job.mixPercent(),
                job.generation(),
                job.known(),
                job.direct(),
                false,
                false,
                false);
    }

    /** Something to be looked at when the files are open and nothing has been measured. */
    private interface Check {
        void look() throws IOException;
    }

    private Sample measure(WorkerJob job, Check check) throws IOException, InterruptedException {
        for (int i = 0; i < workers.size(); i++) {
            workers.get(i).send("run " + job.from(options.processes() ? i : 0).toLine());
        }
        for (WorkerProcess worker : workers) {
            worker.expect("prepared", setting.tick());
        }
        check.look();
        for (WorkerProcess worker : workers) {
            worker.send("go");
        }
        List<Sample> samples = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            String result = worker.next(setting.tick());
            try {
                samples.add(Sample.ofLines(result, worker.next(setting.tick())));
            } catch (IllegalArgumentException e) {
                throw new IOException(configuration.name() + ": " + e.getMessage(), e);
            }
            worker.expect("done", setting.tick());
        }
        return Sample.of(samples);
    }

    /** Pages may have come in while the test ran: the device then delivered too little. */
    private void checkCounters(BenchTest test, Sample sample) throws IOException {
        Path file = setting.files().files().get(0);
        boolean known = setting.state().isKnown(file);
        if (sample.deviceReadBytes() >= COLD_SHARE * sample.bytes()) {
            return;
        }
        if (known
                && (sample.deviceReadBytes() == 0
                        || !EXACT.contains(Files.getFileStore(file).type()))) {
            // Nothing is counted here, or what is counted is packed.
            return;
        }
        throw new StateException(
                test.id()
                        + " of "
                        + file
                        + ": not cold: the device delivered "
                        + sample.deviceReadBytes()
                        + " of "
                        + sample.bytes()
                        + " bytes; another program brings the file into memory, or the device is"
                        + " not counted: take --warm");
    }
}
