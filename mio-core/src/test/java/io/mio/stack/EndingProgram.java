package io.mio.stack;

import io.mio.stats.OpenReports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Runs for {@link EndingForkTest}: opens files in a shutdown hook and never closes them. */
final class EndingProgram {
    static final int FILES = 4;

    /** Keeps the channels reachable; garbage collection would close them. */
    private static final List<FileChannel> OPEN = new ArrayList<>();

    private EndingProgram() {}

    /**
     * Takes one argument: {@code first}, or {@code later}, to open the files after MIO's own work
     * at the end of the JVM.
     */
    public static void main(String[] arguments) throws IOException {
        CountDownLatch mayOpen = new CountDownLatch(1);
        if (arguments[0].equals("later")) {
            write("before.traced");
            OpenReports.afterExit(mayOpen::countDown);
        } else {
            mayOpen.countDown();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ends(mayOpen)));
    }

    private static void ends(CountDownLatch mayOpen) {
        try {
            mayOpen.await();
            List<Thread> threads = new ArrayList<>();
            for (int i = 1; i < FILES; i++) {
                String name = i + ".paged";
                threads.add(new Thread(() -> write(name)));
            }
            threads.forEach(Thread::start);
            write("0.paged");
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(String name) {
        try {
            Path path = Path.of(URI.create("mio://" + Path.of(name).toAbsolutePath()));
            FileChannel channel =
                    FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            synchronized (OPEN) {
                OPEN.add(channel);
            }
            channel.write(ByteBuffer.allocate(100));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
