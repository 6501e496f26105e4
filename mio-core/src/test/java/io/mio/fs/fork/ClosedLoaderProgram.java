package io.mio.fs.fork;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.mio.fs.MioFileSystemProvider;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** Has a copy of MIO of its own, in a class loader that is closed while a file is open. */
final class ClosedLoaderProgram {
    static final int BYTES = 1 << 20;

    private ClosedLoaderProgram() {}

    /** What the program writes. */
    static byte[] content() {
        byte[] content = new byte[BYTES];
        new Random(7).nextBytes(content);
        return content;
    }

    private static URL place(Class<?> of) {
        return of.getProtectionDomain().getCodeSource().getLocation();
    }

    /** Expects a file, rules, the name of the report, whether to close the file, and JNA's jar. */
    public static void main(String[] arguments) throws Exception {
        URLClassLoader loader =
                new URLClassLoader(
                        new URL[] {
                            place(MioFileSystemProvider.class),
                            Path.of(arguments[4]).toUri().toURL()
                        },
                        ClassLoader.getPlatformClassLoader());
        FileSystemProvider provider =
                Class.forName(MioFileSystemProvider.class.getName(), true, loader)
                        .asSubclass(FileSystemProvider.class)
                        .getConstructor()
                        .newInstance();
        FileSystem mio =
                provider.newFileSystem(
                        URI.create("mio://closed/"),
                        Map.of("files", arguments[1], "stats", arguments[2]));
        Path file = mio.getPath(arguments[0]);
        FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        byte[] content = content();
        channel.write(ByteBuffer.wrap(content));
        loader.close();
        if (Boolean.parseBoolean(arguments[3])) {
            use(channel, content);
            channel.close();
            try (FileChannel again = FileChannel.open(file, READ, WRITE)) {
                use(again, content);
            }
            mio.close();
        }
        System.out.println("done");
    }

    private static void use(FileChannel channel, byte[] content) throws Exception {
        ByteBuffer read = ByteBuffer.allocate(BYTES);
        int moved = 0;
        while (read.hasRemaining() && moved >= 0) {
            moved = channel.read(read, read.position());
        }
        if (!Arrays.equals(read.array(), content)) {
            throw new AssertionError("other bytes");
        }
        channel.write(ByteBuffer.wrap(content, 5000, 10_000), 5000);
        channel.force(true);
        channel.truncate(BYTES);
    }
}
