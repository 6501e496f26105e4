package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.fs.OpenerProvider;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens by name, where the platform does not tell everything. */
class PlatformOpeningTest {
    @TempDir private Path directory;
    private Path path;
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void makeFile() throws IOException {
        path = Files.writeString(directory.resolve("file"), "0123456789");
    }

    @Test
    void shouldOpenAFileOfWhichThePlatformKnowsNoFileSystem() throws IOException {
        OwnFile.Parts parts = new OwnFile.Parts();
        parts.name = "file";
        parts.debug = said::add;
        parts.kept = closeable -> {};
        Backends.Wish direct = new Backends.Wish(true, false, true);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            Path name = new WithoutMounts(path).path();
            assertThat(PlatformOpening.open(channel, name, OpenFlags.RDWR, direct, "a test", parts))
                    .isTrue();
            OwnFile file = new OwnFile(parts);
            assertThat(file.size()).isEqualTo(10);
            // The free space is unknown, so none is reserved and writes go down at once.
            assertThat(file.reserve(10, 1)).isFalse();
            file.close();
        }
        assertThat(said).anyMatch(line -> line.contains("does not tell the file system"));
    }

    /**
     * A platform whose root directory is no mount, as some JVMs have it: the list of mounts has no
     * entry for the root.
     */
    private static final class WithoutMounts extends OpenerProvider {
        WithoutMounts(Path inner) {
            super(inner);
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            throw new FileSystemException("Mount point not found");
        }

        @Override
        public Map<String, Object> readAttributes(
                Path path, String attributes, LinkOption... options) throws IOException {
            return Files.readAttributes(inner, attributes, options);
        }

        @Override
        public AsynchronousFileChannel newAsynchronousFileChannel(
                Path path,
                Set<? extends OpenOption> options,
                ExecutorService executor,
                FileAttribute<?>... attributes)
                throws IOException {
            return AsynchronousFileChannel.open(inner, options, executor, attributes);
        }
    }
}
