package io.mio.fs.fork;

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

/** Uses files that were opened before the program had a security manager, and some opened after. */
@SuppressWarnings("removal")
final class SecurityManagerProgram {
    private static final int BYTES = 4 << 20;

    private SecurityManagerProgram() {}

    /**
     * Runs it.
     *
     * @param arguments the only directory whose files it may use; "first": nothing was opened
     *     before
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i * 31 + i / 4096);
        }
        if (arguments.length > 1) {
            restrict(directory);
            Files.write(directory.resolve("data"), bytes);
        } else {
            before(directory, bytes);
        }
        after(directory, bytes);
        System.out.println("done");
    }

    private static void before(Path directory, byte[] bytes) throws Exception {
        Path file = Files.write(directory.resolve("data"), bytes);
        try (FileChannel reads = FileChannel.open(file);
                FileChannel writes = FileChannel.open(file, StandardOpenOption.WRITE);
                InputStream in = Files.newInputStream(file);
                OutputStream out = Files.newOutputStream(directory.resolve("out"))) {
            restrict(directory);
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

    /** From now on this class may use files of the directory, and nothing else. */
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
