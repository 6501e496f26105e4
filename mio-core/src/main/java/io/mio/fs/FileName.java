package io.mio.fs;

import io.mio.layer.FileKey;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The name by which a file is opened and looked at: a path of the platform's. */
class FileName {
    private final Path path;

    FileName(Path path) {
        this.path = path;
    }

    /** The path that rules match and messages show. */
    final Path path() {
        return path;
    }

    /** Looks at the file now; null as from {@link FileFacts#of}. */
    FileFacts facts(LinkOption... options) {
        return FileFacts.of(path, options);
    }

    /** Key of the file now, or null. */
    final FileKey key(LinkOption... options) {
        FileFacts facts = facts(options);
        return facts == null ? null : facts.key();
    }

    /** Whether the path leads to the file that was opened, whose key is {@code key}. */
    boolean leadsTo(FileKey key) {
        return true;
    }
}
