package io.mio.stats;

import io.mio.layer.ErrorName;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One output file of reports: a path, {@code stdout} or {@code stderr}; a leading {@code +} keeps
 * what is there (reference 2.4). Shared by everything in the process that writes to the same path.
 *
 * <p>Each entry is one write at the end of the file, so that several processes may share it. Files
 * are created 0600, and never reached through a symbolic link in a directory others may write to
 * (design section 10). A file that cannot be written causes one warning on stderr; the program runs
 * on. If only a descriptor is missing, the entry waits for the next one.
 *
 * <p>The platform's own output stream is used because it ignores interrupts: a report asked for by
 * an interrupted thread is not lost.
 */
final class StatsFile {
    static final String SEPARATOR = "=".repeat(76) + "\n";

    // From stat(2).
    private static final int FORMAT = 0170000;
    private static final int FIFO = 0010000;

    /** Errors of a process, or a machine, that has too much in use just now. */
    private static final Set<String> PASSING = Set.of("EMFILE", "ENFILE", "ENOMEM");

    private static final int KEPT_CHARACTERS = 64 * 1024;

    private static final Map<String, StatsFile> FILES = new LinkedHashMap<>();

    private final FileSystem platform;
    private final String path;
    private final boolean append;
    private final boolean json;
    private final StringBuilder kept = new StringBuilder();

    /** Header that goes before the kept text if nothing was written yet. */
    private Supplier<String> keptHeader;

    private OutputStream out;
    private boolean common;

    /** Whether the file was made by this object. */
    private boolean created;

    private volatile boolean begun;
    private boolean failed;

    /** Whether the last write may have ended in the middle of a line. */
    private boolean torn;

    private StatsFile(FileSystem platform, String path, boolean append) {
        this.platform = platform;
        this.path = path;
        this.append = append;
        this.json = path.endsWith(".jsonl");
    }

    /** Returns the file of this name; {@code platform} is the file system of the machine itself. */
    static StatsFile of(FileSystem platform, String text) {
        String name = text.trim();
        boolean append = name.startsWith("+");
        String path = ProcessFacts.expand(append ? name.substring(1) : name);
        InvalidPathException noName = null;
        if (!path.equals("stdout") && !path.equals("stderr")) {
            try {
                path = platform.getPath(path).toAbsolutePath().normalize().toString();
            } catch (InvalidPathException e) {
                noName = e;
            }
        }
        synchronized (FILES) {
            StatsFile file = FILES.get(path);
            if (file == null) {
                file = new StatsFile(platform, path, append);
                FILES.put(path, file);
                if (noName != null) {
                    file.fail(noName);
                }
            }
            return file;
        }
    }

    /** Path of the written file of MIO_STATS, or else of another file that was written; or null. */
    static String written() {
        String path = null;
        synchronized (FILES) {
            for (StatsFile file : FILES.values()) {
                boolean stream = file.path.equals("stdout") || file.path.equals("stderr");
                if (file.begun && !stream && (path == null || file.common)) {
                    path = file.path;
                }
            }
        }
        return path;
    }

    /** Marks this file as that of MIO_STATS. */
    StatsFile common() {
        synchronized (FILES) {
            common = true;
        }
        return this;
    }

    /** True if this file gets one JSON object per line instead of text. */
    boolean isJson() {
        return json;
    }

    /**
     * Writes one entry.
     *
     * @param header what goes first if nothing was written yet
     * @param opening true for the debug lines of an open, which belong to the opening part
     */
    synchronized void write(Supplier<String> header, boolean opening, String entry) {
        try {
            put(header, opening, entry);
        } catch (IOException | RuntimeException e) {
            // The program has opened all the files it may, and will close some.
            if (PASSING.contains(ErrorName.of(e))) {
                keep(header, entry);
            } else {
                fail(e);
            }
        }
    }

    /** Writes one entry, or keeps it for the next call if that cannot be done now. */
    synchronized void note(Supplier<String> header, String entry) {
        try {
            put(header, false, entry);
        } catch (IOException | RuntimeException e) {
            keep(header, entry);
        }
    }

    private void keep(Supplier<String> header, String entry) {
        if (kept.length() + entry.length() <= KEPT_CHARACTERS) {
            kept.append(entry);
            keptHeader = header;
        }
    }

    /**
     * Writes what was kept when the process ends, because no entry may follow. If that fails, too,
     * the warning says so.
     */
    static void writeKept() {
        List<StatsFile> files;
        synchronized (FILES) {
            files = new ArrayList<>(FILES.values());
        }
        for (StatsFile file : files) {
            synchronized (file) {
                if (file.kept.length() > 0) {
                    file.writeKeptNow();
                }
            }
        }
    }

