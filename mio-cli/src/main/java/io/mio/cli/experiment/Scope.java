package io.mio.cli.experiment;

import io.mio.cli.bench.Cleanup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a part of an experiment makes. It is undone at the end of the part, the last thing first, or
 * at Ctrl-C.
 */
final class Scope implements AutoCloseable {
    private final Context context;
    private final Deque<Cleanup.Action> actions = new ArrayDeque<>();

    Scope(Context context) {
        this.context = context;
    }

    Path dir() {
        return context.dir();
    }

    /** Takes a step as {@link Cleanup#begin} does. */
    <T> T begin(Cleanup.Step<T> step, Cleanup.Action action)
            throws IOException, InterruptedException {
        T result = context.cleanup().begin(step, action);
        actions.push(action);
        return result;
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        while (!actions.isEmpty()) {
            try {
                context.cleanup().end(actions.pop());
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
