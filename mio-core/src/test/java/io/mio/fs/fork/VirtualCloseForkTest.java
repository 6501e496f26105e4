package io.mio.fs.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.fs.DefaultMioProvider;
import io.mio.jfr.ForkedJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Closes by virtual threads, which wait for reads of others. */
class VirtualCloseForkTest {
    @TempDir private Path directory;

    @Test
    void shouldLetOthersEndTheirReads() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "no virtual threads in this JDK");
        List<String> options =
                List.of(
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djava.nio.file.spi.DefaultFileSystemProvider="
                                + DefaultMioProvider.class.getName(),
                        "-Dmio.backend=threads",
                        "-Dmio.files=* [ pf/cache=256k/page=4k ]");
        ForkedJvm program =
                new ForkedJvm(
                        directory,
                        options,
                        VirtualCloseProgram.class,
                        directory.resolve("file").toString());
        assertThat(program.line()).isEqualTo("rounds: 40");
        assertThat(program.end()).isZero();
    }
}
