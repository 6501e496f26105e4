package io.mio.os;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.layer.Descriptors.Count;
import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts, with the helper and without. */
class ProcessDescriptorsTest {
    @TempDir private Path directory;
    private Path path;
    private FileKey key;

    @BeforeEach
    void makeFile() throws IOException {
        path = Files.writeString(directory.resolve("file"), "0123456789");
        key =
                new FileKey(
                        (Long) Files.getAttribute(path, "unix:dev"),
                        (Long) Files.getAttribute(path, "unix:ino"));
    }

    private Count count(boolean helper) {
        assumeTrue(!helper || NativeHelper.load().isAvailable(), "no helper was built");
        FileSystem platform = helper ? null : FileSystems.getDefault();
        return new ProcessDescriptors(key, platform).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountByWhatADescriptorMayDo(boolean helper) throws IOException {
        assertThat(count(helper)).isEqualTo(new Count(0, 0));
        Path link = Files.createLink(directory.resolve("link"), path);
        try (RandomAccessFile one = new RandomAccessFile(path.toFile(), "rw");
                FileChannel two = FileChannel.open(link, WRITE, APPEND);
                FileInputStream three = new FileInputStream(link.toFile());
                FileInputStream again = new FileInputStream(three.getFD())) {
            assertThat(count(helper)).isEqualTo(new Count(1, 2));
            Files.delete(path);
            Files.delete(link);
            assertThat(count(helper)).isEqualTo(new Count(1, 2));
            assertThat(two.isOpen()).isTrue();
            assertThat(one.length()).isEqualTo(10);
            assertThat(again.available()).isEqualTo(10);
        }
        assertThat(count(helper)).isEqualTo(new Count(0, 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLeaveOutThoseOfPageRequests(boolean helper) throws IOException {
        Backends.Wish wish = new Backends.Wish(true, false, true);
        try (FileChannel reader = FileChannel.open(path, READ);
                FileChannel both = FileChannel.open(path, READ, WRITE)) {
            BackendFile one =
                    Backends.open(reader, path, OpenFlags.RDONLY, wish, line -> {}, kept -> {});
            BackendFile two =
                    Backends.open(both, path, OpenFlags.RDWR, wish, line -> {}, kept -> {});
            assertThat(count(helper)).isEqualTo(new Count(1, 1));
            assertThat(one.descriptors().count()).isEqualTo(new Count(1, 1));
            one.close();
            assertThat(two.descriptors().count()).isEqualTo(new Count(1, 1));
            two.close();
            assertThat(count(helper)).isEqualTo(new Count(1, 1));
        }
    }
}
