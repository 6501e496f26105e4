package io.mio.live;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs in a JVM of its own for {@link LiveForkTest}: makes 100 writes of 4096 bytes and 7 reads of
 * 100, then does what the second argument says; a kill comes from outside.
 */
final class LiveProgram {
    private LiveProgram() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[1].equals("interrupted")) {
            Thread.currentThread().interrupt();
        }
        if (arguments[1].equals("unruled")) {
            // Open until the end.
            FileSystems.newFileSystem(
                    URI.create("mio://unruled/"), Map.of("files", "", "live", "off"));
        }
        FileChannel channel = open(arguments[0]);
        if (arguments[1].equals("interrupted")) {
            System.out.println(Thread.interrupted());
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
        for (int i = 0; i < 100; i++) {
            channel.write(bytes.clear());
        }
        for (int i = 0; i < 7; i++) {
            channel.read(bytes.clear().limit(100), i * 1000L);
        }
        switch (arguments[1]) {
            case "exit" -> {
                return;
            }
            case "close" -> channel.close();
            case "threads" -> readByThreads(channel);
            case "many" -> openMany(arguments[0]);
            default -> {}
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            channel.position();
        }
    }

    private static FileChannel open(String name) throws IOException {
        return FileChannel.open(
                Path.of(URI.create("mio://" + name)),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private static void readByThreads(FileChannel channel) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    for (int read = 0; read < 1000; read++) {
                                        channel.read(ByteBuffer.allocate(100), read * 100L);
                                    }
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /**
     * Opens 600 files and closes half: 300 stay open, each with one write of its number of bytes.
     */
    private static void openMany(String name) throws IOException {
        List<FileChannel> open = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            FileChannel one = open(name + i + ".dat");
            one.write(ByteBuffer.allocate(i));
            if (i % 2 == 0) {
                one.close();
            } else {
                open.add(one);
            }
        }
        if (open.size() != 300) {
            throw new IllegalStateException();
        }
    }
}
