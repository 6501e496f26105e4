package io.mio.stack;

import io.mio.Mio;
import io.mio.stats.OpenReports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Runs in a JVM of its own for {@link ReportForkTest}: one argument says what to do. */
final class ReportProgram {
    private ReportProgram() {}

    public static void main(String[] arguments) throws Exception {
        FileChannel channel = open("left-open.dat");
        channel.write(ByteBuffer.allocate(100));
        switch (arguments[0]) {
            case "return" -> System.out.println("done");
            case "exit" -> System.exit(3);
            case "before" -> {
                OpenReports.beforeExit(
                        () -> {
                            throw new IllegalStateException("dropped");
                        });
                OpenReports.beforeExit(() -> write(channel));
            }
            case "throw" -> throw new IllegalStateException("on purpose");
            case "hook" ->
                    Runtime.getRuntime()
                            .addShutdownHook(
                                    new Thread(
                                            () -> {
                                                try {
                                                    channel.write(ByteBuffer.allocate(11));
                                                    channel.close();
                                                } catch (IOException e) {
                                                    throw new UncheckedIOException(e);
                                                }
                                            }));
            case "demand" -> {
                Mio.report();
                channel.close();
            }
            case "signal" -> {
                System.out.println(ProcessHandle.current().pid());
                // Ends when the parent closes the pipe.
                while (System.in.read() >= 0) {
                    channel.write(ByteBuffer.allocate(1));
                }
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void write(FileChannel channel) {
        try {
            channel.write(ByteBuffer.allocate(11));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel open(String name) throws IOException {
        return FileChannel.open(
                Path.of(URI.create("mio://" + Path.of(name).toAbsolutePath())),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
    }
}
