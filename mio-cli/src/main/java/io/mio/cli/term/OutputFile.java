package io.mio.cli.term;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that a command makes: written beside the place it is meant for and renamed when it is
 * whole, so that a run that fails leaves what was there. Nobody but the user may read it. Symbolic
 * links are refused, devices and pipes are written to as they are.
 */
public final class OutputFile {
    /** What is in the file. */
    public interface Content {
        /** Writes it; the stream is buffered and stays open. */
        void write(OutputStream out) throws IOException;
    }

    private OutputFile() {}

    /**
     * Makes or replaces a file.
     *
     * @throws CliException if it cannot be made, in one line that names it
     */
    public static void write(Path file, Content content) {
        try {
            if (Files.isSymbolicLink(file)) {
                throw new CliException(file + ": is a symbolic link; name the file itself");
            }
            if (Files.isDirectory(file)) {
                throw new CliException(file + ": is a directory; name a file in it");
            }
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file)) {
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                    content.write(out);
                }
                return;
            }
            replace(file, content);
        } catch (IOException e) {
            throw new CliException(file + ": " + reason(e));
        }
    }

    private static void replace(Path file, Content content) throws IOException {
        Path beside =
                Files.createTempFile(
                        file.toAbsolutePath().getParent(),
                        ".mio-",
                        ".part",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(beside))) {
                content.write(out);
            }
            Files.move(
                    beside,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such directory";
        }
        if (e instanceof FileSystemException failure && failure.getReason() != null) {
            return failure.getReason();
        }
        return e instanceof FileSystemException
                ? "cannot be made there (" + e.getClass().getSimpleName() + ")"
                : e.getMessage();
    }
}
