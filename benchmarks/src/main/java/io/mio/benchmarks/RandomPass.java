package io.mio.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * One pass over a file in random order, with or without MIO: the twin in the JVM of {@code
 * native/patterns.c} with {@code random}, for {@code native/plan.sh}.
 */
public final class RandomPass {
    private RandomPass() {}

    /**
     * Prints calls, bytes, and nanoseconds from before the open to after the close.
     *
     * @param args file, bytes of a request, bytes of all, seed, and layers as in a rule, "" for
     *     none
     * @throws IOException if the file cannot be read
     */
    public static void main(String[] args) throws IOException {
        String file = Path.of(args[0]).toAbsolutePath().toString();
        int bytes = Integer.parseInt(args[1]);
        long calls = Long.parseLong(args[2]) / bytes;
        String layers = args[4];
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        if (!layers.isEmpty()) {
            warm(file, buffer);
        }
        try (FileSystem mio = layers.isEmpty() ? null : fileSystem("pass", layers)) {
            FileSystem system = mio == null ? FileSystems.getDefault() : mio;
            long seed = Long.parseLong(args[3]);
            long began = System.nanoTime();
            try (FileChannel channel =
                    FileChannel.open(system.getPath(file), StandardOpenOption.READ)) {
                long places = channel.size() / bytes;
                for (long call = 0; call < calls; call++) {
                    seed = seed * 6364136223846793005L + 1442695040888963407L;
                    long offset = Long.remainderUnsigned(seed >>> 20, places) * bytes;
                    if (channel.read(buffer.clear(), offset) != bytes) {
                        throw new IOException("too few bytes at " + offset);
                    }
                }
            }
            System.out.println(calls + " " + calls * bytes + " " + (System.nanoTime() - began));
        }
    }

    /**
     * Loads the code of layers before the time begins: a program does so once, so it is no part of
     * a pass.
     */
    private static void warm(String file, ByteBuffer buffer) throws IOException {
        String small = file + ".small";
        Files.write(Path.of(small), new byte[buffer.capacity() + 1]);
        try (FileSystem mio = fileSystem("warm", "trace | pf/cache=1m/page=4k/direct/private");
                FileChannel channel =
                        FileChannel.open(mio.getPath(small), StandardOpenOption.READ)) {
            for (int i = 0; i < 2; i++) {
                channel.read(buffer.clear(), i);
            }
        }
        Files.delete(Path.of(small));
    }

    private static FileSystem fileSystem(String name, String layers) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("mio://" + name + "/"), Map.of("files", "* [ " + layers + " ]"));
    }
}
