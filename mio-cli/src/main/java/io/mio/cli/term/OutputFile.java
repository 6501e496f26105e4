package io.mio.cli.term;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that a command writes. It is made beside its place, with mode 0600, and moved there at the
 * end: a command that fails, or is ended, leaves the old file as it was. A symbolic link is not
 * followed; devices and pipes are written as they stand.
 */
public final class OutputFile implements Closeable {
    /** The content of the file. */
    public interface Content {
        /** Writes the content; the stream is buffered and stays open. */
        void write(OutputStream out) throws IOException;
    }

    private static final String SUFFIX = ".part";
    private static final int BUFFER = 1 << 16;

    private final Path place;

    /** The file that is being written; null where {@link #place} is written itself. */
    private final Path part;

    private final FileChannel channel;
    private final Thread cleaner;

    private OutputFile(Path place, Path part, FileChannel channel) {
        this.place = place;
        this.part = part;
        this.channel = channel;
        this.cleaner = part == null ? null : new Thread(() -> delete(part));
        if (cleaner != null) {
            Runtime.getRuntime().addShutdownHook(cleaner);
        }
    }

    /**
     * Begins the file.
     *
     * @throws CliException if it cannot be made
     */
    public static OutputFile create(Path place) {
        Path absolute = place.toAbsolutePath();
        try {
            BasicFileAttributes there = attributes(absolute);
            if (there != null && there.isSymbolicLink()) {
                throw new CliException(
                        place
                                + ": is a symbolic link, which is not written through; name the"
                                + " file");
            }
            if (there != null && there.isDirectory()) {
                throw new CliException(place + ": is a directory; name a file");
            }
            if (there != null && there.isOther()) {
                return new OutputFile(
                        absolute, null, FileChannel.open(absolute, StandardOpenOption.WRITE));
            }
            // Such files are made with mode 0600.
            Path part = Files.createTempFile(absolute.getParent(), ".mio-", SUFFIX);
            return new OutputFile(
                    absolute,
                    part,
                    FileChannel.open(part, StandardOpenOption.READ, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new CliException(place + ": cannot be written: " + reason(e));
        }
    }

    /**
     * Makes or replaces a file, from its beginning to its end.
     *
     * @throws CliException if it cannot be made, in one line that names it
     */
    public static void write(Path place, Content content) {
        try (OutputFile file = create(place)) {
            OutputStream out = file.stream();
            content.write(out);
            out.flush();
            file.commit();
        } catch (IOException e) {
            throw new CliException(place + ": cannot be written: " + reason(e));
        }
    }

    /** Returns whether both are the same file, by whatever name; false if one does not exist. */
    public static boolean isSame(Path output, String input) {
        try {
            return Files.isSameFile(output, Path.of(input));
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    /** Returns the attributes of a file, or of a link itself; null where no file exists. */
    private static BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Returns the reason in words, without the name. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return NoName.isNotThere(missing.getFile());
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileSystemException failure && failure.getReason() != null) {
            return failure.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Returns the stream to write to; closing it closes nothing but the stream. */
    public OutputStream stream() {
        return new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
    }

    /**
     * Returns the channel, for a file that is not written from its beginning to its end. Not for
     * devices and pipes.
     */
    public FileChannel channel() {
        return channel;
    }

    /** Returns false for devices and pipes. */
    public boolean isFile() {
        return part != null;
    }

    /**
     * Puts the complete file in its place.
     *
     * @throws IOException if it could not be written, in which case the place is as it was
     */
    public void commit() throws IOException {
        channel.close();
        if (part != null) {
            Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
            forget();
        }
    }

    /** Gives up a file that was not committed. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
        }
        if (part != null && delete(part)) {
            forget();
        }
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(cleaner);
        } catch (IllegalStateException e) {
            // The program is just ending, and the hook finds nothing to delete.
        }
    }

    private static boolean delete(Path part) {
        try {
            return Files.deleteIfExists(part);
        } catch (IOException e) {
            // Nothing depends on the file, and its name tells what it is.
            return false;
        }
    }
}
