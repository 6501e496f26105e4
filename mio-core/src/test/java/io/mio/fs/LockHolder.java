package io.mio.fs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Another process that tries to lock a file, reports the result, and holds the lock until told. */
final class LockHolder implements AutoCloseable {
    private final Process process;

    private LockHolder(Process process) {
        this.process = process;
    }

    static LockHolder start(Path file) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("java.class.path");
        Process process =
                new ProcessBuilder(
                                java, "-cp", classes, LockHolder.class.getName(), file.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        return new LockHolder(process);
    }

    /** The process's answer: {@code locked} or {@code refused}. */
    String answer() throws IOException {
        return new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                .readLine();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    public static void main(String[] args) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            System.out.println(lock == null ? "refused" : "locked");
            while (System.in.read() >= 0) {}
        }
    }
}
