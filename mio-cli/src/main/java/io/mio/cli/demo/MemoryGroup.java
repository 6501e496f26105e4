package io.mio.cli.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A memory cgroup made for one process. It limits what the process and its part of the page cache
 * may hold together. It is made below the group of this process, or the nearest one above it that
 * allows one, so that existing limits keep their force. Supports both versions of cgroups.
 *
 * <p>Root may make one, and so may others where the system has delegated a group to them.
 */
public final class MemoryGroup implements AutoCloseable {
    private static final String JOIN = "echo $$ > \"$0\" && exec \"$@\"";

    /** Most tries: the kernel may need a moment to forget a process that was waited for. */
    private static final int REMOVE_TRIES = 200;

    private static final long REMOVE_WAIT_MILLIS = 10;

    private final Directories directories;
    private final Path dir;

    private MemoryGroup(Directories directories, Path dir) {
        this.directories = directories;
        this.dir = dir;
    }

    /** Makes and removes groups; tests use one that fills the directories as the kernel does. */
    interface Directories {
        void make(Path dir) throws IOException;

        void remove(Path dir) throws IOException;
    }

    /** Plain directories: in a cgroup file system the kernel does the rest. */
    static final class KernelDirectories implements Directories {
        @Override
        public void make(Path dir) throws IOException {
            Files.createDirectory(dir);
        }

        @Override
        public void remove(Path dir) throws IOException {
            Files.delete(dir);
        }
    }

    /**
     * The place of the cgroups that limit memory.
     *
     * @param mount directory of the file system
     * @param own directory of this process's group, the mount or below it
     */
    private record Hierarchy(boolean version1, Path mount, Path own) {}

    /**
     * Makes a group on this machine and tries whether a process can enter it.
     *
     * @param limitBytes for processes and their part of the page cache together
     * @return null if none is allowed here
     */
    public static MemoryGroup open(long limitBytes) throws InterruptedException {
        return open("mio-demo", limitBytes);
    }

    /**
     * Makes a group for another command.
     *
     * @param command begins the name of the group, for example {@code mio-bench}
     * @return as {@link #open(long)}
     */
    public static MemoryGroup open(String command, long limitBytes) throws InterruptedException {
        return open(Path.of("/"), new KernelDirectories(), command, limitBytes);
    }

    /**
     * Makes a group and tries whether a process can enter it.
     *
     * @param root {@code /}, or another directory in tests
     * @return null if none is allowed here
     */
    static MemoryGroup open(Path root, Directories directories, long limitBytes)
            throws InterruptedException {
        return open(root, directories, "mio-demo", limitBytes);
    }

    static MemoryGroup open(Path root, Directories directories, String command, long limitBytes)
            throws InterruptedException {
        Hierarchy hierarchy;
        try {
            hierarchy = find(root);
        } catch (IOException e) {
            return null;
        }
        if (hierarchy == null) {
            return null;
        }
        String name =
                command
                        + "-"
                        + ProcessHandle.current().pid()
                        + "-"
                        + Long.toHexString(System.nanoTime());
        Path parent = hierarchy.own();
        while (parent != null && parent.startsWith(hierarchy.mount())) {
            MemoryGroup group = new MemoryGroup(directories, parent.resolve(name));
            if (group.make(hierarchy.version1(), limitBytes)) {
                return group;
            }
            parent = parent.getParent();
        }
        return null;
    }

    private boolean make(boolean version1, long limitBytes) throws InterruptedException {
        try {
            if (!version1 && !passesMemoryOn(dir.resolveSibling("cgroup.subtree_control"))) {
                return false;
            }
            directories.make(dir);
        } catch (IOException e) {
            return false;
        }
        boolean made = false;
        try {
            Path limit = dir.resolve(version1 ? "memory.limit_in_bytes" : "memory.max");
            Files.writeString(limit, Long.toString(limitBytes), StandardOpenOption.WRITE);
            made = Quiet.run(wrap(List.of("true"))) == 0;
        } catch (IOException e) {
            // This group is of no use; the caller tries the next one above.
        } finally {
            if (!made) {
                closeQuietly();
            }
        }
        return made;
    }

    /** Tells, for version 2, whether the groups below can have a limit of memory. */
    private static boolean passesMemoryOn(Path subtreeControl) throws IOException {
        return Arrays.asList(Files.readString(subtreeControl).trim().split(" ")).contains("memory");
    }

    private static Hierarchy find(Path root) throws IOException {
        List<String> groups = Files.readAllLines(root.resolve("proc/self/cgroup"));
        Hierarchy second = null;
        for (String line : Files.readAllLines(root.resolve("proc/self/mountinfo"))) {
            // For example 35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            String[] halves = line.split(" - ", 2);
            String[] mount = halves[0].split(" ");
            String[] type = halves.length < 2 ? new String[0] : halves[1].split(" ");
            if (mount.length < 5 || type.length < 3) {
                continue;
            }
            boolean version1 = "cgroup".equals(type[0]) && lists(type[2], "memory");
            if (version1 || "cgroup2".equals(type[0])) {
                String path = pathOf(groups, version1);
                Path mountDir = root.resolve(mount[4].substring(1));
                Hierarchy found = new Hierarchy(version1, mountDir, own(mountDir, mount[3], path));
                if (version1) {
                    return found;
                }
                second = found;
            }
        }
        return second;
    }

    /**
     * Returns the path of the group. Lines are {@code 4:memory:/path}, in version 2 {@code
     * 0::/path}.
     */
    private static String pathOf(List<String> groups, boolean version1) {
        for (String line : groups) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && (version1 ? lists(parts[1], "memory") : parts[1].isEmpty())) {
                return parts[2];
            }
        }
        return "/";
    }

    /**
     * Returns the directory of this process's group. In a container the mount shows only the part
     * of the tree below {@code shown}.
     */
    private static Path own(Path mount, String shown, String path) {
        String below = path;
        if (!"/".equals(shown)) {
            below = (path + "/").startsWith(shown + "/") ? path.substring(shown.length()) : "";
        }
        Path own = mount.resolve(below.replaceFirst("^/+", "")).normalize();
        return own.startsWith(mount) && Files.isDirectory(own) ? own : mount;
    }

    private static boolean lists(String names, String name) {
        return Arrays.asList(names.split(",")).contains(name);
    }

    /** Returns a command that enters the group and becomes the command given. */
    public List<String> wrap(List<String> command) {
        List<String> wrapped = new ArrayList<>();
        wrapped.add("sh");
        wrapped.add("-c");
        wrapped.add(JOIN);
        wrapped.add(dir + File.separator + "cgroup.procs");
        wrapped.addAll(command);
        return wrapped;
    }

    Path directory() {
        return dir;
    }

    /**
     * Removes the group; its processes must have ended.
     *
     * @throws IOException if it cannot be removed
     */
    @Override
    public void close() throws IOException {
        boolean interrupted = false;
        try {
            for (int tries = 1; ; tries++) {
                try {
                    directories.remove(dir);
                    return;
                } catch (FileSystemException e) {
                    if (tries == REMOVE_TRIES) {
                        throw e;
                    }
                }
                try {
                    Thread.sleep(REMOVE_WAIT_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // An empty group with this process's name is left, which does no harm.
        }
    }
}
