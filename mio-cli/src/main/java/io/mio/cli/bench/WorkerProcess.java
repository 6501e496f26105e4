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
 * A worker that runs, and the lines that go to it and come from it. Nothing is waited for without a
 * limit. What it says on standard error is passed on, and its end is part of messages about it.
 */
final class WorkerProcess {
    /** Looks for something else meanwhile. */
    interface Watch {
        /**
         * @throws IOException if there is no sense in waiting on
         */
        void look() throws IOException;
    }

    /** A start, an end, a small step: on a machine that has much to do. */
    static final long STEP_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final long TICK_MILLIS = 50;
    private static final long STOP_SECONDS = 10;
    private static final long LAST_WORDS_MILLIS = 2000;

    /** Lines of standard error that are kept for messages. */
    private static final int ERROR_LINES = 3;

    /** Status of a process ended by SIGKILL. */
    private static final int KILLED = 128 + 9;

    /** Stands for the end of the lines; no line has a line end. */
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
     * Starts it.
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
            // It was stopped: as if it had ended.
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
            // It was stopped.
        }
    }

    /** Sends one line. */
    void send(String line) throws IOException, InterruptedException {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            // What it said last tells more than that the pipe is broken.
            next(() -> {}, STEP_NANOS);
            throw e;
        }
    }

    /**
     * The next line.
     *
     * @param watch called now and then, while there is none
     * @param limitNanos how long one is waited for
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
     * Looks whether it has failed or ended, without waiting.
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

    /** With what it has said on standard error last. */
    private IOException failure(String what) {
        try {
            // It may have said why, just before.
            errorReader.join(process.isAlive() ? TICK_MILLIS : LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String words = lastWords();
        return new IOException(
                label + ": " + what + (words.isEmpty() ? "" : "; its last words: " + words));
    }

    /** What it has said on standard error last, as far as that has come; may be empty. */
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
     * Ends it in peace: it has done all it was told.
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

    /** Asks it to end, and does not wait. */
    void ask() {
        process.destroy();
    }

    /** Ends it, whatever it does, and waits for its end. */
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
