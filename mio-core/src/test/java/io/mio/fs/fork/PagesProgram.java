package io.mio.fs.fork;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

/**
 * An ordinary program that writes a file and ends in various ways, or works under limits; it knows
 * nothing of MIO. Arguments: what to do, and a directory.
 */
public final class PagesProgram {
    /** The number of bytes that it writes; in some of the ways it forces half of them. */
    static final int BYTES = 1 << 20;

    /** Ends inside a page, so that something is left to be written. */
    static final int THREADLESS_BYTES = 1_000_000;

    private static final int PIECE = 10_000;
    private static Path directory;

    private PagesProgram() {}

    public static void main(String[] arguments) throws Exception {
        directory = Path.of(arguments[1]);
        Path file = directory.resolve("file");
        switch (arguments[0]) {
            case "return" -> write(open(file), 0, BYTES);
            case "exit" -> {
                write(open(file), 0, BYTES);
                System.exit(3);
            }
            case "asynchronous" -> writeAtOnce(file);
            case "threadless" -> {
                write(open(file), 0, THREADLESS_BYTES);
                takeThreads();
            }
            case "threadless-exit" -> {
                write(open(file), 0, THREADLESS_BYTES);
                takeThreads();
                System.exit(3);
            }
            case "wait" -> writeAndWait(file);
            case "forget" -> forget(file);
            case "limits" -> limits(file);
            case "many" -> many();
            case "last" -> last(file);
            case "memory" -> memory();
            case "lock" -> lock(file);
            case "properties" -> properties(file);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** The final contents of the file. */
    static byte[] contents() {
        byte[] bytes = new byte[BYTES];
        new Random(4711).nextBytes(bytes);
        return bytes;
    }

    /** Writes the contents by very many requests that are all there at the same time. */
    private static void writeAtOnce(Path file) throws Exception {
        ByteBuffer all = ByteBuffer.wrap(contents());
        List<Future<Integer>> writes = new ArrayList<>();
        try (AsynchronousFileChannel channel =
                AsynchronousFileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int at = 0; at < BYTES; at += PIECE / 10) {
                int length = Math.min(PIECE / 10, BYTES - at);
                writes.add(channel.write(all.slice(at, length), at));
            }
            for (Future<Integer> write : writes) {
                write.get();
            }
        }
    }

    /** Starts threads until the process may have no more. They end with the process. */
    private static void takeThreads() {
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    never.await();
                                } catch (InterruptedException e) {
                                    return;
                                }
                            });
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (OutOfMemoryError e) {
                return;
            }
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Writes part of the contents in pieces that end inside pages and sectors. */
    private static void write(FileChannel channel, int from, int to) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(contents());
        for (int at = from; at < to; at += PIECE) {
            ByteBuffer piece = all.slice(at, Math.min(PIECE, to - at));
            while (piece.hasRemaining()) {
                channel.write(piece, at + piece.position());
            }
        }
    }

    /** Forces one half, only writes the other; then waits to be killed. */
    private static void writeAndWait(Path file) throws IOException {
        FileChannel channel = open(file);
        write(channel, 0, BYTES / 2);
        channel.force(true);
        write(channel, BYTES / 2, BYTES);
        System.out.println("written");
        while (System.in.read() >= 0) {}
    }

    /** Drops the channel, and waits until a garbage collection has its bytes written. */
    private static void forget(Path file) throws IOException {
        write(open(file), 0, BYTES);
        byte[] expected = contents();
        long end = System.nanoTime() + 60_000_000_000L;
        // Reads by java.io, which goes past the file system's provider.
        while (!Arrays.equals(expected, read(file.toFile()))) {
            if (System.nanoTime() > end) {
                System.out.println("not there");
                return;
            }
            System.gc();
        }
        System.out.println("there");
    }

    private static byte[] read(File file) throws IOException {
        try (var in = new java.io.FileInputStream(file)) {
            return in.readAllBytes();
        }
    }

    /** Writes until all contents are written or refused, and prints how far it came. */
    private static void limits(Path file) throws IOException {
        int done = 0;
        String end = "all";
        ByteBuffer all = ByteBuffer.wrap(contents());
        try (FileChannel channel = open(file)) {
            try {
                while (done < BYTES) {
                    ByteBuffer piece = all.slice(done, Math.min(PIECE, BYTES - done));
                    done += channel.write(piece, done);
                }
            } catch (IOException e) {
                end = e.getMessage();
            }
            ByteBuffer back = ByteBuffer.allocate(BYTES);
            while (channel.read(back, back.position()) > 0) {}
            boolean same = back.flip().equals(all.slice(0, done));
            System.out.println(done + " " + end + " " + channel.size() + " " + same);
        }
        boolean same = Arrays.equals(read(file.toFile()), Arrays.copyOf(all.array(), done));
        System.out.println("closed " + same);
    }

    /** Opens files until no descriptor is left, then uses and closes all of them. */
    private static void many() throws IOException {
        List<FileChannel> channels = new ArrayList<>();
        String end = "";
        while (end.isEmpty()) {
            try {
                channels.add(open(directory.resolve("f" + channels.size())));
            } catch (IOException e) {
                end = e.getClass().getSimpleName();
            }
        }
        byte[] bytes = Arrays.copyOf(contents(), 5000);
        for (FileChannel channel : channels) {
            channel.write(ByteBuffer.wrap(bytes));
            channel.close();
        }
        int right = 0;
        for (int i = 0; i < channels.size(); i++) {
            right += Arrays.equals(bytes, read(directory.resolve("f" + i).toFile())) ? 1 : 0;
        }
        boolean allRight = right == channels.size() && right > 3;
        System.out.println(end + " " + allRight);
        // The program goes on as if nothing had happened.
        Files.write(directory.resolve("after"), bytes);
        System.out.println(Files.size(directory.resolve("after")));
    }

    /** Opens a file with the last descriptor and closes it; reopens it when there are others. */
    private static void last(Path file) throws IOException {
        // This opens what the JVM itself opens for the first channel.
        open(directory.resolve("another")).close();
        List<FileInputStream> streams = new ArrayList<>();
        try {
            while (true) {
                streams.add(new FileInputStream("/dev/null"));
            }
        } catch (FileNotFoundException e) {
            streams.remove(0).close();
        }
        FileChannel channel = null;
        while (channel == null) {
            try {
                channel = open(file);
            } catch (FileSystemException e) {
                // The JVM itself is using the last descriptor.
                Thread.onSpinWait();
            }
        }
        channel.read(ByteBuffer.allocate(PIECE));
        channel.close();
        for (FileInputStream stream : streams) {
            stream.close();
        }
        open(file).close();
    }

    /** Prints by how many KiB memory grew while files much larger than the cache were used. */
    private static void memory() throws IOException {
        use(0, 4);
        long before = residentKilobytes();
        use(4, 60);
        System.out.println(residentKilobytes() - before);
    }

    private static void use(int from, int to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
        List<FileChannel> channels = new ArrayList<>();
        for (int i = from; i < to; i++) {
            FileChannel channel = open(directory.resolve("m" + i));
            channels.add(channel);
            write(channel, 0, BYTES);
            for (int at = 0; at < BYTES; at += PIECE) {
                channel.read(bytes.clear(), at);
            }
        }
        for (FileChannel channel : channels) {
            channel.close();
        }
    }

    private static long residentKilobytes() throws IOException {
        System.gc();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no VmRSS");
    }

    /** Holds a lock while its channel does all kinds of calls, and waits at the end. */
    private static void lock(Path file) throws IOException {
        try (FileChannel channel = open(file)) {
            write(channel, 0, BYTES);
            FileLock lock = channel.lock(0, 100, false);
            write(channel, 0, BYTES);
            channel.force(true);
            channel.truncate(BYTES / 2);
            channel.read(ByteBuffer.allocate(PIECE), 5);
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 100).put(0, (byte) 1);
            channel.read(ByteBuffer.allocate(PIECE), 5);
            System.out.println("locked " + lock.isValid());
            while (System.in.read() >= 0) {}
        }
    }

    /** Prints the names of the system properties that were added while a file was used. */
    private static void properties(Path file) throws IOException {
        Set<String> names = System.getProperties().stringPropertyNames();
        try (FileChannel channel = open(file)) {
            write(channel, 0, BYTES);
        }
        Set<String> come = new TreeSet<>(System.getProperties().stringPropertyNames());
        come.removeAll(names);
        System.out.println(come);
    }
}
