package io.mio.cli.demo;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Keeps the kernel's page cache from hiding the disk: by a limit of memory for the program, by
 * dropping the file's pages between two passes, or not at all where neither is allowed.
 */
public final class PageCache {
    /** File systems that have no disk. */
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

    /** Directory whose files outlive a restart, so that it is not in memory. */
    private static final Path ON_DISK = Path.of("/var/tmp");

    private static final long MIB = 1024 * 1024;

    /**
     * The least limit a JVM can live in: 64 MiB of heap, 100 MiB of pf's cache, and what a JVM has
     * beside its heap; the rest is page cache. Two records are added.
     */
    static final long LEAST_LIMIT_BYTES = 384 * MIB;

    /** The original's machine had 512 MB for a file 27 times as large. */
    private static final long FILE_PER_LIMIT = 27;

    /** If the limit is more than this part of the file, dropping the file's pages shows more. */
    private static final long LEAST_FILE_PER_LIMIT = 4;

    /** How the page cache is kept away. */
    enum Method {
        /** Each run in a memory cgroup of its own. */
        CGROUP,
        /** The file's pages are dropped by {@code dd}, between two passes. */
        DD,
        /** All the system's pages are dropped, between two passes. */
        DROP_CACHES,
        /** Nothing: the file system has no disk. */
        NO_DISK,
        /** Nothing: none of these is allowed or available. */
        NONE
    }

    /**
     * The machine, or another one in tests.
     *
     * @param root where {@code proc} and {@code sys} are
     * @param dd the program of that name
     */
    record Host(Path root, String dd, MemoryGroup.Directories directories) {
        private Path dropCaches() {
            return root.resolve("proc/sys/vm/drop_caches");
        }
    }

    private final Host host;
    private final Method method;
    private final long limitBytes;
    private final String reason;

    private PageCache(Host host, Method method, long limitBytes, String reason) {
        this.host = host;
        this.method = method;
        this.limitBytes = limitBytes;
        this.reason = reason;
    }

    /**
     * Finds out, by trying, what is allowed.
     *
     * @param dir where the file will be; a small file is made and deleted there
     * @throws IOException if no file can be made there
     */
    public static PageCache choose(Path dir, long fileBytes, long recordBytes)
            throws IOException, InterruptedException {
        Host host = new Host(Path.of("/"), "dd", new MemoryGroup.KernelDirectories());
        return choose(host, dir, fileSystem(dir), fileBytes, recordBytes);
    }

    static PageCache choose(
            Host host, Path dir, String fileSystem, long fileBytes, long recordBytes)
            throws IOException, InterruptedException {
        if (IN_MEMORY.contains(fileSystem)) {
            return new PageCache(host, Method.NO_DISK, 0, fileSystem);
        }
        long limit = limitBytes(fileBytes, recordBytes);
        String reason = "the file is too small for a limit of memory";
        if (fileBytes / LEAST_FILE_PER_LIMIT >= limit) {
            MemoryGroup group = MemoryGroup.open(host.root(), host.directories(), limit);
            if (group != null) {
                group.close();
                return new PageCache(host, Method.CGROUP, limit, "");
            }
            reason = "a memory cgroup is not allowed here";
        }
        Path probe = Files.createTempFile(dir, "probe", "");
        try {
            if (dd(host, probe) == 0) {
                return new PageCache(host, Method.DD, 0, reason);
            }
        } finally {
            Files.delete(probe);
        }
        boolean mayDrop = Files.isWritable(host.dropCaches());
        return new PageCache(host, mayDrop ? Method.DROP_CACHES : Method.NONE, 0, reason);
    }

    /** Returns the right limit for a file: a part of it, but enough for a JVM. */
    static long limitBytes(long fileBytes, long recordBytes) {
        return Math.max(LEAST_LIMIT_BYTES + 2 * recordBytes, fileBytes / FILE_PER_LIMIT);
    }

    /** Returns true if files in that directory are in memory, and no disk is involved. */
    public static boolean isInMemory(Path dir) throws IOException {
        return IN_MEMORY.contains(fileSystem(dir));
    }

    /** Returns the usual place of files: the system's temporary directory, or one on a disk. */
    public static Path usualDirectory() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            if (isInMemory(temporary) && Files.isWritable(ON_DISK) && !isInMemory(ON_DISK)) {
                return ON_DISK;
            }
        } catch (IOException e) {
            // The directory is looked at later, with a message.
        }
        return temporary;
    }

    private static String fileSystem(Path dir) throws IOException {
        return Files.getFileStore(dir).type();
    }

    Method method() {
        return method;
    }

    /** Returns the name of the method in JSON. */
    String name() {
        return method.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the bytes for the program and its part of the page cache together; 0 without a limit.
     */
    long limitBytes() {
        return limitBytes;
    }

    /** Returns true if {@link #drop} has something to do between two passes. */
    boolean isDropping() {
        return method == Method.DD || method == Method.DROP_CACHES;
    }

    /**
     * Makes a group for one run.
     *
     * @return null if the method is another one
     * @throws IOException if none can be made any more
     */
    MemoryGroup openGroup() throws IOException, InterruptedException {
        if (method != Method.CGROUP) {
            return null;
        }
        MemoryGroup group = MemoryGroup.open(host.root(), host.directories(), limitBytes);
        if (group == null) {
            throw new IOException("no memory cgroup can be made any more");
        }
        return group;
    }

    /**
     * Writes the file's pages to the disk and drops them from memory.
     *
     * @throws IOException if that fails
     */
    void drop(Path file) throws IOException, InterruptedException {
        if (method == Method.DD) {
            int status = dd(host, file);
            if (status != 0) {
                throw new IOException("dd could not drop the file's pages: status " + status);
            }
        } else if (method == Method.DROP_CACHES) {
            // Pages that are not on the disk yet would not be dropped.
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.writeString(host.dropCaches(), "1", StandardOpenOption.WRITE);
        }
    }

    /**
     * Runs dd, which copies nothing into the file; its flags flush and drop the pages. Returns
     * another status than 0 if dd has no such flags.
     */
    private static int dd(Host host, Path file) throws InterruptedException {
        List<String> command =
                List.of(
                        host.dd(),
                        "if=/dev/null",
                        "of=" + file,
                        "oflag=nocache",
                        "conv=notrunc,fdatasync",
                        "count=0");
        try {
            return Quiet.run(command);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns what is done, and why nothing better. */
    public String sentence() {
        return switch (method) {
            case CGROUP ->
                    "each run is in a memory cgroup of "
                            + limitBytes / MIB
                            + " MiB, for the program and its page cache";
            case DD ->
                    "the file's pages are dropped between the passes, by dd oflag=nocache ("
                            + reason
                            + ")";
            case DROP_CACHES ->
                    "all of it is dropped between the passes, by /proc/sys/vm/drop_caches ("
                            + reason
                            + ", no dd with oflag=nocache)";
            case NO_DISK ->
                    "left as it is: the file is on "
                            + reason
                            + ", in memory; take another --dir to see a disk";
            case NONE ->
                    "left as it is, so reads may come from memory ("
                            + reason
                            + ", no dd with oflag=nocache, no root)";
        };
    }
}
