package io.mio.fs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits until a file was written a while ago, as nearly all files are that programs read. */
public final class OldFile {
    /** So long, less a margin, {@code pf/auto} assumes that a write may still be going on. */
    private static final Duration YOUNG = Duration.ofMillis(60);

    /** The same for file systems that are not known to keep finer times. */
    private static final Duration COARSE = Duration.ofMillis(2100);

    private static final Set<String> FINE = Set.of("btrfs", "ext4", "tmpfs", "xfs");

    private OldFile() {}

    /** Returns once the file's last change is old enough. */
    public static void await(Path path) throws IOException {
        boolean fine = FINE.contains(Files.getFileStore(path).type());
        Instant changed = ((FileTime) Files.getAttribute(path, "unix:ctime")).toInstant();
        Instant old = changed.plus(fine ? YOUNG : COARSE);
        while (Instant.now().isBefore(old)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
