package io.mio.trace;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;

/** What {@link EventsForkTest} runs in a JVM of its own: writes, and tells of each write. */
final class EventsProgram {
    private EventsProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (FileSystem mio =
                        FileSystems.newFileSystem(
                                URI.create("mio://events/"),
                                Map.of("files", "* [ trace/events={" + arguments[0] + "} ]"));
                FileChannel channel =
                        FileChannel.open(
                                mio.getPath(Path.of("data").toAbsolutePath().toString()),
                                CREATE,
                                WRITE)) {
            ByteBuffer record = ByteBuffer.allocateDirect(10);
            for (int i = 0; ; i++) {
                channel.write(record.clear());
                System.out.write('w');
                System.out.flush();
                if (arguments.length > 1 && i == 9) {
                    return;
                }
            }
        }
    }
}
