package io.mio.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker that runs, and the lines that go to it and come from it. */
final class WorkerProcess {
    private static final long TICK_MILLIS = 200;
    private static final long STOP_SECONDS = 10;

    /** Status of a process ended by SIGKILL. */
    private static final int KILLED = 128 + 9;

    /** Stands for the end of the lines; no line has a line end. */
    private static final String END = "\n";

    private final String label;
    private final Process process;
    private final Writer in;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /**
     * Starts it; its standard error is this process's.
     *
     * @param label begins messages about it
     */
    WorkerProcess(String label, ProcessBuilder builder) throws IOException {
        this.label = label;
        this.process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        this.in = process.outputWriter(StandardCharsets.US_ASCII);
        Thread reader = new Thread(this::readLines, "worker");
        reader.setDaemon(true);
        reader.start();
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

    /** Sends one line. */
    void send(String line) throws IOException, InterruptedException {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            // What it said last tells more than that the pipe is broken.
            next(() -> {});
            throw e;
        }
    }

    /**
     * The next line.
     *
     * @param tick called now and then, while there is none
     * @throws WrongContentException if the worker found a wrong byte
     * @throws IOException if it failed or has ended; the message says so
     */
    String next(Runnable tick) throws IOException, InterruptedException {
        String line = lines.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        while (line == null) {
            tick.run();
            line = lines.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (line.startsWith("wrong ")) {
            throw new WrongContentException(label + ": " + line.substring("wrong ".length()));
        }
        if (line.startsWith("failed ")) {
            throw new IOException(label + ": " + line.substring("failed ".length()));
        }
        if (END.equals(line)) {
            lines.add(END);
            throw new IOException(label + ": " + ended(process.waitFor()));
        }
        return line;
    }

    /**
     * Reads a line that has to be this one.
     *
     * @throws IOException as {@link #next}, or if it is another one
     */
    void expect(String wanted, Runnable tick) throws IOException, InterruptedException {
        String line = next(tick);
        if (!wanted.equals(line)) {
            throw new IOException(label + ": the worker said '" + line + "', not " + wanted);
        }
    }

    /**
     * Ends it in peace: it has done all it was told.
     *
     * @throws IOException if it ends with another status than 0
     */
    void finish() throws IOException, InterruptedException {
        in.close();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(label + ": " + ended(status));
        }
    }

    private static String ended(int status) {
        return "the worker "
                + (status == KILLED
                        ? "was killed: not enough memory? See --memory, -r and -t"
                        : "ended with status " + status);
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
