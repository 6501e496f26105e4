package io.mio.cli.bench;

import io.mio.cli.demo.PageCache;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A whole benchmark. For each size, all configurations run one after the other, and that several
 * times, so that a machine that slows down or speeds up does so for all of them. Each run of a
 * configuration is a {@link Session} of its own workers.
 */
public final class BenchRun {
    /** Bytes of the records with which a file is filled that is read only. */
    private static final long FILL_BYTES = 1 << 20;

    private static final long SECOND_NANOS = 1_000_000_000;

    private final BenchOptions options;
    private final Cleanup cleanup = new Cleanup();
    private final Progress progress;
    private final Results results = new Results();
    private final List<Point> points = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final boolean keep;
    private BenchFiles files;
    private Session.Setting setting;
    private Delivered delivered = Delivered.BY_DEVICE;
    private boolean devices;
    private KeptReports reports;
    private Point filled;
    private double done;
    private double all;
    private long startNanos;
    private String doing = "";

    /**
     * Makes a benchmark.
     *
     * @param keep whether the files stay at the end
     * @param progress is told what runs
     */
    public BenchRun(BenchOptions options, boolean keep, Progress progress) {
        this.options = options;
        this.keep = keep;
        this.progress = progress;
    }

    /** Takes the files as block devices of the caller's own, which tests only read. */
    public BenchRun onDevices() {
        devices = true;
        return this;
    }

    /** Takes another counter than the kernel's, for storage that the kernel does not count. */
    public BenchRun countedBy(Delivered counter) {
        delivered = counter;
        return this;
    }

    /**
     * Runs everything.
     *
     * @param dir where files are made; null if they are named
     * @param names names of files; empty if they are made in the directory
     * @throws IllegalArgumentException if the files cannot be as the options want them
     * @throws IOException if a worker fails
     */
    public BenchReport run(Path dir, List<Path> names) throws IOException, InterruptedException {
        startNanos = System.nanoTime();
        Descriptors.check(options, Descriptors.limit());
        Path place = dir;
        if (!names.isEmpty()) {
            files =
                    devices
                            ? BenchFiles.given(names)
                            : BenchFiles.named(names, options.files(), options.isWriting());
            place = files.place();
        }
        if (options.verify() && files != null && files.isExisting()) {
            throw new IllegalArgumentException(
                    "--verify: nobody knows what has to be in a file that was there before");
        }
        Machine machine = Machine.of(place);
        Path own = makeDirectory(names.isEmpty() ? dir : temporaryDirectory());
        if (names.isEmpty()) {
            files = BenchFiles.in(own, options.files());
        }
        PointList list = new PointList(options, files, machine);
        list.find();
        points.addAll(list.points());
        skipped.addAll(list.skipped());
        if (!options.warm() && !devices && PageCache.isInMemory(place)) {
            throw new IllegalArgumentException(
                    place
                            + ": files there are in memory and never cold; take --warm or another"
                            + " directory");
        }
        for (Point point : points) {
            SharedPages.check(options, files.files().get(0), point);
        }
        if (options.reports() != null) {
            makeReports(own.resolve("reports"));
        }
        if (!files.isExisting()) {
            makeFiles();
        }
        WarmUp warmUp = WarmUp.of(options, own, files.files().get(0), names.isEmpty(), points);
        if (warmUp != null) {
            makeWarmUp(warmUp);
        }
        Path warmFile = warmUp == null ? null : warmUp.file();
        Path programs =
                WorkerCommand.canBeIn(own, options) ? own : makeDirectory(temporaryDirectory());
        WorkerCommand command = new WorkerCommand(options, files.files(), warmFile, programs);
        cleanup.begin(
                () -> {
                    command.unpack();
                    return null;
                },
                command::remove);
        PageState state = new PageState(options.warm(), PageState::residentBytes, cleanup);
        setting =
                new Session.Setting(
                        options,
                        files,
                        command,
                        warmUp,
                        state,
                        cleanup,
                        delivered,
                        this::showProgress);
        String proof = PageState.proof(files.files().get(0));
        runAll();
        List<String> shown = files.files().stream().map(Path::toString).toList();
        return new BenchReport(options, machine, shown, points, skipped, proof, results);
    }

    private static Path temporaryDirectory() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private Path makeDirectory(Path parent) throws IOException, InterruptedException {
        MadeFile[] made = new MadeFile[1];
        cleanup.begin(
                () ->
                        made[0] =
                                MadeFile.ofDirectory(
                                        Files.createTempDirectory(parent, "mio-bench-")),
                () -> {
                    // The directory is not empty when it holds files that the user wants to keep.
                    if (made[0] != null && (!keep || files == null || isElsewhere(made[0]))) {
                        made[0].remove();
                    }
                });
        return made[0].path();
    }

