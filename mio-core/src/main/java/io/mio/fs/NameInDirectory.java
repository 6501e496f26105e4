package io.mio.fs;

import io.mio.layer.FileKey;
import java.io.IOException;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;

/**
 * A file by its name in an open directory. If the directory was renamed since, its path leads
 * nowhere, or to another file of that name; only the directory itself tells.
 */
final class NameInDirectory extends FileName {
    private static final String DEVICE = "(dev=";
    private static final String INODE = ",ino=";

    private final SecureDirectoryStream<Path> directory;
    private final Path name;

    /**
     * A name in a directory that the platform's stream has open.
     *
     * @param path where the name was when the directory was opened
     * @param name as the directory is asked for it
     */
    NameInDirectory(SecureDirectoryStream<Path> directory, Path path, Path name) {
        super(path);
        this.directory = directory;
        this.name = name;
    }

    Path name() {
        return name;
    }

    /** Looks in the directory; if the path leads to the same file, by the path: that tells more. */
    @Override
    FileFacts facts(LinkOption... options) {
        FileFacts here = inDirectory(options);
        FileFacts there = here == null ? null : FileFacts.of(path(), options);
        return there != null && there.key().equals(here.key()) ? there : here;
    }

    @Override
    boolean leadsTo(FileKey key) {
        return key != null && key.equals(FileFacts.key(path()));
    }

    private FileFacts inDirectory(LinkOption... options) {
        PosixFileAttributeView view =
                directory.getFileAttributeView(name, PosixFileAttributeView.class, options);
        try {
            PosixFileAttributes found = view == null ? null : view.readAttributes();
            FileKey key = found == null ? null : key(found.fileKey());
            return key == null
                    ? null
                    : new FileFacts(mode(found), found.size(), key.device(), key.inode(), -1);
        } catch (IOException | ClosedDirectoryStreamException e) {
            return null;
        }
    }

    /** Parses the platform's text, {@code (dev=fd01,ino=1234)}; null if it has another form. */
    private static FileKey key(Object told) {
        String words = String.valueOf(told);
        int comma = words.indexOf(INODE);
        if (!words.startsWith(DEVICE) || comma < 0 || !words.endsWith(")")) {
            return null;
        }
        try {
            return new FileKey(
                    Long.parseUnsignedLong(words, DEVICE.length(), comma, 16),
                    Long.parseLong(words, comma + INODE.length(), words.length() - 1, 10));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static int mode(PosixFileAttributes found) {
        int mode = found.isRegularFile() ? FileFacts.TYPE_REGULAR : 0;
        for (PosixFilePermission each : found.permissions()) {
            mode |= 0400 >> each.ordinal();
        }
        return mode;
    }
}
