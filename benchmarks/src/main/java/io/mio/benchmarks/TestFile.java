package io.mio.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A file whose byte at every offset is known. Before a run, the kernel's pages of it are dropped or
 * read in.
 */
final class TestFile {
    /**
     * Number of bytes after which the content repeats: a prime, so that no page of a cache is like
     * another.
     */
    private static final int PERIOD = 1_000_003;

    private static final int CHUNK_BYTES = 1 << 20;

    /** Part of a file that may be in memory while the file still counts as cold. */
    private static final double COLD_AT_MOST = 0.01;

    private static final int GOLDEN = 0x9E3779B9;

    private final Path path;
    private final long bytes;
    private final ByteBuffer content;

    /**
     * Writes the file.
     *
     * @param largestRequest most bytes for which {@link #at} is called
     */
    TestFile(Path path, long bytes, int largestRequest) throws IOException {
        this.path = path;
        this.bytes = bytes;
        int longest = Math.max(largestRequest, CHUNK_BYTES);
        this.content = ByteBuffer.allocateDirect(PERIOD + longest);
        for (int i = 0; i < content.capacity(); i++) {
            content.put(i, (byte) (i % PERIOD * GOLDEN >>> 24));
        }
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long offset = 0; offset < bytes; ) {
                int chunk = (int) Math.min(CHUNK_BYTES, bytes - offset);
                offset += channel.write(at(offset, chunk), offset);
            }
            channel.force(true);
        }
    }

    Path path() {
        return path;
    }

    long bytes() {
        return bytes;
    }

    /** The bytes that the file has there, as a view that is the caller's own. */
    ByteBuffer at(long offset, int length) {
        return content.slice((int) (offset % PERIOD), length);
    }

    /**
     * Writes what is not on the device yet, and drops the kernel's pages of a file.
     *
     * @throws IOException if more than a hundredth of the file is still in memory
     */
    void drop(Path file) throws IOException, InterruptedException {
        command(
                List.of(
                        "dd",
                        "if=/dev/null",
                        "of=" + file,
                        "oflag=nocache",
                        "conv=notrunc,fdatasync",
                        "count=0"));
        long resident = residentBytes(file);
        if (resident > COLD_AT_MOST * Files.size(file)) {
            throw new IOException(
                    file + " is not cold: " + resident + " bytes are in memory, see fincore");
        }
    }

    /** Reads all of the file into the kernel's cache. */
    void warm() throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            while (channel.read(chunk.clear()) > 0) {
                // The file is only read to have it in memory.
            }
        }
    }

    /** Bytes of the file that are in memory; 0 where {@code fincore} is not installed. */
    private static long residentBytes(Path file) throws IOException, InterruptedException {
        try {
            return Long.parseLong(
                    command(List.of("fincore", "-b", "-n", "-o", "RES", file.toString())).strip());
        } catch (CommandNotFoundException e) {
            return 0;
        }
    }

    /** Thrown if a command is not installed on this machine. */
    static final class CommandNotFoundException extends IOException {
        private static final long serialVersionUID = 1;

        CommandNotFoundException(IOException cause) {
            super(cause);
        }
    }

    /**
     * Runs a command to its end.
     *
     * @return what the command printed
     * @throws CommandNotFoundException if the command cannot be started
     * @throws IOException if it ends with another status than 0; the message has what it printed
     */
    static String command(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new CommandNotFoundException(e);
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + ": status " + status + ": " + output);
        }
        return output;
    }
}
