package io.mio.fs;

import io.mio.stack.Stacks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * What both doors of the JVM share: each operation unwraps its paths, asks the platform's provider,
 * and wraps the paths it gets. Opening goes to {@link FileOpener}. Results and exceptions are the
 * platform's; the duties of a wrapping provider are in the contract of {@link FileSystemProvider}.
 *
 * <p>URIs and the making of file systems are left to the two subclasses.
 *
 * <p>{@link FileSystemProvider#newFileSystem(Path, Map)} stays unsupported, as the platform's is:
 * {@code FileSystems.newFileSystem(Path)} asks every installed provider in turn, and an answer from
 * here would take zip files away from theirs.
 */
abstract class MioProvider extends FileSystemProvider {
    private final FileSystemProvider inner;
    private final PageFiles pages;
    private final Publisher publisher;

    /** Makes a provider over the platform's. */
    MioProvider(FileSystemProvider inner, PageFiles pages) {
        this.inner = Objects.requireNonNull(inner);
        this.pages = pages;
        this.publisher = new Publisher(pages);
    }

    /** Makes an opener with these rules. */
    final FileOpener opener(Stacks stacks) {
        return new FileOpener(stacks, pages);
    }

    /** Brings the kernel up to date before a file is looked at by name. */
    final Publisher publisher() {
        return publisher;
    }

    /** The platform's provider. */
    final FileSystemProvider inner() {
        return inner;
    }

    /**
     * Returns the path as this provider's own, of a file system that is open.
     *
     * @throws NullPointerException if it is null
     * @throws ProviderMismatchException if it is another provider's
     * @throws java.nio.file.ClosedFileSystemException if its file system was closed
     */
    private MioPath own(Path path) {
        MioPath own = ownOrNull(path);
        if (own == null) {
            throw new ProviderMismatchException();
        }
        own.getFileSystem().requireOpen();
        return own;
    }

    private MioPath ownOrNull(Path path) {
        Objects.requireNonNull(path);
        return path instanceof MioPath own && own.getFileSystem().provider() == this ? own : null;
    }

    private Path unwrap(Path path) {
        return own(path).inner();
    }

    @Override
    public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
        MioPath own = own(path);
        MioFileSystem fileSystem = own.getFileSystem();
        return fileSystem.opened(fileSystem.opener().newInputStream(own.inner(), options));
    }

    @Override
    public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
        MioPath own = own(path);
        MioFileSystem fileSystem = own.getFileSystem();
        return fileSystem.opened(fileSystem.opener().newOutputStream(own.inner(), options));
    }

    @Override
    public FileChannel newFileChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        MioPath own = own(path);
        MioFileSystem fileSystem = own.getFileSystem();
        return fileSystem.opened(fileSystem.opener().newFileChannel(own.inner(), options, attrs));
    }

    @Override
    public AsynchronousFileChannel newAsynchronousFileChannel(
            Path path,
            Set<? extends OpenOption> options,
            ExecutorService executor,
            FileAttribute<?>... attrs)
            throws IOException {
        MioPath own = own(path);
        MioFileSystem fileSystem = own.getFileSystem();
        return fileSystem.opened(
                fileSystem
                        .opener()
                        .newAsynchronousFileChannel(own.inner(), options, executor, attrs));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        MioPath own = own(path);
        MioFileSystem fileSystem = own.getFileSystem();
        return fileSystem.opened(fileSystem.opener().newByteChannel(own.inner(), options, attrs));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
            Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
        MioPath own = own(directory);
        Objects.requireNonNull(filter);
        MioFileSystem fileSystem = own.getFileSystem();
        DirectoryStream.Filter<Path> innerFilter =
                new MioDirectoryStream.EntryFilter(fileSystem, filter);
        return fileSystem.opened(
                MioDirectoryStream.of(own, inner.newDirectoryStream(own.inner(), innerFilter)));
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attrs) throws IOException {
        inner.createDirectory(unwrap(directory), attrs);
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attrs)
            throws IOException {
        inner.createSymbolicLink(unwrap(link), unwrap(target), attrs);
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        Path innerLink = unwrap(link);
        Path innerExisting = unwrap(existing);
        publisher.before(innerExisting, LinkOption.NOFOLLOW_LINKS);
        inner.createLink(innerLink, innerExisting);
    }

    @Override
    public void delete(Path path) throws IOException {
        inner.delete(unwrap(path));
    }

    @Override
    public boolean deleteIfExists(Path path) throws IOException {
        return inner.deleteIfExists(unwrap(path));
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        MioPath own = own(link);
        return own.wrap(inner.readSymbolicLink(own.inner()));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        Path innerSource = unwrap(source);
        Path innerTarget = unwrap(target);
        publisher.before(innerSource, Publisher.links(options));
        publisher.before(innerTarget, LinkOption.NOFOLLOW_LINKS);
        inner.copy(innerSource, innerTarget, options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        Path innerSource = unwrap(source);
        Path innerTarget = unwrap(target);
        publisher.before(innerSource, LinkOption.NOFOLLOW_LINKS);
        inner.move(innerSource, innerTarget, options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        Path own = unwrap(path);
        return ownOrNull(other) != null && inner.isSameFile(own, unwrap(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return inner.isHidden(unwrap(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return inner.getFileStore(unwrap(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        inner.checkAccess(unwrap(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        Path innerPath = unwrap(path);
        V view = inner.getFileAttributeView(innerPath, type, options);
        return publisher.view(view, type, innerPath, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
            Path path, Class<A> type, LinkOption... options) throws IOException {
        Path innerPath = unwrap(path);
        publisher.beforeReading(innerPath, options);
        return inner.readAttributes(innerPath, type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
            throws IOException {
        Path innerPath = unwrap(path);
        publisher.beforeReading(innerPath, options);
        return inner.readAttributes(innerPath, attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
            throws IOException {
        Path innerPath = unwrap(path);
        publisher.before(innerPath, options);
        inner.setAttribute(innerPath, attribute, value, options);
    }

    /**
     * Part of the provider's contract from JDK 20 on, hence no {@code @Override}; the inherited
     * form throws an exception inside for each missing file.
     */
    @SuppressWarnings("MissingOverride") // overrides from 20 on only
    public boolean exists(Path path, LinkOption... options) {
        // Asks the platform's provider, because the path is the platform's.
        return Files.exists(unwrap(path), options);
    }

    /** As {@link #exists}: from JDK 20 on. Null for a missing file. */
    @SuppressWarnings("MissingOverride") // overrides from 20 on only
    public <A extends BasicFileAttributes> A readAttributesIfExists(
            Path path, Class<A> type, LinkOption... options) throws IOException {
        Path innerPath = unwrap(path);
        publisher.beforeReading(innerPath, options);
        return AttributesIfExists.read(inner, innerPath, type, options);
    }
}
