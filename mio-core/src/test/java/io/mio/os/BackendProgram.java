package io.mio.os;

import io.mio.layer.IoRequest;
import io.mio.layer.OpenFlags;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a file, writes it, reads it back, and prints by which backend. Arguments: the file, and
 * {@code starved} to use up all descriptors first.
 */
public final class BackendProgram {
    private BackendProgram() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("before: " + Backends.label());
        Path path = platform(Path.of(arguments[0]));
        List<FileInputStream> hoard = new ArrayList<>();
        boolean starved = arguments.length > 1;
        try (FileChannel channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)) {
            if (starved) {
                // Loads all classes that are needed before nothing can be opened any more.
                work(path, channel);
                try {
                    while (true) {
                        hoard.add(new FileInputStream("/dev/null"));
                    }
                } catch (IOException e) {
                    System.out.println("hoarded");
                }
                work(path, channel);
                for (FileInputStream each : hoard) {
                    each.close();
                }
            }
            work(path, channel);
        }
        System.out.println("after: " + Backends.label());
    }

    /** Returns the platform's path of a file, which is what a layer is given. */
    private static Path platform(Path path) throws ReflectiveOperationException {
        if (!path.getClass().getName().startsWith("io.mio.")) {
            return path;
        }
        System.out.println("switched");
        Method inner = path.getClass().getDeclaredMethod("inner");
        inner.setAccessible(true);
        return (Path) inner.invoke(path);
    }

    private static void work(Path path, FileChannel channel) throws Exception {
        BackendFile file =
                Backends.open(
                        channel,
                        path,
                        OpenFlags.RDWR,
                        new Backends.Wish(false, false, true),
                        line -> System.out.println(line.replace(path.toString(), "file")),
                        kept -> {});
        if (file == null) {
            System.out.println("no cache");
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(10000);
        for (int i = 0; i < 10000; i++) {
            bytes.put(i, (byte) (i * 7));
        }
        IoRequest write = IoRequest.write(bytes, 0, done -> {});
        file.submit(write);
        write.await();
        IoRequest read = IoRequest.read(ByteBuffer.allocateDirect(10000), 0, done -> {});
        file.submit(read);
        read.await();
        boolean same = read.buffer().flip().equals(bytes.flip());
        System.out.println("same: " + same + " " + read.delivered());
        file.close();
    }
}