    private boolean isElsewhere(MadeFile directory) {
        return !files.files().get(0).startsWith(directory.path());
    }

    private void makeReports(Path place) throws IOException, InterruptedException {
        reports = new KeptReports(options, options.reports(), place);
        reports.check(points);
        cleanup.begin(
                () -> {
                    reports.make();
                    return null;
                },
                reports::remove);
    }

    private void makeWarmUp(WarmUp warmUp) throws IOException, InterruptedException {
        cleanup.begin(
                () -> {
                    warmUp.make();
                    return null;
                },
                warmUp::remove);
    }

    private void makeFiles() throws IOException, InterruptedException {
        cleanup.begin(
                () -> {
                    files.makeAnew();
                    return null;
                },
                () -> {
                    if (!keep) {
                        files.remove();
                    }
                });
    }

    private void runAll() throws IOException, InterruptedException {
        for (Point point : points) {
            all += weight(point) * options.tests().size();
        }
        all *= (double) options.runs() * options.configurations().size();
        for (Point point : points) {
            for (int run = 0; run < options.runs(); run++) {
                int count = options.configurations().size();
                for (int i = 0; i < count; i++) {
                    // Another configuration is the first one in each run.
                    session(point, run, options.configurations().get((run + i) % count));
                }
            }
        }
    }

    private static double weight(Point point) {
        // A call costs about as much as 16 KiB of data; the start of processes and files costs as
        // well.
        return point.fileBytes() + 16384.0 * point.fileRecords() + (1 << 20);
    }

    private void session(Point point, int run, Configuration configuration)
            throws IOException, InterruptedException {
        boolean begins = options.tests().get(0).isFilling();
        if (!begins && !files.isExisting()) {
            fill(point);
        }
        Session session = new Session(setting, configuration, point, begins ? 0 : 1);
        session.start(reports == null ? null : reports.place(point, run, configuration));
        boolean failed = true;
        try {
            session.warmUp();
            for (BenchTest test : options.tests()) {
                doing =
                        configuration.name()
                                + ", run "
                                + (run + 1)
                                + " of "
                                + options.runs()
                                + ", "
                                + point.label()
                                + ": "
                                + test.id();
                showProgress();
                results.add(configuration, point, test, session.run(test));
                done += weight(point);
            }
            if (options.verify()) {
                session.verify();
            }
            failed = false;
        } finally {
            session.end(failed);
        }
        if (reports != null) {
            reports.keep(point, run, configuration);
        }
        if (options.isWriting()) {
            filled = null;
        }
    }

    /** Gives the files their content, without MIO, unless they have it already. */
    private void fill(Point point) throws IOException, InterruptedException {
        Point wanted = options.verify() ? point : filling(point);
        if (wanted.equals(filled)) {
            return;
        }
        doing = "filling " + Sizes.text(point.sizeBytes());
        showProgress();
        Session session = new Session(setting, new Configuration("fill", ""), wanted, 0);
        session.start(null);
        boolean failed = true;
        try {
            session.run(BenchTest.WRITE);
            failed = false;
        } finally {
            session.end(failed);
        }
        filled = wanted;
    }

    /** Returns the same bytes in larger records, as far as whole ones fit. */
    private static Point filling(Point point) {
        long factor = Math.max(1, Math.min(FILL_BYTES / point.recordBytes(), point.fileRecords()));
        while (point.fileRecords() % factor != 0) {
            factor--;
        }
        return new Point(point.fileBytes(), (int) (point.recordBytes() * factor));
    }

    private void showProgress() {
        if (progress.isDue()) {
            double elapsed = System.nanoTime() - startNanos;
            String left =
                    done > 0 && elapsed > SECOND_NANOS
                            ? ", " + Amounts.time((long) (elapsed / done * (all - done))) + " left"
                            : "";
            progress.show(
                    doing + String.format(Locale.ROOT, " (%.0f %%", 100 * done / all) + left + ")");
        }
    }

    /**
     * Stops workers and removes files. May be called from any thread, and more than once.
     *
     * @return what could not be removed
     */
    public List<String> stop() {
        return cleanup.all();
    }

    /** Returns a line for each of MIO's reports that could not be kept. */
    public List<String> failures() {
        return reports == null ? List.of() : List.copyOf(reports.failures());
    }

    /** Returns whether {@link #stop} was called. */
    public boolean isStopped() {
        return cleanup.isDone();
    }
}
