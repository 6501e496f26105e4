package io.mio.cli.experiment;

import io.mio.cli.bench.Cleanup;
import io.mio.cli.bench.Machine;
import io.mio.cli.term.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** Runs experiments in a directory of their own, one after the other. */
public final class ExperimentRun {
    private final Settings settings;
    private final Path parent;
    private final Machine machine;
    private final Cleanup cleanup = new Cleanup();
    private final Queue<String> left = new ConcurrentLinkedQueue<>();

    /**
     * Prepares the runs.
     *
     * @param parent of the directories that are made and removed again
     */
    public ExperimentRun(Settings settings, Path parent) throws IOException {
        this.settings = settings;
        this.parent = parent.toAbsolutePath();
        this.machine = Machine.of(this.parent);
    }

    /**
     * Runs one experiment.
     *
     * @param progress gives a line of progress
     * @throws SkippedException if it cannot be done here
     * @throws IOException if it fails
     */
    public Outcome run(Experiment experiment, Supplier<Progress> progress)
            throws IOException, InterruptedException {
        Path[] made = new Path[1];
        Cleanup.Action removing =
                () -> {
                    if (made[0] != null) {
                        Files.deleteIfExists(made[0]);
                    }
                };
        Instant began = Instant.now();
        long start = System.nanoTime();
        Path dir =
                cleanup.begin(
                        () ->
                                made[0] =
                                        Files.createTempDirectory(
                                                parent, "mio-" + experiment.name() + "-"),
                        removing);
        Result result;
        try {
            result = experiment.run(new Context(settings, dir, machine, cleanup, progress));
        } finally {
            remove(removing);
        }
        long nanos = System.nanoTime() - start;
        return new Outcome(new Finished(experiment, settings, machine, began, nanos, result));
    }

    /** Removes the directory. A failure is remembered, as it does not make the result worse. */
    private void remove(Cleanup.Action removing) {
        try {
            cleanup.end(removing);
        } catch (IOException e) {
            left.add(e.getMessage());
        }
    }

    /**
     * Stops what runs and removes files. May be called from any thread, and more than once.
     *
     * @return what could not be removed
     */
    public List<String> stop() {
        List<String> wrong = new ArrayList<>(cleanup.all());
        for (String one = left.poll(); one != null; one = left.poll()) {
            wrong.add(one);
        }
        return wrong;
    }

    /** Returns whether {@link #stop} was called. */
    public boolean isStopped() {
        return cleanup.isDone();
    }
}
