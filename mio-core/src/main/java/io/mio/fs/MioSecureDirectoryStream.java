package io.mio.fs;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.Objects;
import java.util.Set;

/** The platform's secure directory stream; names are relative to the open directory. */
final class MioSecureDirectoryStream extends MioDirectoryStream
        implements SecureDirectoryStream<Path> {
    private final SecureDirectoryStream<Path> inner;

    MioSecureDirectoryStream(MioPath directory, SecureDirectoryStream<Path> inner) {
        super(directory, inner);
        this.inner = inner;
    }

    private MioPath own(Path name) {
        Objects.requireNonNull(name);
        if (name instanceof MioPath own
                && own.getFileSystem().provider() == directory().getFileSystem().provider()) {
            return own;
        }
        throw new ProviderMismatchException();
    }

    @Override
    public SecureDirectoryStream<Path> newDirectoryStream(Path name, LinkOption... options)
            throws IOException {
        MioPath own = own(name);
        MioFileSystem fileSystem = directory().getFileSystem();
        SecureDirectoryStream<Path> stream = inner.newDirectoryStream(own.inner(), options);
        return fileSystem.opened(new MioSecureDirectoryStream(inDirectory(own), stream));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path name, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        MioPath own = own(name);
        MioFileSystem fileSystem = directory().getFileSystem();
        return fileSystem.opened(
                fileSystem.opener().newByteChannel(inner, named(own), options, attrs));
    }

    private MioPath inDirectory(MioPath name) {
        return directory().wrap(directory().inner().resolve(name.inner()));
    }

    private NameInDirectory named(MioPath name) {
        return new NameInDirectory(inner, inDirectory(name).inner(), name.inner());
    }

    @Override
    public void deleteFile(Path name) throws IOException {
        inner.deleteFile(own(name).inner());
    }

    @Override
    public void deleteDirectory(Path name) throws IOException {
        inner.deleteDirectory(own(name).inner());
    }

    @Override
    public void move(Path source, SecureDirectoryStream<Path> targetDirectory, Path target)
            throws IOException {
        Path innerSource = own(source).inner();
        Path innerTarget = own(target).inner();
        Objects.requireNonNull(targetDirectory);
        if (!(targetDirectory instanceof MioSecureDirectoryStream that)) {
            throw new ProviderMismatchException();
        }
        publisher().before(named(own(source)), LinkOption.NOFOLLOW_LINKS);
        inner.move(innerSource, that.inner, innerTarget);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Class<V> type) {
        return inner.getFileAttributeView(type);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
            Path name, Class<V> type, LinkOption... options) {
        MioPath own = own(name);
        V view = inner.getFileAttributeView(own.inner(), type, options);
        return publisher().view(view, type, named(own), options);
    }

    private Publisher publisher() {
        return directory().getFileSystem().provider().publisher();
    }
}
