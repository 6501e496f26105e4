package io.mio.cli.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The memory a program can have here: that of the machine, or less where a control group of this
 * process limits it.
 *
 * @param bytes the smallest limit; {@link Long#MAX_VALUE} if none is known
 * @param what names the limit, for example {@code the machine's memory}
 */
public record MachineMemory(long bytes, String what) {

    /** Returns the memory for this process. */
    public static MachineMemory ofProcess() {
        return of(Path.of("/"));
    }

    /**
     * Returns the memory that the files below a root tell of.
     *
     * @param root directory that stands for {@code /}
     */
    static MachineMemory of(Path root) {
        MachineMemory least = new MachineMemory(Long.MAX_VALUE, "memory");
        for (String line : lines(root.resolve("proc/meminfo"))) {
            if (line.startsWith("MemTotal:")) {
                String kib = line.replaceAll("\\D", "");
                least = least.orLess(number(kib, 1024), "the machine's memory");
            }
        }
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            // Version 2 has one line 0::/path, version 1 one of 9:memory:/path.
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            boolean second = parts[1].isEmpty();
            if (second || List.of(parts[1].split(",")).contains("memory")) {
                Path tree = root.resolve(second ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
                String name = second ? "memory.max" : "memory.limit_in_bytes";
                least = least.orLess(groupLimit(tree, parts[2], name), "its control group's limit");
            }
        }
        return least;
    }

    /** Returns the smallest limit of a group and those around it. */
    private static OptionalLong groupLimit(Path tree, String group, String name) {
        OptionalLong least = OptionalLong.empty();
        Path inside = tree.resolve("." + group).normalize();
        for (Path at = inside; at != null && at.startsWith(tree); at = at.getParent()) {
            for (String line : lines(at.resolve(name))) {
                OptionalLong here = number(line.trim(), 1);
                if (here.isPresent() && here.getAsLong() < least.orElse(Long.MAX_VALUE)) {
                    least = here;
                }
            }
        }
        return least;
    }

    private MachineMemory orLess(OptionalLong limit, String name) {
        return limit.orElse(Long.MAX_VALUE) < bytes
                ? new MachineMemory(limit.getAsLong(), name)
                : this;
    }

    private static OptionalLong number(String digits, long factor) {
        try {
            long number = Long.parseLong(digits);
            return number > 0 && number < Long.MAX_VALUE / factor
                    ? OptionalLong.of(number * factor)
                    : OptionalLong.empty();
        } catch (NumberFormatException e) {
            // "max" is no limit.
            return OptionalLong.empty();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
