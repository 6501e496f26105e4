package io.mio.fs;

import io.mio.layer.FileKey;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** What a file is opened and looked at by: a path of the platform's. */
class FileName {
    private final Path path;

    FileName(Path path) {
        this.path = path;
    }

    /** The path that rules and messages know it by. */
    final Path path() {
        return path;
    }

    /** What a look at the file tells now; null as from {@link FileFacts#of}. */
    FileFacts facts(LinkOption... options) {
        return FileFacts.of(path, options);
    }

    /** What it is known by, or null. */
    final FileKey key(LinkOption... options) {
        FileFacts facts = facts(options);
        return facts == null ? null : facts.key();
    }

    /** Whether the path leads to the file that was opened, which is known by {@code key}. */
    boolean leadsTo(FileKey key) {
        return true;
    }
}
