package io.mio.trace;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;

/** Runs in a JVM of its own for {@link EventsForkTest}: writes, and reports each write. */
final class EventsProgram {
    /** The number of threads that write; a run that is to end by itself writes in one thread. */
    static final int THREADS = 4;

    private EventsProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (FileSystem mio =
                        FileSystems.newFileSystem(
                                URI.create("mio://events/"),
                                Map.of("files", "* [ trace/events={" + arguments[0] + "} ]"));
                FileChannel channel =
                        FileChannel.open(
                                mio.getPath(Path.of("data").toAbsolutePath().toString()),
                                CREATE,
                                WRITE)) {
            if (arguments.length > 1) {
                write(channel, 10);
                return;
            }
            Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++) {
                threads[i] = new Thread(() -> write(channel, Integer.MAX_VALUE));
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static void write(FileChannel channel, int times) {
        ByteBuffer record = ByteBuffer.allocateDirect(10);
        try {
            for (int i = 0; i < times; i++) {
                channel.write(record.clear());
                System.out.write('w');
                System.out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
