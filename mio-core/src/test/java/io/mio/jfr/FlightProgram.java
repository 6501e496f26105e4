package io.mio.jfr;

import io.mio.Mio;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Runs for {@link FlightForkTest}: does a known amount of I/O on {@code known.dat}. */
final class FlightProgram {
    static final int PAGE_BYTES = 64 << 10;
    static final int PAGES = 32;
    static final int CALL_BYTES = 4096;

    private FlightProgram() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "known" -> known(Path.of("known.dat").toAbsolutePath());
            case "uri" ->
                    known(Path.of(URI.create("mio://" + Path.of("known.dat").toAbsolutePath())));
            case "later" -> later();
            case "unmanaged" -> unmanaged();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Writes the file page by page, then reads it in small calls. */
    private static void known(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
            for (int i = 0; i < PAGES; i++) {
                channel.write(page.clear());
            }
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            read(channel);
        }
        System.out.println("done");
    }

    private static void read(FileChannel channel) throws IOException {
        ByteBuffer call = ByteBuffer.allocateDirect(CALL_BYTES);
        channel.position(0);
        while (channel.read(call.clear()) > 0) {
            if (call.position() != CALL_BYTES) {
                throw new IOException("a short read");
            }
        }
    }

    /** Opens the file before the recorder is started; what is read after that is known. */
    private static void later() throws IOException {
        Path file = Path.of("known.dat").toAbsolutePath();
        known(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            read(channel);
            System.out.println(Flight.isOn());
            System.in.read();
            while (!Flight.isOn()) {
                read(channel);
            }
            read(channel);
        }
        System.out.println("closed");
        System.in.read();
    }

    private static void unmanaged() throws IOException {
        known(Path.of("known.dat").toAbsolutePath());
        try {
            Mio.registerMBean();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Flight.isOn());
    }
}
