package io.mio.fs;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Set;

/**
 * Tells which names get no layers, whatever the rules say: those on the kernel's own file systems,
 * and those of the files that the JVM and this library are made of, which may be opened while a
 * layer is being made. Also tells the names of devices, of which only block devices get layers.
 */
final class PassedThrough {
    private static final String DEVICES = "/dev";

    private static final String PROCESSES = "/proc";

    /** Shared memory is a file system like any other, only its name lies among the devices. */
    private static final String SHARED_MEMORY = "/dev/shm/";

    private static final String[] PREFIXES = prefixes();

    /** Types of the kernel's own mounts. Twin of {@code is_passed_place} in door_open.c. */
    private static final Set<String> PLACES =
            Set.of(
                    "proc",
                    "sysfs",
                    "debugfs",
                    "tracefs",
                    "securityfs",
                    "cgroup",
                    "cgroup2",
                    "bpf",
                    "efivarfs",
                    "mqueue");

    /** What a name may stand for. */
    enum Kind {
        FILE,
        DEVICE,

        /** No layers, but files of any file system are behind its links. */
        PROCESSES,
        PASSED
    }

    private PassedThrough() {}

    /** {@code FILE} also where a security manager hides the working directory. */
    static Kind of(Path inner) {
        String name;
        try {
            name = name(inner.toAbsolutePath());
        } catch (SecurityException e) {
            return Kind.FILE;
        }
        if (isIn(name, DEVICES) && !name.startsWith(SHARED_MEMORY)) {
            return Kind.DEVICE;
        }
        if (isIn(name, PROCESSES)) {
            return Kind.PROCESSES;
        }
        for (String prefix : PREFIXES) {
            if (prefix != null && isIn(name, prefix)) {
                return Kind.PASSED;
            }
        }
        return Kind.FILE;
    }

    /**
     * Whether the files on a mount of this type are the kernel's own. Asked for empty files where
     * the name does not tell: the kernel's own always look empty.
     */
    static boolean isPlace(String type) {
        return PLACES.contains(type);
    }

    private static boolean isIn(String name, String directory) {
        return name.startsWith(directory)
                && (name.length() == directory.length() || name.charAt(directory.length()) == '/');
    }

    /** The name without "." and "..". Few names have these, and this is asked at every open. */
    private static String name(Path absolute) {
        String name = absolute.toString();
        return name.contains("/.") ? absolute.normalize().toString() : name;
    }

    private static String[] prefixes() {
        return new String[] {"/sys", home(), library()};
    }

    private static String home() {
        try {
            return System.getProperty("java.home");
        } catch (SecurityException e) {
            return null;
        }
    }

    /** Path of the jar or directory of this class; null on the boot path: the JVM reads that. */
    private static String library() {
        try {
            CodeSource source = PassedThrough.class.getProtectionDomain().getCodeSource();
            String path =
                    source == null || source.getLocation() == null
                            ? null
                            : source.getLocation().toURI().getPath();
            return path != null && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        } catch (URISyntaxException | SecurityException e) {
            return null;
        }
    }
}
