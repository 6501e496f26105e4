package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.os.Backends;
import io.mio.os.NativeHelper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the further runs of the contracts really use the backend they are for. */
@Tag("backends")
class BackendInUseTest {
    @TempDir Path directory;

    @Test
    void shouldDoPageRequestsTheWayThisRunAsksFor() throws IOException {
        String expected = System.getProperty("mio.test.backend");
        assumeTrue(expected != null, "this run takes the backend there is");
        try (FileChannel channel =
                TestStack.PF
                        .opener()
                        .newFileChannel(directory.resolve("file"), Set.of(CREATE, WRITE))) {
            channel.write(ByteBuffer.allocate(100));
        }
        assertThat(Backends.label()).isEqualTo(expected);
        boolean nowhere = "/nowhere".equals(System.getProperty("mio.native.path"));
        if (nowhere) {
            assertThat(NativeHelper.load().isAvailable()).isFalse();
        }
    }
}
