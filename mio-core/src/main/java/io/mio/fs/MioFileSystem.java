package io.mio.fs;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The platform's default file system with wrapped paths. File stores and principals are the
 * platform's own objects.
 *
 * <p>Only a file system made with a name can be closed. That closes everything opened through it.
 * Later uses of its paths that need a file throw {@link ClosedFileSystemException}; uses that do
 * not (names, comparison) go on working.
 */
final class MioFileSystem extends FileSystem {
    private final MioProvider provider;
    private final FileSystem inner;
    private final FileOpener opener;
    private final String name;

    /** What close() has to close; null where it is not supported. */
    private final OpenObjects open;

    MioFileSystem(MioProvider provider, FileSystem inner, FileOpener opener, String name) {
        this.provider = provider;
        this.inner = inner;
        this.opener = opener;
        this.name = name;
        this.open = name == null ? null : new OpenObjects();
    }

    FileSystem inner() {
        return inner;
    }

    FileOpener opener() {
        return opener;
    }

    /** The name in {@code mio://name/}; null for a file system without a name. */
    String name() {
        return name;
    }

    /** The URI of one of the platform's paths in this file system. */
    URI toUri(Path path) {
        URI uri = path.toUri();
        return provider instanceof DefaultMioProvider ? uri : MioUri.fromPlatform(uri, name);
    }

    /** Remembers an object that {@link #close} has to close. */
    <T extends Closeable> T opened(T object) throws IOException {
        if (open != null) {
            open.add(object);
        }
        return object;
    }

    void requireOpen() {
        if (!isOpen()) {
            throw new ClosedFileSystemException();
        }
    }

    @Override
    public MioProvider provider() {
        return provider;
    }

    /**
     * Closes a file system with a name and everything opened through it.
     *
     * @throws UnsupportedOperationException for the default one and for {@code mio:///}, as the
     *     platform's
     */
    @Override
    public void close() throws IOException {
        if (open == null) {
            throw new UnsupportedOperationException();
        }
        if (open.close()) {
            try {
                open.closeAll();
            } finally {
                ((MioFileSystemProvider) provider).closed(this);
            }
        }
    }

    @Override
    public boolean isOpen() {
        return open == null || open.isOpen();
    }

    @Override
    public boolean isReadOnly() {
        return inner.isReadOnly();
    }

    @Override
    public String getSeparator() {
        return inner.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        requireOpen();
        List<Path> roots = new ArrayList<>();
        for (Path root : inner.getRootDirectories()) {
            roots.add(new MioPath(this, root));
        }
        return Collections.unmodifiableList(roots);
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        requireOpen();
        return inner.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        requireOpen();
        return inner.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return new MioPath(this, inner.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        return new MioPathMatcher(inner.getPathMatcher(syntaxAndPattern));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        requireOpen();
        return inner.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
        requireOpen();
        return opened(new MioWatchService(this, inner.newWatchService()));
    }
}
