package io.mio.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that are measured. Files that existed before are only read, and stay. The others are
 * made anew, never through a name that somebody else has made, and are removed at the end if they
 * are still the ones that were made. Not safe for several threads.
 */
final class BenchFiles {
    private static final String READING = "-i read,reread,random-read,backward,strided";

    private final List<Path> files;
    private final boolean existing;
    private final Map<Path, MadeFile> made = new HashMap<>();

    private BenchFiles(List<Path> files, boolean existing) {
        this.files = files;
        this.existing = existing;
    }

    /** Returns files in a directory that was made for them. */
    static BenchFiles in(Path dir, int count) {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(dir.resolve(count == 1 ? "bench.dat" : "bench." + i + ".dat"));
        }
        return new BenchFiles(files, false);
    }

    /**
     * Returns files of the caller, who knows what they are; also block devices. They may only be
     * read.
     */
    static BenchFiles given(List<Path> files) {
        return new BenchFiles(List.copyOf(files), true);
    }

    /**
     * Returns the names of all files.
     *
     * @param names one for each; or a single one, and the others get numbers behind it
     */
    static List<Path> paths(List<Path> names, int count) {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Path first = names.get(0).toAbsolutePath();
            files.add(
                    i < names.size()
                            ? names.get(i).toAbsolutePath()
                            : first.resolveSibling(first.getFileName() + "." + i));
        }
        return files;
    }

    /**
     * Returns files that the user has named.
     *
     * @param names as for {@link #paths}
     * @throws IllegalArgumentException if some exist and may not be used; the message says what to
     *     do
     */
    static BenchFiles named(List<Path> names, int count, boolean writing) {
        List<Path> files = paths(names, count);
        int there = 0;
        for (Path file : files) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                there++;
                checkExisting(file, writing);
            }
        }
        if (there != 0 && there != files.size()) {
            throw new IllegalArgumentException(
                    "of " + files.size() + " files " + there + " are there already; all or none");
        }
        FileNames.checkDifferent(files);
        return new BenchFiles(files, there != 0);
    }

    private static void checkExisting(Path file, boolean writing) {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + ": is a directory");
        }
        if (!Files.exists(file)) {
            throw new IllegalArgumentException(
                    file
                            + ": is a link that leads nowhere; name a file that is there, or a new"
                            + " one");
        }
        // A read of a pipe would wait, and reading a device may have any effect.
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    file + ": is a pipe, socket or device; name a regular file");
        }
        if (writing) {
            throw new IllegalArgumentException(
                    file
                            + ": is there already, and would be overwritten; name another file, or"
                            + " only tests that read: "
                            + READING);
        }
    }

    List<Path> files() {
        return files;
    }

    /** Returns whether the files existed before. */
    boolean isExisting() {
        return existing;
    }

    /**
     * Returns the first file, or the directory where it will be made: either tells what it lies on.
     */
    Path place() {
        return existing ? files.get(0) : files.get(0).getParent();
    }

    /**
     * Makes the files anew, empty.
     *
     * @throws IOException if somebody else has made one meanwhile, or put something in its place
     */
    void makeAnew() throws IOException {
        for (Path file : files) {
            MadeFile before = made.remove(file);
            if (before != null) {
                before.remove();
            }
            made.put(file, MadeFile.create(file));
        }
    }

    /**
     * Checks that the names still lead to what was made.
     *
     * @throws IOException if not
     */
    void check() throws IOException {
        for (Path file : files) {
            MadeFile own = made.get(file);
            if (own != null) {
                own.check();
            }
        }
    }

    /**
     * Removes what {@link #makeAnew} has made, as far as possible.
     *
     * @throws IOException if something is left, or is somebody else's
     */
    void remove() throws IOException {
        IOException failure = null;
        for (MadeFile own : made.values()) {
            try {
                own.remove();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        made.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
