package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MioFileSystemProviderTest {
    private static final URI NAMED = URI.create("mio://name/");

    private final List<Map<String, ?>> loaded = new ArrayList<>();
    private final MioFileSystemProvider provider =
            new MioFileSystemProvider(
                    Door.platform(),
                    options -> {
                        loaded.add(options);
                        return new NoStacks();
                    });

    @TempDir Path temporary;

    @Test
    void shouldBeInstalled() {
        assertThat(Path.of(URI.create("mio:/tmp")).toString()).isEqualTo("/tmp");
        assertThat(Path.of(URI.create("mio:/tmp"))).isEqualTo(Path.of(URI.create("mio:///tmp")));
        assertThat(FileSystems.getFileSystem(URI.create("mio:///")).provider().getScheme())
                .isEqualTo("mio");
    }

    @Test
    void shouldReadTheConfigurationAtFirstUse() {
        assertThat(loaded).isEmpty();
        Path path = provider.getPath(URI.create("mio:/a%20b"));
        assertThat(path).hasToString("/a b");
        assertThat(path.toUri()).hasToString("mio:///a%20b");
        assertThat(provider.getFileSystem(URI.create("mio:/"))).isSameAs(path.getFileSystem());
        assertThat(loaded).hasSize(1);
        assertThat(loaded.get(0)).isEmpty();
    }

    @Test
    void shouldTryAgainAfterAWrongConfiguration() {
        MioFileSystemProvider wrong =
                new MioFileSystemProvider(
                        Door.platform(),
                        options -> {
                            throw new IllegalArgumentException("MIO_FILES, column 3");
                        });
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> wrong.getPath(URI.create("mio:/a")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("MIO_FILES, column 3");
            assertThatThrownBy(() -> wrong.newFileSystem(NAMED, Map.of()))
                    .hasMessage("MIO_FILES, column 3");
            assertThatThrownBy(() -> wrong.getFileSystem(NAMED))
                    .isInstanceOf(FileSystemNotFoundException.class);
        }
    }

    @Test
    void shouldGiveANamedFileSystemItsOwnConfiguration() throws IOException {
        Map<String, String> options = Map.of("files", "* [ trace ]");
        FileSystem named = provider.newFileSystem(NAMED, options);
        assertThat(loaded).hasSize(1);
        assertThat(loaded.get(0)).isEqualTo(options);
        assertThat(provider.getFileSystem(URI.create("MIO://name"))).isSameAs(named);
        Path path = provider.getPath(URI.create("mio://name/a"));
        assertThat(path.getFileSystem()).isSameAs(named);
        assertThat(path.toUri()).isEqualTo(URI.create("mio://name/a"));
        assertThatThrownBy(() -> provider.newFileSystem(NAMED, Map.of()))
                .isInstanceOf(FileSystemAlreadyExistsException.class);
        assertThatThrownBy(() -> provider.newFileSystem(URI.create("mio:///"), Map.of()))
                .isInstanceOf(FileSystemAlreadyExistsException.class);
        assertThatThrownBy(() -> provider.getPath(URI.create("mio://other/a")))
                .isInstanceOf(FileSystemNotFoundException.class)
                .hasMessageContaining("newFileSystem");
    }

    @Test
    void shouldKeepPathsOfTwoFileSystemsApart() throws IOException {
        FileSystem named = provider.newFileSystem(NAMED, Map.of());
        Path a = named.getPath(temporary.toString());
        Path b = provider.getPath(URI.create("mio:" + temporary));
        assertThat(a).isNotEqualTo(b);
        assertThat(a.startsWith(b)).isFalse();
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
        assertThatThrownBy(() -> a.resolve(b)).isInstanceOf(ProviderMismatchException.class);
        assertThat(Files.isSameFile(a, b)).isTrue();
        Files.writeString(a.resolve("x"), "text");
        Files.copy(a.resolve("x"), b.resolve("y"));
        assertThat(b.resolve("y").toFile()).hasContent("text");
    }

    @Test
    @SuppressWarnings("StreamResourceLeak") // the file system closes it, which is the point
    void shouldCloseWhatWasOpenedThroughANamedFileSystem() throws IOException {
        FileSystem named = provider.newFileSystem(NAMED, Map.of());
        Path dir = named.getPath(temporary.toString());
        Path file = Files.writeString(dir.resolve("x"), "text");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        var entries = Files.newDirectoryStream(dir);
        var watcher = named.newWatchService();
        named.close();
        named.close();
        assertThat(named.isOpen()).isFalse();
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(entries::iterator).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(watcher::poll).isInstanceOf(ClosedWatchServiceException.class);
        assertThatThrownBy(() -> Files.readString(file))
                .isInstanceOf(ClosedFileSystemException.class);
        assertThatThrownBy(() -> Files.size(file)).isInstanceOf(ClosedFileSystemException.class);
        assertThatThrownBy(named::newWatchService).isInstanceOf(ClosedFileSystemException.class);
        assertThat(file.getFileName()).hasToString("x");
        assertThat(provider.newFileSystem(NAMED, Map.of())).isNotSameAs(named);
    }

    @Test
    void shouldNotCloseTheOneThatIsAlwaysThere() {
        FileSystem always = provider.getFileSystem(URI.create("mio:///"));
        assertThatThrownBy(always::close).isInstanceOf(UnsupportedOperationException.class);
        assertThat(always.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///a",
                "mio:a",
                "mio:/a?b",
                "mio:/a#b",
                "mio://u@h/a",
                "mio://h:1/a",
                "/a",
                "mio://n%20n/a"
            })
    void shouldSayWhatAGoodUriLooksLike(String uri) {
        assertThatThrownBy(() -> provider.getPath(URI.create(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + uri + "'")
                .hasMessageContaining("write mio:/path, mio:///path or mio://name/path");
    }

    @Test
    void shouldWantAWholeFileSystemWhereOneIsMeant() {
        assertThatThrownBy(() -> provider.newFileSystem(URI.create("mio://name/a"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write mio:/// or mio://name/");
        assertThatThrownBy(() -> provider.newFileSystem((URI) null, Map.of()))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> provider.newFileSystem(NAMED, null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void shouldGiveTheFileOfAPath() {
        Path path = provider.getPath(URI.create("mio:" + temporary));
        assertThat(path.toFile()).isEqualTo(temporary.toFile());
    }

    @Test
    void shouldKeepNamesTheCharsetCannotExpress() throws Exception {
        String make = "cd \"$0\" && echo x > \"$(printf 'a\\377b')\"";
        new ProcessBuilder("sh", "-c", make, temporary.toString()).start().waitFor();
        Path dir = provider.getPath(URI.create("mio:" + temporary));
        int seen = 0;
        try (var entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                seen++;
                assertThat(Files.size(entry)).isEqualTo(2);
                assertThat(Files.readString(provider.getPath(entry.toUri()))).isEqualTo("x\n");
                assertThat(dir.relativize(entry)).isEqualTo(entry.getFileName());
                Files.delete(dir.resolve(entry.getFileName()));
            }
        }
        assertThat(seen).isEqualTo(1);
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void shouldBeThePlatformsOwnFileSystemWhenSwitchedOff() {
        DefaultMioProvider off = new DefaultMioProvider(Door.platform(), options -> null);
        assertThat(off.getFileSystem(URI.create("file:///"))).isSameAs(FileSystems.getDefault());
        assertThat(off.getPath(URI.create("file:///a"))).isEqualTo(Path.of("/a"));
        MioFileSystemProvider scheme = new MioFileSystemProvider(off, options -> null);
        assertThat(scheme.getPath(URI.create("mio:/a"))).hasToString("/a");
    }

    @Test
    void shouldNotWrapTwice() {
        DefaultMioProvider ours = new DefaultMioProvider(Door.platform(), o -> new NoStacks());
        MioFileSystemProvider scheme = new MioFileSystemProvider(ours, options -> null);
        MioPath path = (MioPath) scheme.getPath(URI.create("mio:/a"));
        assertThat(path.inner()).isEqualTo(Path.of("/a"));
        assertThat(path.getFileSystem().opener()).isSameAs(ours.opener());
        assertThat(((MioPath) ours.getPath(URI.create("file:/a"))).inner())
                .isEqualTo(Path.of("/a"));
    }
}
