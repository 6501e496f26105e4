package io.mio.cli.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file or directory that was made here. It is identified by device and inode, not by its name:
 * what somebody else has put in its place is never removed. A file is held open, so that no other
 * file can get its inode number.
 */
final class MadeFile {
    private static final FileAttribute<Set<PosixFilePermission>> FOR_THE_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;

    /** Device and inode, which identify the file. */
    private final Object key;

    /** The open file; null for a directory. */
    private final FileChannel held;

    private MadeFile(Path path, Object key, FileChannel held) {
        this.path = path;
        this.key = key;
        this.held = held;
    }

    /**
     * Makes an empty file, mode 0600, where nothing exists: no file, and no link either.
     *
     * @throws IOException if something exists there, in words, or it cannot be made
     */
    static MadeFile create(Path path) throws IOException {
        Set<StandardOpenOption> anew =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(path, anew, FOR_THE_OWNER)) {
            return create(path, channel);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(
                    path + ": somebody else has made it meanwhile; it stays as it is", e);
        }
    }

    /** Holds the new file, or removes it if it cannot be held, for example without descriptors. */
    private static MadeFile create(Path path, FileChannel anew) throws IOException {
        MadeFile made = new MadeFile(path, attributes(path).fileKey(), null);
        boolean held = false;
        try {
            made = of(path);
            held = anew.size() == 0;
        } finally {
            if (!held) {
                if (anew.size() == 0) {
                    made.remove();
                } else if (made.held != null) {
                    made.held.close();
                }
            }
        }
        if (!held) {
            throw new IOException(path + ": somebody else writes to it; it stays");
        }
        return made;
    }

    /** Takes a file that has just been made, and holds it open. */
    static MadeFile of(Path path) throws IOException {
        // Opened for reading, as a program that is open for writing cannot be run.
        FileChannel held =
                FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        return new MadeFile(path, attributes(path).fileKey(), held);
    }

    /** Takes a directory that has just been made; it is removed only when it is empty. */
    static MadeFile ofDirectory(Path path) throws IOException {
        return new MadeFile(path, attributes(path).fileKey(), null);
    }

    Path path() {
        return path;
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Checks that the file is still there.
     *
     * @throws IOException if it is gone or something else is in its place
     */
    void check() throws IOException {
        Object there;
        try {
            there = attributes(path).fileKey();
        } catch (NoSuchFileException e) {
            throw new IOException(path + ": somebody else has removed it", e);
        }
        if (!key.equals(there)) {
            throw new IOException(path + ": somebody else has replaced it; it stays as it is");
        }
    }

    /**
     * Removes the file, if it is still there.
     *
     * @throws IOException if something else is in its place, which stays; or if it cannot be
     *     removed
     */
    void remove() throws IOException {
        try {
            attributes(path);
            check();
            Files.deleteIfExists(path);
        } catch (NoSuchFileException e) {
            // The file is gone already.
        } finally {
            if (held != null) {
                held.close();
            }
        }
    }
}
