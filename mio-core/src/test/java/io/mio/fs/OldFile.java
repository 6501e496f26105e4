package io.mio.fs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/** A file that was written a while ago, as nearly all are that programs read. */
final class OldFile {
    /** In this time {@code pf/auto} takes the write for not over yet, with a little more. */
    private static final Duration YOUNG = Duration.ofMillis(60);

    private OldFile() {}

    /** Comes back once the file is one. */
    static void await(Path path) throws IOException {
        Instant changed = ((FileTime) Files.getAttribute(path, "unix:ctime")).toInstant();
        while (Instant.now().isBefore(changed.plus(YOUNG))) {
            Thread.onSpinWait();
        }
    }
}
