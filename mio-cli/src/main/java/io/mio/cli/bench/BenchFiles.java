package io.mio.cli.bench;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files that are measured. Those that were there before are only read, and stay; the others are
 * made anew, never through a name that somebody else has made, and removed at the end.
 */
final class BenchFiles {
    private static final FileAttribute<Set<PosixFilePermission>> FOR_THE_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final List<Path> files;
    private final boolean existing;

    private BenchFiles(List<Path> files, boolean existing) {
        this.files = files;
        this.existing = existing;
    }

    /** In a directory that was made for them. */
    static BenchFiles in(Path dir, int count) {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(dir.resolve(count == 1 ? "bench.dat" : "bench." + i + ".dat"));
        }
        return new BenchFiles(files, false);
    }

    /**
     * Files that the user has named.
     *
     * @param names one for each; or a single one, and the others get numbers behind it
     * @throws IllegalArgumentException if some are there and may not be used; the message says what
     *     to do
     */
    static BenchFiles named(List<Path> names, int count, boolean writing) {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(
                    i < names.size()
                            ? names.get(i).toAbsolutePath()
                            : names.get(0)
                                    .toAbsolutePath()
                                    .resolveSibling(names.get(0).getFileName() + "." + i));
        }
        int there = 0;
        for (Path file : files) {
            boolean exists = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            there += exists ? 1 : 0;
            if (exists && writing) {
                throw new IllegalArgumentException(
                        file
                                + ": is there already, and would be overwritten; name another file,"
                                + " or only tests that read: -i read,reread,random-read,backward,"
                                + "strided");
            }
            if (exists && Files.isDirectory(file)) {
                throw new IllegalArgumentException(file + ": is a directory");
            }
        }
        if (there != 0 && there != files.size()) {
            throw new IllegalArgumentException(
                    "of " + files.size() + " files " + there + " are there already; all or none");
        }
        return new BenchFiles(files, there != 0);
    }

    List<Path> files() {
        return files;
    }

    /** Whether they were there before. */
    boolean isExisting() {
        return existing;
    }

    /**
     * Makes them anew, empty.
     *
     * @throws IOException if somebody else has made one meanwhile
     */
    void makeAnew() throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
            try {
                Files.createFile(file, FOR_THE_OWNER);
            } catch (FileAlreadyExistsException e) {
                throw new IOException(file + ": somebody else has made it meanwhile", e);
            }
        }
    }

    /** Removes what {@link #makeAnew} has made. */
    void remove() throws IOException {
        if (!existing) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }
}
