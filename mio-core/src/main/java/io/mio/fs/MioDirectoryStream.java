package io.mio.fs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.Iterator;

/** The platform's directory stream with wrapped entries. */
class MioDirectoryStream implements DirectoryStream<Path> {
    private final MioPath directory;
    private final DirectoryStream<Path> inner;

    MioDirectoryStream(MioPath directory, DirectoryStream<Path> inner) {
        this.directory = directory;
        this.inner = inner;
    }

    /** Wraps a stream over {@code directory}; a secure one where the platform's is. */
    static DirectoryStream<Path> of(MioPath directory, DirectoryStream<Path> inner) {
        if (inner instanceof SecureDirectoryStream) {
            return new MioSecureDirectoryStream(directory, (SecureDirectoryStream<Path>) inner);
        }
        return new MioDirectoryStream(directory, inner);
    }

    final MioPath directory() {
        return directory;
    }

    @Override
    public final Iterator<Path> iterator() {
        Iterator<Path> entries = inner.iterator();
        return new Iterator<Path>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Path next() {
                return directory.wrap(entries.next());
            }

            @Override
            public void remove() {
                entries.remove();
            }
        };
    }

    @Override
    public final void close() throws IOException {
        inner.close();
    }

    /** Passes wrapped entries to the program's filter. */
    static final class EntryFilter implements DirectoryStream.Filter<Path> {
        private final MioFileSystem fileSystem;
        private final DirectoryStream.Filter<? super Path> filter;

        EntryFilter(MioFileSystem fileSystem, DirectoryStream.Filter<? super Path> filter) {
            this.fileSystem = fileSystem;
            this.filter = filter;
        }

        @Override
        public boolean accept(Path entry) throws IOException {
            return filter.accept(new MioPath(fileSystem, entry));
        }
    }
}
