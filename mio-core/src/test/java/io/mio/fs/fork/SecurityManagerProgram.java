package io.mio.fs.fork;

import java.io.FileOutputStream;
import java.io.FilePermission;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.CodeSource;
import java.security.Permission;
import java.security.Permissions;
import java.security.Policy;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Uses files opened before the program had a security manager, and files opened after that. */
@SuppressWarnings("removal")
final class SecurityManagerProgram {
    private static final int BYTES = 4 << 20;

    private SecurityManagerProgram() {}

    /**
     * Runs the program.
     *
     * @param arguments the only directory whose files it may use; then nothing, or "first" (nothing
     *     was opened before), "long", or another word
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i * 31 + i / 4096);
        }
        if (arguments.length > 1 && arguments[1].equals("first")) {
            restrict(directory);
            Files.write(directory.resolve("data"), bytes);
        } else if (arguments.length > 1 && arguments[1].equals("long")) {
            goOn(directory, bytes);
        } else if (arguments.length > 1) {
            idle(directory, bytes);
        } else {
            before(directory, bytes);
        }
        after(directory, bytes);
        System.out.println("done");
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Reading starts everything it needs while the program may not do so itself. */
    private static void idle(Path directory, byte[] bytes) throws Exception {
        Path file = directory.resolve("data");
        try (FileOutputStream past = new FileOutputStream(file.toString())) {
            past.write(bytes);
        }
        ExecutorService own = Executors.newSingleThreadExecutor(SecurityManagerProgram::daemon);
        try (FileChannel reads = FileChannel.open(file);
                AsynchronousFileChannel asks =
                        AsynchronousFileChannel.open(file, Set.of(StandardOpenOption.READ), own)) {
            restrict(directory);
            read(reads, bytes);
            check(asks.read(ByteBuffer.allocate(10), 0).get() == 10, "read less");
        }
    }

    /** Uses a file so long that MIO looks, besides, for what the JVM has started. */
    private static void goOn(Path directory, byte[] bytes) throws Exception {
        Files.write(directory.resolve("data"), bytes);
        try (FileChannel seen = open(directory.resolve("seen"))) {
            restrict(directory);
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < 1_500_000_000L) {
                seen.write(ByteBuffer.allocate(1), 0);
            }
        }
    }

    private static void before(Path directory, byte[] bytes) throws Exception {
        Path file = Files.write(directory.resolve("data"), bytes);
        try (FileChannel reads = FileChannel.open(file);
                FileChannel writes = FileChannel.open(file, StandardOpenOption.WRITE);
                InputStream in = Files.newInputStream(file);
                OutputStream out = Files.newOutputStream(directory.resolve("out"));
                FileChannel seen = open(directory.resolve("seen"))) {
            restrict(directory);
            // This comes first: once a file was opened past MIO, no page is kept any more.
            see(seen, directory);
            read(reads, bytes);
            writes.write(ByteBuffer.wrap(new byte[] {1}), 5);
            expect(1, reads);
            try (FileChannel late = FileChannel.open(file, StandardOpenOption.WRITE)) {
                late.write(ByteBuffer.wrap(new byte[] {2}), 5);
            }
            expect(2, reads);
            writes.write(ByteBuffer.wrap(new byte[] {3}), 5);
            check(Files.readAllBytes(file)[5] == 3, "what was written is not there");
            writes.write(ByteBuffer.wrap(bytes, 5, 1), 5);
            in.readAllBytes();
            out.write(bytes);
            try (FileLock lock = writes.lock()) {
                check(lock.isValid(), "no lock");
            }
            writes.force(true);
        }
        Files.move(directory.resolve("out"), directory.resolve("moved"));
    }

    private static FileChannel open(Path file) throws Exception {
        return FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /**
     * What was written, and is still in a page, must be seen by all calls by name; what was cut
     * must be gone.
     */
    private static void see(FileChannel seen, Path directory) throws Exception {
        Path file = directory.resolve("seen");
        try (FileChannel channel = seen) {
            channel.write(ByteBuffer.wrap(new byte[] {7, 8}), 0);
            check(Files.size(file) == 2, "size of " + Files.size(file));
            channel.write(ByteBuffer.wrap(new byte[] {6}), 2);
            Path copy = Files.copy(file, directory.resolve("seen copy"));
            channel.write(ByteBuffer.wrap(new byte[100]), 0);
            Files.write(file, new byte[] {9});
            check(Arrays.equals(Files.readAllBytes(copy), new byte[] {7, 8, 6}), "copied less");
            check(Files.size(file) == 1, "cut to " + Files.size(file));
            expectOnly(9, channel);
        }
        check(Files.size(file) == 1, "cut to " + Files.size(file) + " after the close");
    }

    private static void expectOnly(int value, FileChannel channel) throws Exception {
        ByteBuffer two = ByteBuffer.allocate(2);
        check(channel.read(two, 0) == 1, "read what was cut");
        check(two.get(0) == value, "expected " + value + ", was " + two.get(0));
    }

    private static void after(Path directory, byte[] bytes) throws Exception {
        Path file = directory.resolve("data");
        try (FileChannel channel = FileChannel.open(file)) {
            read(channel, bytes);
        }
        try (InputStream in = Files.newInputStream(file)) {
            check(Arrays.equals(in.readAllBytes(), bytes), "read other bytes");
        }
        try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file)) {
            check(channel.read(ByteBuffer.allocate(10), 0).get() == 10, "read less");
        }
        Files.copy(file, directory.resolve("copy"));
        Files.delete(directory.resolve("copy"));
        try {
            FileChannel.open(Path.of("/etc/passwd")).close();
            throw new AssertionError("opened what it may not");
        } catch (SecurityException expected) {
            check(Files.size(file) == BYTES, "other size");
        }
    }

    private static void read(FileChannel channel, byte[] bytes) throws Exception {
        ByteBuffer piece = ByteBuffer.allocate(1000);
        for (int at = 0; channel.read(piece.clear()) > 0; at += piece.position()) {
            piece.flip();
            check(piece.equals(ByteBuffer.wrap(bytes, at, piece.limit())), "read other bytes");
            piece.position(piece.limit());
        }
    }

    private static void expect(int value, FileChannel channel) throws Exception {
        ByteBuffer one = ByteBuffer.allocate(1);
        channel.read(one, 5);
        check(one.get(0) == value, "expected " + value + ", was " + one.get(0));
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /** From now on this class may use files of the directory and nothing else. */
    private static void restrict(Path directory) {
        CodeSource mine = SecurityManagerProgram.class.getProtectionDomain().getCodeSource();
        Permissions allowed = new Permissions();
        allowed.add(new FilePermission(directory.toString(), "read"));
        allowed.add(new FilePermission(directory + "/-", "read,write,delete"));
        Policy.setPolicy(
                new Policy() {
                    @Override
                    public boolean implies(ProtectionDomain domain, Permission permission) {
                        CodeSource source = domain.getCodeSource();
                        return source == null
                                || !source.getLocation().equals(mine.getLocation())
                                || allowed.implies(permission);
                    }
                });
        System.setSecurityManager(new SecurityManager());
    }
}
