package io.mio.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Opens, reads and closes many small files, with or without MIO: the twin in the JVM of {@code
 * native/small_files.c} with {@code read}, for {@code small.sh}.
 */
public final class SmallFiles {
    private SmallFiles() {}

    /**
     * Prints calls of read, bytes, and nanoseconds of the best round.
     *
     * @param args directory, number of files, bytes of each, bytes of a request, rounds, directory
     *     of files to warm up with and their number, and layers as in a rule, "" for none
     * @throws IOException if a file cannot be read
     */
    public static void main(String[] args) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Integer.parseInt(args[3]));
        String layers = args[7];
        try (FileSystem mio = layers.isEmpty() ? null : fileSystem(layers)) {
            FileSystem system = mio == null ? FileSystems.getDefault() : mio;
            long bytes = Long.parseLong(args[2]);
            for (int i = 0; i < 5; i++) {
                read(system, args[5], Integer.parseInt(args[6]), bytes, buffer);
            }
            int files = Integer.parseInt(args[1]);
            long best = Long.MAX_VALUE;
            long calls = 0;
            for (int round = 0; round < Integer.parseInt(args[4]); round++) {
                long began = System.nanoTime();
                calls = read(system, args[0], files, bytes, buffer);
                best = Math.min(best, System.nanoTime() - began);
            }
            System.out.println(calls + " " + files * bytes + " " + best);
        }
    }

    private static long read(
            FileSystem system, String directory, int files, long bytes, ByteBuffer buffer)
            throws IOException {
        String absolute = Path.of(directory).toAbsolutePath().toString();
        long calls = 0;
        for (int i = 0; i < files; i++) {
            Path path = system.getPath(absolute, String.format("%06d", i));
            long total = 0;
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                for (int got = 0; got >= 0; got = channel.read(buffer.clear())) {
                    total += got;
                    calls++;
                }
            }
            if (total != bytes) {
                throw new IOException(path + ": " + total + " bytes");
            }
        }
        return calls - files;
    }

    private static FileSystem fileSystem(String layers) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("mio://small/"), Map.of("files", "* [ " + layers + " ]"));
    }
}
