package io.mio.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files of {@code proc} and {@code sys} below a directory; new groups get files as from a kernel.
 */
final class FakeHost implements MemoryGroup.Directories {
    private static final String MOUNT = "sys/fs/cgroup";

    /** The groups that were made, in that order, also those that were removed. */
    final List<Path> made = new ArrayList<>();

    private final Path root;
    private final Set<Path> refused = new HashSet<>();
    private String limitName = "";
    private boolean entered = true;

    FakeHost(Path dir) throws IOException {
        root = Files.createDirectories(dir.resolve("root"));
        Files.createDirectories(root.resolve("proc/self"));
    }

    /** The mount point of version 1. */
    Path mount1() {
        return root.resolve(MOUNT).resolve("memory");
    }

    /** The mount point of version 2. */
    Path mount2() {
        return root.resolve(MOUNT);
    }

    /** Sets up version 1. Groups exist as far as the mount shows them; see {@link #group}. */
    void memoryVersion1(String group, String shown) throws IOException {
        limitName = "memory.limit_in_bytes";
        Files.createDirectories(mount1());
        write("proc/self/cgroup", "5:cpu:/\n" + group + "\n0::/\n");
        write(
                "proc/self/mountinfo",
                "30 23 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
                        + "36 30 0:33 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                        + "41 30 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
                        + "35 30 0:32 "
                        + shown
                        + " /sys/fs/cgroup/memory rw shared:5 - cgroup cgroup rw,memory\n");
    }

    void memoryVersion2(String group, String shown) throws IOException {
        limitName = "memory.max";
        Files.createDirectories(mount2());
        passOn(mount2(), "cpu memory pids");
        write("proc/self/cgroup", group + "\n");
        write(
                "proc/self/mountinfo",
                "30 23 0:27 "
                        + shown
                        + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
    }

    /** Makes a group below a mount, which passes no controllers on. */
    Path group(Path mount, String name) throws IOException {
        Path dir = Files.createDirectories(mount.resolve(name));
        passOn(dir, "");
        return dir;
    }

    void passOn(Path group, String controllers) throws IOException {
        Files.writeString(group.resolve("cgroup.subtree_control"), controllers + "\n");
    }

    void refuse(Path group) {
        refused.add(group);
    }

    /** From now on groups are made, but no process may enter them. */
    void refuseEntering() {
        entered = false;
    }

    void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    String read(String path) throws IOException {
        return Files.readString(root.resolve(path));
    }

    Path root() {
        return root;
    }

    PageCache.Host host(String dd) {
        return new PageCache.Host(root, dd, this);
    }

    @Override
    public void make(Path dir) throws IOException {
        if (refused.contains(dir.getParent())) {
            throw new AccessDeniedException(dir.toString());
        }
        Files.createDirectory(dir);
        Files.writeString(dir.resolve(limitName), "max");
        if (entered) {
            Files.writeString(dir.resolve("cgroup.procs"), "");
        } else {
            // A directory of that name cannot be opened as a file.
            Files.createDirectory(dir.resolve("cgroup.procs"));
        }
        made.add(dir);
    }

    @Override
    public void remove(Path dir) throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            files.sorted(Comparator.reverseOrder()).forEach(FakeHost::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