    private void writeKeptNow() {
        try {
            put(keptHeader, false, "");
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    private void put(Supplier<String> header, boolean opening, String entry) throws IOException {
        if (failed) {
            return;
        }
        StringBuilder text = new StringBuilder(entry.length() + 1024);
        if (!begun) {
            text.append(header.get());
            if (!json && !opening) {
                text.append(SEPARATOR);
            }
        }
        text.append(kept).append(entry);
        if (out == null) {
            out = open();
        }
        if (torn) {
            text.insert(0, '\n');
        }
        torn = true;
        try {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            takeBackIfEmpty();
            throw e;
        }
        torn = false;
        begun = true;
        kept.setLength(0);
    }

    /** Removes a file that was made here and that nothing could be written to. */
    private void takeBackIfEmpty() {
        if (!created) {
            return;
        }
        try {
            Path file = platform.getPath(path);
            if (platform.provider().readAttributes(file, "size").containsValue(0L)) {
                out.close();
                out = null;
                torn = false;
                created = false;
                platform.provider().delete(file);
            }
        } catch (IOException | RuntimeException e) {
            // The file stays, or is gone already.
        }
    }

    private OutputStream open() throws IOException {
        if (path.equals("stdout")) {
            return new FileOutputStream(FileDescriptor.out);
        }
        if (path.equals("stderr")) {
            return new FileOutputStream(FileDescriptor.err);
        }
        Path file = platform.getPath(path);
        FileSystemProvider provider = platform.provider();
        FileAttribute<?> mode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try {
            provider.newByteChannel(
                            file,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            mode)
                    .close();
            created = true;
        } catch (FileAlreadyExistsException e) {
            refuseStrangers(file);
            if (!append && provider.readAttributes(file, "isRegularFile").containsValue(true)) {
                provider.newByteChannel(file, options(file, StandardOpenOption.TRUNCATE_EXISTING))
                        .close();
            }
        }
        // While a pipe is open for reading, too, its open for writing does not wait for a reader.
        Closeable reader = isPipe(file) ? readable(file) : () -> {};
        try {
            return provider.newOutputStream(
                    file, options(file, StandardOpenOption.APPEND).toArray(new OpenOption[0]));
        } finally {
            reader.close();
        }
    }

    private static boolean isPipe(Path file) throws IOException {
        Object mode = file.getFileSystem().provider().readAttributes(file, "unix:mode").get("mode");
        return ((int) mode & FORMAT) == FIFO;
    }

    /** Opens the pipe for reading; if that is not allowed, the open for writing may wait. */
    private static Closeable readable(Path file) throws IOException {
        Set<OpenOption> options = options(file, StandardOpenOption.READ);
        try {
            return file.getFileSystem().provider().newByteChannel(file, options);
        } catch (AccessDeniedException e) {
            return () -> {};
        }
    }

    /** Refuses a stranger's file where everybody may put one: its owner could read the reports. */
    private static void refuseStrangers(Path file) throws IOException {
        Path directory = file.getParent();
        if (directory == null
                || !permissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
            return;
        }
        FileSystemProvider provider = file.getFileSystem().provider();
        Map<String, Object> found =
                provider.readAttributes(file, "unix:uid,isRegularFile", LinkOption.NOFOLLOW_LINKS);
        Path self = file.getFileSystem().getPath("/proc/self");
        Object own = provider.readAttributes(self, "unix:uid").get("uid");
        if (found.get("isRegularFile").equals(true) && !found.get("uid").equals(own)) {
            throw new FileSystemException(file.toString(), null, "it is another user's");
        }
    }

    private static Set<PosixFilePermission> permissions(Path directory) throws IOException {
        return directory
                .getFileSystem()
                .provider()
                .getFileAttributeView(directory, PosixFileAttributeView.class)
                .readAttributes()
                .permissions();
    }

    private static Set<OpenOption> options(Path file, OpenOption how) throws IOException {
        Set<OpenOption> options = new HashSet<>();
        options.add(StandardOpenOption.WRITE);
        options.add(how);
        Path directory = file.getParent();
        if (directory == null) {
            throw new FileSystemException(file.toString(), null, "Is a directory");
        }
        Set<PosixFilePermission> permissions = permissions(directory);
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            options.add(LinkOption.NOFOLLOW_LINKS);
        }
        return options;
    }

    private synchronized void fail(Exception e) {
        failed = true;
        kept.setLength(0);
        HostLine.write(
                "cannot write statistics to "
                        + LineText.of(path + ": " + e)
                        + "; the program runs on without them (set MIO_STATS to a file that can be"
                        + " written, or to stderr)");
    }
}
