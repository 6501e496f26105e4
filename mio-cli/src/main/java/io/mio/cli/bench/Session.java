package io.mio.cli.bench;

import io.mio.cli.demo.MemoryGroup;
import io.mio.os.FrameArena;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The workers of one run of one configuration at one point, from their start to their end. They do
 * every test of the run, one after the other.
 */
final class Session {

    /**
     * Most tries of a test that only reads: if all fail, it is no accident that it is not cold or
     * warm.
     */
    private static final int TRIES = 3;

    /**
     * Seconds that any test may take: a flush behind other programs' writes, seeks of a full disk.
     */
    private static final double LIMIT_SECONDS = 600;

    private static final double CALL_SECONDS = 0.1;
    private static final double LEAST_BYTES_PER_SECOND = 1 << 18;
    private static final double NANOS = 1e9;

    /** Bytes of memory made ready for caches of MIO. */
    private static final long CACHE_BYTES = 128 << 20;

    /** Most bytes of files for whose pages memory is made ready, where memory is not limited. */
    private static final long HAND_BYTES = 1 << 30;

    /** What all sessions of a benchmark share. */
    record Setting(
            BenchOptions options,
            BenchFiles files,
            WorkerCommand command,
            WarmUp warmUp,
            PageState state,
            Cleanup cleanup,
            Delivered delivered,
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
     * Makes a session without starting it.
     *
     * @param generation generation of all that the files hold; 0 if that is not known
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
            worker.expect(BenchWorker.GREETING, this::watch, WorkerProcess.STEP_NANOS);
        }
    }

    private Void startAll(Path report) throws IOException, InterruptedException {
        if (options.memoryBytes() > 0) {
            group = MemoryGroup.open("mio-bench", options.memoryBytes());
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
            String label = configuration.name() + (count == 1 ? "" : ", worker " + i);
            workers.add(new WorkerProcess(label, builder));
        }
        return null;
    }

    /** Looks, while a worker is waited for, whether another one has failed. */
    private void watch() throws IOException {
        setting.tick().run();
        for (WorkerProcess worker : workers) {
            worker.checkRunning();
        }
    }

    /** Ends the workers, whatever they do. */
    private void stop() throws IOException {
        workers.forEach(WorkerProcess::ask);
        workers.forEach(WorkerProcess::stop);
        if (group != null) {
            group.close();
        }
    }

    /** Lets the workers end by themselves, or ends them at once if something has failed. */
    void end(boolean failed) throws IOException, InterruptedException {
        try {
            if (!failed) {
                for (WorkerProcess worker : workers) {
                    worker.finish(WorkerProcess.STEP_NANOS);
                }
            }
        } finally {
            setting.cleanup().end(stopping);
        }
    }

    /** Lets a JVM compile what the tests will do; this time is not measured. */
    void warmUp() throws IOException, InterruptedException {
        WarmUp warmUp = setting.warmUp();
        if (warmUp == null) {
            return;
        }
        long began = System.nanoTime();
        WarmUp.Calls calls = new WarmUp.Calls();
        do {
            for (BenchTest test : options.tests()) {
                Sample sample = measure("warm ", warmUp.job(test, point), () -> {});
                calls.add(test, sample.calls() / workers.size());
            }
        } while (!calls.areEnough(options.tests(), System.nanoTime() - began));
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
        if (test.isFilling()) {
            setting.cleanup().step(this::makeAnew);
            return measure(job(test, options.verify()), this::haveMemoryAtHand);
        }
        setting.files().check();
        if (test == BenchTest.REREAD) {
            return measure(job(test, options.verify()), () -> {});
        }
        for (int tries = 1; ; tries++) {
            try {
                return inState(test);
            } catch (StateException e) {
                // A test that only reads can be repeated: the disturbance may be gone.
                if (test.isWriting() || tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private Sample inState(BenchTest test) throws IOException, InterruptedException {
        PageState state = setting.state();
        List<Path> files = setting.files().files();
        long bytes = point.fileBytes();
        state.reach(files, bytes, group);
        Check last =
                () -> {
                    haveMemoryAtHand();
                    state.keep(files, bytes, group);
                    setting.delivered().begin();
                };
        Sample sample = measure(job(test, options.verify()), last);
        if (options.warm() && !test.isWriting()) {
            // Pages that were in memory before may have left it since.
            state.check(files, bytes);
        } else if (!test.isWriting()) {
            ColdProof.check(test, setting.files(), sample, setting.delivered().bytes(sample));
        }
        return options.state() == FileState.TWICE
                ? sample.then(measure(job(test, options.verify()), () -> {}))
                : sample;
    }

    /**
     * Makes memory ready for MIO's caches, and for the kernel's page cache of what is not in memory
     * yet. The latter takes twice as much, since the kernel joins what is given back with
     * neighbours that the host has taken, and hands out both.
     */
    private void haveMemoryAtHand() {
        long files = options.warm() ? 0 : setting.files().files().size() * point.fileBytes();
        long most = options.memoryBytes() > 0 ? options.memoryBytes() : HAND_BYTES;
        FrameArena.haveAtHand(CACHE_BYTES + 2 * Math.min(files, most));
    }

    /** Reads everything after the last test, and checks it. */
    void verify() throws IOException, InterruptedException {
        measure(job(BenchTest.READ, true), () -> {});
    }

    private WorkerJob job(BenchTest test, boolean verify) {
        int known = uniform ? generation : 0;
        if (test.isWriting() && verify) {
            // If two writes of a run had the same content, a lost write would go unnoticed.
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

    /** Something to be checked when the files are open and nothing has been measured. */
    private interface Check {
        void look() throws IOException, InterruptedException;
    }

    private Sample measure(WorkerJob job, Check check) throws IOException, InterruptedException {
        return measure("run ", job, check);
    }

    private Sample measure(String command, WorkerJob job, Check check)
            throws IOException, InterruptedException {
        for (int i = 0; i < workers.size(); i++) {
            // A job for one thread, such as a warm-up, is done by each worker alone.
            int first = options.processes() && job.threads() > 1 ? i : 0;
            workers.get(i).send(command + job.from(first).toLine());
        }
        for (WorkerProcess worker : workers) {
            worker.expect("prepared", this::watch, WorkerProcess.STEP_NANOS);
        }
        check.look();
        for (WorkerProcess worker : workers) {
            worker.send("go");
        }
        List<Sample> samples = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            String result = worker.next(this::watch, limitNanos(job, options.files()));
            try {
                samples.add(
                        Sample.ofLines(result, worker.next(this::watch, WorkerProcess.STEP_NANOS)));
            } catch (IllegalArgumentException e) {
                throw new IOException(configuration.name() + ": " + e.getMessage(), e);
            }
            worker.expect("done", this::watch, WorkerProcess.STEP_NANOS);
        }
        return Sample.of(samples);
    }

    /** Returns a limit that no storage is slow enough to need: a test that takes longer hangs. */
    static long limitNanos(WorkerJob job, int files) {
        double calls = (double) job.fileRecords() * files;
        double seconds = LIMIT_SECONDS + calls * CALL_SECONDS;
        seconds += calls * job.recordBytes() / LEAST_BYTES_PER_SECOND;
        return (long) Math.min(Long.MAX_VALUE, seconds * NANOS);
    }
}
