package io.mio.fs.fork;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A memory cgroup with a limit, for a process of a test; of version 1 or 2, as the machine has it.
 */
final class MemoryGroup implements AutoCloseable {
    private final Path directory;
    private final boolean isFirst;

    private MemoryGroup(Path directory, boolean isFirst) {
        this.directory = directory;
        this.isFirst = isFirst;
    }

    /** Makes a group; empty if this process may not make one. */
    static Optional<MemoryGroup> make(long limitBytes) throws IOException {
        List<MemoryGroup> places = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            // The mount point and, after " - ", type and options of the file system.
            String[] words = line.split(" ");
            List<String> type =
                    Arrays.asList(words)
                            .subList(line.split(" - ")[0].split(" ").length + 1, words.length);
            boolean first =
                    type.get(0).equals("cgroup") && type.get(2).matches("(.*,)?memory(,.*)?");
            if (first || type.get(0).equals("cgroup2")) {
                Path mount = Path.of(words[4]);
                String name = "mio-test-" + ProcessHandle.current().pid();
                if (first) {
                    places.add(new MemoryGroup(mount.resolve(own()).resolve(name), true));
                }
                places.add(new MemoryGroup(mount.resolve(name), first));
            }
        }
        return places.stream().filter(group -> group.begin(limitBytes)).findFirst();
    }

    /** The group of this process, relative to the mount point. */
    private static String own() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts[1].equals("memory")) {
                return parts[2].substring(1);
            }
        }
        return "";
    }

    private boolean begin(long limitBytes) {
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            return false;
        }
        try {
            Path limit = directory.resolve(isFirst ? "memory.limit_in_bytes" : "memory.max");
            Files.writeString(limit, Long.toString(limitBytes));
            return true;
        } catch (IOException e) {
            directory.toFile().delete();
            return false;
        }
    }

    /** The start of a shell command, by which the shell, and what it runs, is in the group. */
    String enter() {
        return "echo $$ >'" + directory.resolve("cgroup.procs") + "' && ";
    }

    /** The most memory that the group's processes used at a time, in bytes. */
    long mostUsed() throws IOException {
        return number(isFirst ? "memory.max_usage_in_bytes" : "memory.peak");
    }

    private long number(String file) throws IOException {
        return Long.parseLong(Files.readString(directory.resolve(file)).trim());
    }

    /** The number of processes that were killed because there was no memory. */
    long killed() throws IOException {
        for (String line :
                Files.readAllLines(
                        directory.resolve(isFirst ? "memory.oom_control" : "memory.events"))) {
            if (line.startsWith("oom_kill ")) {
                return Long.parseLong(line.substring("oom_kill ".length()));
            }
        }
        return 0;
    }

    /** Removes the group, whose processes must have ended. */
    @Override
    public void close() throws IOException {
        Files.delete(directory);
    }
}
