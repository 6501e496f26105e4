package io.mio.cli.bench;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What has to be undone at the end, also when the user presses Ctrl-C: the last thing first, and
 * each once. After everything has been undone, nothing more can begin. Safe for several threads.
 */
public final class Cleanup {
    /** Undoes one thing. */
    public interface Action {
        void undo() throws IOException;
    }

    /** A step that must not happen at the same time as, or after, the undoing. */
    public interface Step<T> {
        T take() throws IOException, InterruptedException;
    }

    private final Deque<Action> actions = new ArrayDeque<>();
    private boolean done;

    /**
     * Takes a step and remembers how it is undone.
     *
     * @throws IOException if all has been undone already, or from the step
     */
    public synchronized <T> T begin(Step<T> step, Action action)
            throws IOException, InterruptedException {
        if (done) {
            throw new IOException("stopped");
        }
        actions.push(action);
        boolean taken = false;
        try {
            T result = step.take();
            taken = true;
            return result;
        } finally {
            if (!taken) {
                actions.remove(action);
                action.undo();
            }
        }
    }

    /**
     * Takes a step that needs no undoing of its own.
     *
     * @throws IOException as {@link #begin}
     */
    public synchronized void step(Step<?> step) throws IOException, InterruptedException {
        if (done) {
            throw new IOException("stopped");
        }
        step.take();
    }

    /** Undoes one thing now, unless that has been done. */
    public synchronized void end(Action action) throws IOException {
        // Under the lock: a thread that undoes everything meanwhile waits for this one.
        if (actions.remove(action)) {
            action.undo();
        }
    }

    /**
     * Undoes everything.
     *
     * @return what went wrong, in words
     */
    public synchronized List<String> all() {
        done = true;
        List<String> wrong = new ArrayList<>();
        while (!actions.isEmpty()) {
            try {
                actions.pop().undo();
            } catch (IOException | RuntimeException e) {
                // Whatever goes wrong with one action, the others still have to be undone.
                wrong.add(e instanceof IOException ? e.getMessage() : e.toString());
            }
        }
        return wrong;
    }

    /** Returns true once everything has been undone. */
    public synchronized boolean isDone() {
        return done;
    }
}
