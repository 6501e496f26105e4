package io.mio.pf;

import static io.mio.pf.PfFixture.filled;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.jfr.ForkedJvm;
import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache whose tables the heap cannot hold, in a JVM with a small heap. */
class PfOutOfMemoryForkTest {
    @TempDir private Path directory;

    @Test
    void shouldKeepNoFramesOfACacheThatCannotBeMade() throws Exception {
        ForkedJvm program = new ForkedJvm(directory, List.of("-Xmx32m"), Program.class);
        assertThat(program.line()).isEqualTo("refused, 0 frames out");
        assertThat(program.line()).isNull();
        assertThat(program.end()).isZero();
    }

    /** Opens a cache with large tables. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            Counting memory = new Counting();
            MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
            String how = "opened";
            try {
                PfFixture.open(
                        "cache=64g/page=4k/private",
                        below,
                        PfFixture.newKey(),
                        OpenFlags.RDWR,
                        512,
                        -1,
                        memory);
            } catch (OutOfMemoryError e) {
                how = "refused";
            }
            System.out.println(how + ", " + memory.out + " frames out");
        }
    }

    private static final class Counting implements FrameMemory {
        private int out;

        @Override
        public FrameRange take(int count, int bytes) {
            out += count;
            return PfFixture.MEMORY.take(count, bytes);
        }

        @Override
        public void give(FrameRange frames) {
            out -= frames.count();
        }
    }
}
