package io.mio.counters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;

/**
 * The place of the counter file, and its space. A directory that others may write to, or could have
 * put there, is not used. Everything is done by the machine's own file system, past the layers.
 */
final class CounterPlace {
    private static final int OTHERS_MAY_WRITE = 0022;

    private final FileSystem platform;
    private final FileSystemProvider provider;

    /** The directory that the setting names, or null. */
    private final String chosen;

    private Path path;

    private CounterPlace(FileSystem platform, String chosen) {
        this.platform = platform;
        this.provider = platform.provider();
        this.chosen = chosen;
    }

    /** Returns the place that the setting names; null if it wants none. */
    static CounterPlace of(FileSystem platform, String setting) {
        return switch (trimmed(setting)) {
            case "off", "false", "0", "no" -> null;
            case "", "on", "true", "1", "yes" -> new CounterPlace(platform, null);
            default -> new CounterPlace(platform, setting);
        };
    }

    /** Removes blanks and tabs, as the C class does. */
    private static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Makes the empty file of a process; its native door may have one, too. */
    FileChannel create(long pid) throws IOException {
        String name = pid + ".jvm.live";
        if (chosen != null) {
            return create(platform.getPath(chosen).toAbsolutePath(), name);
        }
        long user = ProcFacts.user();
        FileChannel made;
        try {
            made = create(platform.getPath("/dev/shm/mio-" + user), name);
        } catch (IOException e) {
            made = create(platform.getPath("/tmp/mio-" + user), name);
        }
        new CounterSweep(platform, user).sweep(path.getParent());
        return made;
    }

    private FileChannel create(Path directory, String name) throws IOException {
        try {
            provider.createDirectory(directory, mode("rwx------"));
        } catch (FileAlreadyExistsException there) {
            // It is checked next, as if it were MIO's own.
        }
        Map<String, Object> found =
                provider.readAttributes(
                        directory, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
        boolean isOurs =
                Boolean.TRUE.equals(found.get("isDirectory"))
                        && ((Number) found.get("uid")).longValue() == ProcFacts.user()
                        && (((Number) found.get("mode")).intValue() & OTHERS_MAY_WRITE) == 0;
        if (!isOurs) {
            throw new FileSystemException(directory.toString(), null, "not this user's alone");
        }
        path = directory.resolve(name);
        try {
            return create();
        } catch (FileAlreadyExistsException ofAnEarlierProcess) {
            provider.deleteIfExists(path);
            return create();
        }
    }

    private FileChannel create() throws IOException {
        Set<OpenOption> options =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        return provider.newFileChannel(path, options, mode("rw-------"));
    }

    private static FileAttribute<?> mode(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Opens the file again to make it longer; fails if it is not so many bytes long now. */
    FileChannel reopen(long bytes) throws IOException {
        FileChannel channel =
                provider.newFileChannel(
                        path,
                        Set.of(
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS));
        if (channel.size() != bytes) {
            channel.close();
            throw new FileSystemException(path.toString(), null, "another file by now");
        }
        return channel;
    }

    /**
     * Writes zeros at the end of the file, so that their pages exist. Touching a page can then not
     * fail for lack of space, which would be an error anywhere in the program.
     */
    static void lengthen(FileChannel channel, long from, int bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(CounterLayout.RECORD_BYTES);
        for (long at = from; at < from + bytes; ) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), from + bytes - at));
            at += channel.write(zeros, at);
        }
    }

    void remove() {
        try {
            if (path != null) {
                provider.deleteIfExists(path);
            }
        } catch (IOException | RuntimeException e) {
            // Readers see that the process is gone.
        }
    }
}
