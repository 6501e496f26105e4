package io.mio.fs;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.DosFileAttributeView;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Whoever looks at a file by its name sees what was written. */
class PublisherTest {
    @TempDir Path temporary;
    private final FakePages pages = new FakePages();
    private FileSystem fileSystem;
    private Path directory;
    private Path file;
    private Path link;
    private FileKey key;

    @BeforeEach
    void makeFiles() throws IOException {
        Path plain = Files.write(temporary.resolve("file"), new byte[10]);
        Files.createSymbolicLink(temporary.resolve("link"), plain);
        key = FileFacts.key(plain);
        fileSystem =
                new MioFileSystemProvider(Door.platform(), options -> new NoStacks(), pages)
                        .newFileSystem(URI.create("mio://pages/"), Map.of());
        directory = fileSystem.getPath(temporary.toString());
        file = directory.resolve("file");
        link = directory.resolve("link");
    }

    @AfterEach
    void closeFileSystem() throws IOException {
        fileSystem.close();
    }

    private void publishes(int times, Executable operation) throws Throwable {
        pages.published.clear();
        operation.execute();
        assertThat(pages.published).hasSize(times).allMatch(key::equals);
    }

    @Test
    void shouldPublishBeforeAttributesAreReadAndFollowLinksAsTheyDo() throws Throwable {
        pages.cached.add(key);
        publishes(1, () -> assertThat(Files.size(file)).isEqualTo(10));
        publishes(1, () -> Files.size(link));
        publishes(1, () -> Files.readAttributes(file, "*"));
        publishes(1, () -> Files.readAttributes(link, BasicFileAttributes.class));
        publishes(0, () -> Files.readAttributes(link, "*", NOFOLLOW_LINKS));
        publishes(0, () -> Files.size(directory));
        publishes(0, () -> Files.notExists(directory.resolve("missing")));
        assertThatThrownBy(() -> Files.size(directory.resolve("missing")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldPublishBeforeTheFileIsShownToOthers() throws Throwable {
        pages.cached.add(key);
        publishes(1, () -> Files.copy(link, directory.resolve("copy")));
        publishes(0, () -> Files.copy(link, directory.resolve("linkCopy"), NOFOLLOW_LINKS));
        publishes(1, () -> Files.createLink(directory.resolve("hard"), file));
        publishes(
                1,
                () ->
                        Files.copy(
                                directory.resolve("copy"),
                                directory.resolve("hard"),
                                StandardCopyOption.REPLACE_EXISTING));
        publishes(1, () -> Files.setAttribute(file, "lastModifiedTime", FileTime.fromMillis(0)));
        publishes(1, () -> Files.setLastModifiedTime(link, FileTime.fromMillis(1000)));
        publishes(0, () -> Files.move(link, directory.resolve("moved-link")));
        publishes(1, () -> Files.move(file, directory.resolve("moved")));
    }

    @Test
    void shouldFailWhatMustNotHappenWithBytesMissingAndReadAttributesAllTheSame() throws Exception {
        pages.cached.add(key);
        BasicFileAttributeView view =
                Files.getFileAttributeView(file, BasicFileAttributeView.class);
        pages.failure = new IOException("No space left on device");
        Path other = directory.resolve("other");
        List<Executable> operations =
                List.of(
                        () -> Files.copy(file, other),
                        () -> Files.move(file, other),
                        () -> Files.createLink(other, file),
                        () -> Files.setAttribute(file, "lastModifiedTime", FileTime.fromMillis(0)),
                        () -> view.setTimes(FileTime.fromMillis(0), null, null));
        for (Executable operation : operations) {
            assertThatThrownBy(operation::execute).isSameAs(pages.failure);
        }
        assertThat(Files.exists(other)).isFalse();
        assertThat(Files.getLastModifiedTime(file).toMillis()).isNotZero();
        assertThat(Files.readAttributes(file, "size")).containsEntry("size", 10L);
        assertThat(view.readAttributes().size()).isEqualTo(10);
    }

    @Test
    void shouldGiveThePlatformsOwnViewsWhileNoFileHasPages() throws Throwable {
        for (Class<? extends FileAttributeView> type : types()) {
            FileAttributeView view = Files.getFileAttributeView(file, type);
            Class<?> made = view == null ? Object.class : view.getClass();
            assertThat(made.getModule()).isEqualTo(Object.class.getModule());
        }
        publishes(0, () -> Files.size(file));
    }

    private static List<Class<? extends FileAttributeView>> types() {
        return List.of(
                BasicFileAttributeView.class,
                PosixFileAttributeView.class,
                FileOwnerAttributeView.class,
                UserDefinedFileAttributeView.class,
                DosFileAttributeView.class,
                AclFileAttributeView.class);
    }

    @Test
    void shouldPublishBeforeACallOfAView() throws Throwable {
        pages.cached.add(key);
        for (Class<? extends FileAttributeView> type : types()) {
            FileAttributeView expected =
                    Files.getFileAttributeView(temporary.resolve("file"), type);
            FileAttributeView view = Files.getFileAttributeView(file, type);
            assertThat(view == null).isEqualTo(expected == null);
            if (view != null) {
                assertThat(view).isInstanceOf(type).isEqualTo(view).hasSameHashCodeAs(view);
                assertThat(view.name()).isEqualTo(expected.name());
            }
        }
        PosixFileAttributeView posix =
                Files.getFileAttributeView(link, PosixFileAttributeView.class);
        publishes(1, () -> assertThat(posix.readAttributes().size()).isEqualTo(10));
        publishes(1, () -> posix.setPermissions(PosixFilePermissions.fromString("rw-------")));
        publishes(1, () -> posix.setTimes(FileTime.fromMillis(0), null, null));
        publishes(2, () -> posix.setOwner(posix.getOwner()));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> posix.setPermissions(null))
                .isInstanceOf(NullPointerException.class);
        BasicFileAttributeView missing =
                Files.getFileAttributeView(
                        directory.resolve("missing"), BasicFileAttributeView.class);
        assertThatThrownBy(missing::readAttributes).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldPublishBelowASecureDirectory() throws Throwable {
        pages.cached.add(key);
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            SecureDirectoryStream<Path> secure = (SecureDirectoryStream<Path>) stream;
            Path name = fileSystem.getPath("file");
            BasicFileAttributeView view =
                    secure.getFileAttributeView(name, BasicFileAttributeView.class);
            publishes(1, () -> assertThat(view.readAttributes().size()).isEqualTo(10));
            publishes(1, () -> secure.move(name, secure, fileSystem.getPath("moved")));
            publishes(0, () -> secure.deleteFile(fileSystem.getPath("moved")));
        }
    }
}
