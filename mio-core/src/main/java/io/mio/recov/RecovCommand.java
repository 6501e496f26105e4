package io.mio.recov;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the commands of one open file with {@code /bin/sh -c}, while the call that failed waits.
 *
 * <p>A command reads nothing ({@code /dev/null}) and its output is dropped: the program's streams
 * are the program's. It may run as long as it likes, because it may be there to wait. An interrupt
 * of the waiting thread, or the close of the file, ends it. MIO is switched off in it. A process
 * with raised rights runs no command.
 */
final class RecovCommand {
    /** What became of a command. */
    enum Outcome {
        /** It ran; its exit status says nothing. */
        RAN,
        /** It could not be started, or must not be. */
        NOT_RUN,
        /** It was ended, or not started, because no call waits for it any more. */
        STOPPED
    }

    private final boolean allowed;
    private final List<Process> running = new ArrayList<>();
    private boolean stopped;

    RecovCommand(boolean allowed) {
        this.allowed = allowed;
    }

    /**
     * Runs {@code command} to its end.
     *
     * @param variables added to the environment
     */
    Outcome run(String command, Map<String, String> variables) {
        if (Thread.currentThread().isInterrupted() || isStopped()) {
            return Outcome.STOPPED;
        }
        if (!allowed) {
            return Outcome.NOT_RUN;
        }
        Process process;
        try {
            process = start(command, variables);
        } catch (IOException | RuntimeException e) {
            return Outcome.NOT_RUN;
        }
        boolean ended = enter(process) && hasEnded(process);
        leave(process);
        if (!ended) {
            ProcessFamily.kill(process);
        }
        return ended && !isStopped() ? Outcome.RAN : Outcome.STOPPED;
    }

    /** Ends the commands that run; none is started any more. */
    void stop() {
        List<Process> ending;
        synchronized (this) {
            stopped = true;
            ending = List.copyOf(running);
        }
        for (Process process : ending) {
            ProcessFamily.kill(process);
        }
    }

    private static Process start(String command, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command);
        builder.environment().putAll(variables);
        builder.environment().put("MIO_ENABLED", "0");
        return builder.redirectInput(Redirect.from(new File("/dev/null")))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    private static boolean hasEnded(Process process) {
        try {
            process.waitFor();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized boolean enter(Process process) {
        running.add(process);
        return !stopped;
    }

    private synchronized void leave(Process process) {
        running.remove(process);
    }

    private synchronized boolean isStopped() {
        return stopped;
    }
}
