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
    /** The most entries of a directory that one process looks at. */
    private static final int LOOKED_AT_MAX = 64;

    /** Files are kept so long at least. */
    private static final Duration KEPT = Duration.ofHours(1);

    private static final int OWNER_MAY_WRITE = 0200;
    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,9})\\.jvm\\.live");

    /** A lambda would need more of the JVM than there is when it begins. */
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

    /** No error matters: what cannot be removed stays. */
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

    /** Without /proc nobody is gone. */
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
     * The time of a file that a process has mapped says little of its end. The first who finds the
     * process gone sets it, and leaves the file read-only as a sign that it did.
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
            // As in sweep.
        }
    }
}
