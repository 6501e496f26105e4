package io.mio.counters;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes old counter files of killed JVMs. Twin of mio_live_place_sweep. */
final class CounterSweep {
    /** Most entries of a directory that one process looks at. */
    private static final int LOOKED_AT_MAX = 64;

    /** Least time that a file is kept. */
    private static final Duration KEPT = Duration.ofHours(1);

    private static final int OWNER_MAY_WRITE = 0200;
    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})\\.jvm\\.live");

    /** Accepts all. A lambda would need more of the JVM than there is while it starts. */
    private static final class Any implements DirectoryStream.Filter<Path> {
        @Override
        public boolean accept(Path entry) {
            return true;
        }
    }

    private final FileSystem platform;
    private final FileSystemProvider provider;
    private final long user;

    CounterSweep(FileSystem platform, long user) {
        this.platform = platform;
        this.provider = platform.provider();
        this.user = user;
    }

    /** Removes what can be removed. No error matters: the rest stays. */
    void sweep(Path directory) {
        try (DirectoryStream<Path> entries = provider.newDirectoryStream(directory, new Any())) {
            int lookedAt = 0;
            for (Path entry : entries) {
                if (++lookedAt > LOOKED_AT_MAX) {
                    break;
                }
                Matcher name = NAME.matcher(entry.getFileName().toString());
                if (name.matches() && isGone(name.group(1))) {
                    sweepFile(entry);
                }
            }
        } catch (IOException | RuntimeException e) {
            // Another process looks again.
        }
    }

    /** Whether the process is gone; throws without /proc, so that nothing is removed. */
    private boolean isGone(String pid) throws IOException {
        provider.checkAccess(platform.getPath("/proc/self"));
        try {
            provider.checkAccess(platform.getPath("/proc", pid));
            return false;
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    /**
     * Removes a file, or marks it. The time of a file that a process has mapped says little of the
     * end of the process. So the first that finds the process gone sets the time, and leaves the
     * file read-only as a sign of that.
     */
    private void sweepFile(Path file) {
        try {
            Map<String, Object> found =
                    provider.readAttributes(
                            file,
                            "unix:uid,mode,isRegularFile,lastModifiedTime",
                            LinkOption.NOFOLLOW_LINKS);
            Instant changed = ((FileTime) found.get("lastModifiedTime")).toInstant();
            if (!Boolean.TRUE.equals(found.get("isRegularFile"))
                    || ((Number) found.get("uid")).longValue() != user
                    || changed.isAfter(Instant.now().minus(KEPT))) {
                return;
            }
            if ((((Number) found.get("mode")).intValue() & OWNER_MAY_WRITE) == 0) {
                provider.deleteIfExists(file);
                return;
            }
            provider.setAttribute(
                    file,
                    "lastModifiedTime",
                    FileTime.from(Instant.now()),
                    LinkOption.NOFOLLOW_LINKS);
            provider.setAttribute(
                    file,
                    "posix:permissions",
                    PosixFilePermissions.fromString("r--------"),
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException | RuntimeException e) {
            // Another process looks again.
        }
    }
}
