package io.mio.os;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.layer.Descriptors.Count;
import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import io.mio.layer.PlatformObjects;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts the process's descriptors on a file, with the helper and without. */
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
        return count(helper, List.of());
    }

    private Count count(boolean helper, List<PlatformObjects> others) {
        assumeTrue(!helper || NativeHelper.load().isAvailable(), "no helper was built");
        FileSystem platform = helper ? null : FileSystems.getDefault();
        return new ProcessDescriptors(key, platform).count(others);
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
            assertThat(one.descriptors().count(List.of())).isEqualTo(new Count(1, 1));
            one.close();
            assertThat(two.descriptors().count(List.of())).isEqualTo(new Count(1, 1));
            two.close();
            assertThat(count(helper)).isEqualTo(new Count(1, 1));
        }
    }

    /** Names this file's channels as another file's, so that the count shows which it omits. */
    @Test
    void shouldPassOverChannelsThatAreKnownAndOpen() throws IOException {
        try (FileChannel known = FileChannel.open(path, READ);
                AsynchronousFileChannel too = AsynchronousFileChannel.open(path, READ);
                FileInputStream stream = new FileInputStream(path.toFile())) {
            PlatformObjects one = new PlatformObjects(false, known, stream);
            PlatformObjects two = new PlatformObjects(false, too);
            assertThat(count(true, List.of())).isEqualTo(new Count(3, 0));
            // Nothing shows whether a stream is closed, so its descriptor counts.
            assertThat(count(true, List.of(one))).isEqualTo(new Count(2, 0));
            assertThat(count(true, List.of(two, one))).isEqualTo(new Count(1, 0));
        }
    }

    /** The number of the closed channel may belong to somebody else by now. */
    @Test
    void shouldLookAtTheNumberOfAChannelThatAnInterruptHasClosed() throws IOException {
        FileChannel closed = FileChannel.open(path, READ);
        PlatformObjects known = new PlatformObjects(false, closed);
        assertThat(count(true, List.of(known))).isEqualTo(new Count(0, 0));
        Thread.currentThread().interrupt();
        assertThatThrownBy(closed::size).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        // Three opens are enough for one of them to get that number.
        try (RandomAccessFile one = new RandomAccessFile(path.toFile(), "rw");
                RandomAccessFile two = new RandomAccessFile(path.toFile(), "rw");
                RandomAccessFile three = new RandomAccessFile(path.toFile(), "rw")) {
            assertThat(count(true, List.of(known))).isEqualTo(new Count(0, 3));
            assertThat(one.length() + two.length() + three.length()).isEqualTo(30);
        }
    }

    /** A descriptor that is set aside counts: what its number stands for is not known any more. */
    @Test
    void shouldCountWhatIsSetAside() throws IOException {
        try (FileChannel reader = FileChannel.open(path, READ)) {
            BackendFile file =
                    Backends.open(
                            reader,
                            path,
                            OpenFlags.RDONLY,
                            new Backends.Wish(false, false, false),
                            line -> {},
                            kept -> {});
            assertThat(count(true, List.of())).isEqualTo(new Count(1, 0));
            SharedFile shared = SharedFile.enter(key);
            shared.setAside(new Descriptor[shared.now().length]);
            assertThat(count(true, List.of())).isEqualTo(new Count(2, 0));
            shared.leave();
            file.close();
        }
        assertThat(count(true, List.of())).isEqualTo(new Count(0, 0));
    }
}
