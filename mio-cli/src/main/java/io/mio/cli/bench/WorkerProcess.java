package io.mio.cli.bench;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A running worker, and the lines that go to it and come from it. Every wait has a limit. What the
 * worker prints on standard error is passed on, and the end of it is part of messages about the
 * worker.
 */
final class WorkerProcess {
    /** Looks for something else while a line is waited for. */
    interface Watch {
        /**
         * Looks once.
         *
         * @throws IOException if it makes no sense to wait longer
         */
        void look() throws IOException;
    }

    /** Limit for a start, an end or a small step, on a busy machine. */
    static final long STEP_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final long TICK_MILLIS = 50;
    private static final long STOP_SECONDS = 10;
    private static final long LAST_WORDS_MILLIS = 2000;

    /** Most lines of standard error that are kept for messages. */
    private static final int ERROR_LINES = 3;

    /** Status of a process ended by SIGKILL. */
    private static final int KILLED = 128 + 9;

    /** Stands for the end of the lines; no line contains a line feed. */
    private static final String END = "\n";

    private static final String WRONG = "wrong ";
    private static final String FAILED = "failed ";

    private final String label;
    private final Process process;
    private final Writer in;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Deque<String> errors = new ArrayDeque<>();
    private final Thread errorReader;

    /**
     * Starts the worker.
     *
     * @param label begins messages about it
     */
    WorkerProcess(String label, ProcessBuilder builder) throws IOException {
        this.label = label;
        this.process = builder.start();
        this.in = process.outputWriter(StandardCharsets.US_ASCII);
        start(this::readLines);
        this.errorReader = start(this::readErrors);
    }

    private static Thread start(Runnable reading) {
        Thread reader = new Thread(reading, "worker");
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    private void readLines() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // The worker was stopped: this is like its end.
        }
        lines.add(END);
    }

    private void readErrors() {
        try (BufferedReader out = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                System.err.println("mio bench: " + SafeText.of(label + ": " + line));
                synchronized (errors) {
                    errors.add(line);
                    if (errors.size() > ERROR_LINES) {
                        errors.remove();
                    }
                }
            }
        } catch (IOException e) {
            // The worker was stopped.
        }
    }

    /** Sends one line. */
    void send(String line) throws IOException, InterruptedException {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            // The last words of the worker tell more than the broken pipe does.
            next(() -> {}, STEP_NANOS);
            throw e;
        }
    }

    /**
     * Returns the next line.
     *
     * @param watch called now and then, while there is no line
     * @param limitNanos how long a line is waited for
     * @throws WrongContentException if the worker found a wrong byte
     * @throws IOException if it failed, has ended, or says nothing; the message says so
     */
    String next(Watch watch, long limitNanos) throws IOException, InterruptedException {
        long began = System.nanoTime();
        String line = lines.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        while (line == null) {
            watch.look();
            if (System.nanoTime() - began > limitNanos) {
                throw failure(
                        "process "
                                + process.pid()
                                + " said nothing for "
                                + Amounts.time(limitNanos)
                                + " and is stopped");
            }
            line = lines.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
        check(line);
        return line;
    }

    /**
     * Checks whether the worker has failed or ended, without waiting.
     *
     * @throws IOException as {@link #next}
     */
    void checkRunning() throws IOException {
        for (String line : lines) {
            check(line);
        }
    }

    private void check(String line) throws IOException {
        if (line.startsWith(WRONG)) {
            throw new WrongContentException(label + ": " + line.substring(WRONG.length()));
        }
        if (line.startsWith(FAILED)) {
            throw failure(line.substring(FAILED.length()));
        }
        if (END.equals(line)) {
            lines.add(END);
            throw failure(hasEnded() ? ended(process.exitValue()) : "the worker closed its output");
        }
    }

    /** Returns a failure with the last words of the worker on standard error. */
    private IOException failure(String what) {
        try {
            // The worker may just have printed the reason.
            errorReader.join(process.isAlive() ? TICK_MILLIS : LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String words = lastWords();
        return new IOException(
                label + ": " + what + (words.isEmpty() ? "" : "; its last words: " + words));
    }

    /**
     * Returns the last words of the worker on standard error, as far as they have come; may be
     * empty.
     */
    String lastWords() {
        synchronized (errors) {
            return String.join(" / ", errors);
        }
    }

    /**
     * Reads a line that has to be this one.
     *
     * @throws IOException as {@link #next}, or if it is another one
     */
    void expect(String wanted, Watch watch, long limitNanos)
            throws IOException, InterruptedException {
        String line = next(watch, limitNanos);
        if (!wanted.equals(line)) {
            throw failure("the worker said '" + line + "', not " + wanted);
        }
    }

    /**
     * Lets the worker end by itself, as it has done all it was told.
     *
     * @throws IOException if it ends with another status than 0, or does not end
     */
    void finish(long limitNanos) throws IOException, InterruptedException {
        in.close();
        if (!process.waitFor(limitNanos, TimeUnit.NANOSECONDS)) {
            throw failure(
                    "process "
                            + process.pid()
                            + " did not end within "
                            + Amounts.time(limitNanos)
                            + " and is stopped");
        }
        errorReader.join(LAST_WORDS_MILLIS);
        if (process.exitValue() != 0) {
            throw failure(ended(process.exitValue()));
        }
    }

    private static String ended(int status) {
        return "the worker "
                + (status == KILLED
                        ? "was killed by SIGKILL; by the kernel, if memory ran out: see --memory,"
                                + " -r and -t"
                        : "ended with status " + status);
    }

    /** Asks the worker to end, and does not wait. */
    void ask() {
        process.destroy();
    }

    /** Ends the worker, whatever it does, and waits for its end. */
    void stop() {
        process.destroy();
        if (!hasEnded()) {
            process.destroyForcibly();
            hasEnded();
        }
    }

    private boolean hasEnded() {
        try {
            return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
