package io.mio.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.jfr.ForkedJvm;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends with a full heap. */
class FullHeapForkTest {
    private static final int FILES = 20;

    @TempDir private Path directory;

    @Test
    void shouldHandDownWhatWasWrittenWhenTheHeapIsFull() throws Exception {
        List<String> options =
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-Dmio.files=* [ trace/stats | pf/cache=1m/page=4k ]",
                        "-Dmio.stats=stats.txt");
        ForkedJvm program = new ForkedJvm(directory, options, Program.class);
        String ran = program.line();
        assertThat(program.end()).isZero();
        assumeTrue(ran != null, "the JVM had no memory left to run hooks at all");

        for (int i = 0; i < FILES; i++) {
            assertThat(directory.resolve(i + ".paged")).hasSize(100);
        }
        // From JDK 21 on the JVM itself says that it had no memory to log the exit.
        assertThat(Files.readAllLines(directory.resolve("stderr.txt")))
                .allMatch(line -> line.startsWith("Runtime.exit("));
    }

    /** Writes files, fills the heap but for some bytes, and exits. */
    static final class Program {
        private static final int LEFT_BYTES = 8192;

        private static final FileChannel[] OPEN = new FileChannel[FILES];
        private static Object[] kept;

        private Program() {}

        public static void main(String[] arguments) throws IOException {
            byte[] line = {'\n'};
            FileOutputStream out = new FileOutputStream(FileDescriptor.out);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> tell(out, line)));
            for (int i = 0; i < FILES; i++) {
                Path path = Path.of(URI.create("mio://" + Path.of(i + ".paged").toAbsolutePath()));
                OPEN[i] =
                        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                OPEN[i].write(ByteBuffer.allocate(100));
            }
            fill();
            System.exit(0);
        }

        private static void tell(FileOutputStream out, byte... line) {
            try {
                out.write(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void fill() {
            int bytes = 1 << 24;
            while (bytes > LEFT_BYTES) {
                try {
                    Object[] more = {kept, new byte[bytes]};
                    kept = more;
                } catch (OutOfMemoryError e) {
                    bytes /= 2;
                }
            }
        }
    }
}
