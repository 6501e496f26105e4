package io.mio.fs;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Iterator;
import java.util.Objects;

/**
 * A path of the platform in a MIO file system. It holds the platform's path and never its text,
 * because a name that the charset cannot express would not survive. Where the platform's path
 * returns itself or its argument, so does this one.
 */
final class MioPath implements Path {
    private final MioFileSystem fileSystem;
    private final Path inner;

    MioPath(MioFileSystem fileSystem, Path inner) {
        this.fileSystem = fileSystem;
        this.inner = inner;
    }

    /** The platform's path. */
    Path inner() {
        return inner;
    }

    /** Returns this object or a new one for {@code result}; null for null. */
    MioPath wrap(Path result) {
        if (result == inner) {
            return this;
        }
        return result == null ? null : new MioPath(fileSystem, result);
    }

    /** As {@link #wrap(Path)}, where {@code result} may also be the argument's path. */
    private MioPath wrap(Path result, MioPath argument) {
        return result == argument.inner ? argument : wrap(result);
    }

    private MioPath own(Path other) {
        if (ownInner(other) == null) {
            throw new ProviderMismatchException();
        }
        return (MioPath) other;
    }

    /** The platform's path behind a path of this file system, null for any other. */
    private Path ownInner(Path other) {
        Objects.requireNonNull(other);
        return other instanceof MioPath that && that.fileSystem == fileSystem ? that.inner : null;
    }

    @Override
    public MioFileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return inner.isAbsolute();
    }

    @Override
    public Path getRoot() {
        return wrap(inner.getRoot());
    }

    @Override
    public Path getFileName() {
        return wrap(inner.getFileName());
    }

    @Override
    public Path getParent() {
        return wrap(inner.getParent());
    }

    @Override
    public int getNameCount() {
        return inner.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return wrap(inner.getName(index));
    }

    @Override
    public Path subpath(int beginIndex, int endIndex) {
        return wrap(inner.subpath(beginIndex, endIndex));
    }

    @Override
    public boolean startsWith(Path other) {
        Path innerOther = ownInner(other);
        return innerOther != null && inner.startsWith(innerOther);
    }

    @Override
    public boolean startsWith(String other) {
        return inner.startsWith(other);
    }

    @Override
    public boolean endsWith(Path other) {
        Path innerOther = ownInner(other);
        return innerOther != null && inner.endsWith(innerOther);
    }

    @Override
    public boolean endsWith(String other) {
        return inner.endsWith(other);
    }

    @Override
    public Path normalize() {
        return wrap(inner.normalize());
    }

    @Override
    public Path resolve(Path other) {
        MioPath own = own(other);
        return wrap(inner.resolve(own.inner), own);
    }

    @Override
    public Path resolve(String other) {
        return wrap(inner.resolve(other));
    }

    @Override
    public Path resolveSibling(Path other) {
        if (inner.getParent() == null) {
            // As the interface specifies, also for a path of another provider.
            return Objects.requireNonNull(other);
        }
        MioPath own = own(other);
        return wrap(inner.resolveSibling(own.inner), own);
    }

    @Override
    public Path resolveSibling(String other) {
        return wrap(inner.resolveSibling(other));
    }

    @Override
    public Path relativize(Path other) {
        MioPath own = own(other);
        return wrap(inner.relativize(own.inner), own);
    }

    @Override
    public URI toUri() {
        return fileSystem.toUri(inner);
    }

    @Override
    public Path toAbsolutePath() {
        return wrap(inner.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        fileSystem.requireOpen();
        return wrap(inner.toRealPath(options));
    }

    /**
     * Returns the file itself, also for a path of the {@code mio} scheme, where the interface
     * demands a refusal: the bytes are on disk, and many libraries ask. What is done through the
     * result is {@code java.io} and bypasses MIO.
     */
    @Override
    public File toFile() {
        // Not inner.toFile(): the platform refuses when another file system is the default.
        return new File(inner.toString());
    }

    @Override
    public WatchKey register(
            WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
            throws IOException {
        Objects.requireNonNull(watcher);
        if (!(watcher instanceof MioWatchService own)) {
            throw new ProviderMismatchException();
        }
        fileSystem.requireOpen();
        return own.register(this, events, modifiers);
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>... events)
            throws IOException {
        return register(watcher, events, new WatchEvent.Modifier[0]);
    }

    @Override
    public Iterator<Path> iterator() {
        Iterator<Path> names = inner.iterator();
        return new Iterator<Path>() {
            @Override
            public boolean hasNext() {
                return names.hasNext();
            }

            @Override
            public Path next() {
                return wrap(names.next());
            }
        };
    }

    /**
     * Compares in the platform's order; two file systems of the {@code mio} scheme by name first.
     *
     * @throws ClassCastException if {@code other} is another provider's
     */
    @Override
    public int compareTo(Path other) {
        MioPath that = (MioPath) other;
        if (that.fileSystem != fileSystem) {
            if (that.fileSystem.provider() != fileSystem.provider()) {
                throw new ClassCastException("a path of another provider");
            }
            int byName = nameForOrder().compareTo(that.nameForOrder());
            if (byName != 0) {
                return byName;
            }
        }
        return inner.compareTo(that.inner);
    }

    private String nameForOrder() {
        return fileSystem.name() == null ? "" : fileSystem.name();
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof MioPath that
                        && that.fileSystem == fileSystem
                        && inner.equals(that.inner));
    }

    @Override
    public int hashCode() {
        return inner.hashCode();
    }

    @Override
    public String toString() {
        return inner.toString();
    }
}
