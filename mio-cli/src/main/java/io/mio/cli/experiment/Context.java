package io.mio.cli.experiment;

import io.mio.cli.bench.BenchOptions;
import io.mio.cli.bench.BenchRun;
import io.mio.cli.bench.Cleanup;
import io.mio.cli.bench.Machine;
import io.mio.cli.bench.Measured;
import io.mio.cli.term.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** What an experiment can use. */
public final class Context {
    private final Settings settings;
    private final Path dir;
    private final Machine machine;
    private final Cleanup cleanup;
    private final Supplier<Progress> progress;

    /**
     * Makes a context.
     *
     * @param dir on the disk that is measured, for the experiment alone; removed at the end, and
     *     has to be empty then
     * @param progress gives a line of progress, to be closed after use
     */
    Context(
            Settings settings,
            Path dir,
            Machine machine,
            Cleanup cleanup,
            Supplier<Progress> progress) {
        this.settings = settings;
        this.dir = dir;
        this.machine = machine;
        this.cleanup = cleanup;
        this.progress = progress;
    }

    public Settings settings() {
        return settings;
    }

    /** Returns the directory for files, which is empty now and has to be empty at the end. */
    public Path dir() {
        return dir;
    }

    public Machine machine() {
        return machine;
    }

    /**
     * Returns the cleanup by which everything is made or started, so that Ctrl-C leaves nothing
     * behind.
     */
    public Cleanup cleanup() {
        return cleanup;
    }

    /** Returns a line of progress, to be closed when the work is done. */
    public Progress progress() {
        return progress.get();
    }

    /** Runs the workers of {@code mio bench}, through the door of the settings. */
    public List<Measured> measure(Measuring what) throws IOException, InterruptedException {
        return measure(what, settings.door());
    }

    /**
     * Runs the workers of {@code mio bench}: files are made in {@link #dir} and removed again.
     *
     * @return a row for each size, test and configuration, in this order
     * @throws io.mio.cli.bench.StateException if files were not cold, or not warm
     * @throws IllegalArgumentException if the options do not fit together, or there is no room
     */
    public List<Measured> measure(Measuring what, BenchOptions.Door door)
            throws IOException, InterruptedException {
        try (Progress line = progress.get()) {
            BenchRun run = new BenchRun(what.options(door), false, line);
            Cleanup.Action stopping = () -> stop(run);
            cleanup.begin(() -> null, stopping);
            try {
                return Measured.of(run.run(dir, List.of()));
            } finally {
                cleanup.end(stopping);
            }
        }
    }

    private static void stop(BenchRun run) throws IOException {
        List<String> wrong = run.stop();
        if (!wrong.isEmpty()) {
            throw new IOException(String.join("; ", wrong));
        }
    }
}
