package io.mio.trace;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs in a JVM of its own for {@link EventsSpaceTest}: writes records, reads each one back, and
 * waits after each round to be told to go on.
 */
final class EventsSpaceProgram {
    /** The number of writes in a round; there are as many reads. */
    static final int RECORDS = 20_000;

    static final int RECORD_BYTES = 10;

    private EventsSpaceProgram() {}

    /**
     * Opens the file {@code data} and runs rounds until the input ends.
     *
     * @param arguments options of the trace layer
     */
    public static void main(String[] arguments) throws Exception {
        try (FileSystem mio =
                        FileSystems.newFileSystem(
                                URI.create("mio://space/"),
                                Map.of("files", "* [ trace/" + arguments[0] + " ]"));
                FileChannel channel =
                        FileChannel.open(
                                mio.getPath(Path.of("data").toAbsolutePath().toString()),
                                CREATE,
                                READ,
                                WRITE)) {
            long record = 0;
            while (System.in.read() == 'g') {
                for (long end = record + RECORDS; record < end; record++) {
                    use(channel, record);
                }
                System.out.write('d');
                System.out.flush();
            }
        }
    }

    static ByteBuffer record(long number) {
        return ByteBuffer.allocate(RECORD_BYTES).putLong(number).putShort((short) ~number).flip();
    }

    private static void use(FileChannel channel, long number) throws IOException {
        int written = channel.write(record(number), number * RECORD_BYTES);
        ByteBuffer back = ByteBuffer.allocate(RECORD_BYTES);
        int read = channel.read(back, number * RECORD_BYTES);
        if (written != RECORD_BYTES
                || read != RECORD_BYTES
                || !back.flip().equals(record(number))) {
            throw new IOException("record " + number + ": " + written + ", " + read);
        }
    }
}
