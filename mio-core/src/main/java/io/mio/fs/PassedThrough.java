package io.mio.fs;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Set;

/**
 * Names that get no layers whatever the rules say: the kernel's own file systems, and the files the
 * JVM and this library are made of, which may be opened while a layer is being made. And names of
 * devices, of which only block devices get some.
 */
final class PassedThrough {
    private static final String DEVICES = "/dev";

    private static final String PROCESSES = "/proc";

    /** Shared memory is a file system like any other, under a name that is not. */
    private static final String SHARED_MEMORY = "/dev/shm/";

    private static final String[] PREFIXES = prefixes();

    /** Types of mounts. Twin of {@code is_passed_place} in door_open.c. */
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

    /** What a name may be of. */
    enum Kind {
        FILE,
        DEVICE,

        /** Passed, and files of any file system are behind its links. */
        PROCESSES,
        PASSED
    }

    private PassedThrough() {}

    /** {@code FILE} too where a security manager does not let the program know its directory. */
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
     * Whether files of such a file system, by the type that mounts tell, are the kernel's, where
     * the name does not tell. For empty ones: those always look so.
     */
    static boolean isPlace(String type) {
        return PLACES.contains(type);
    }

    private static boolean isIn(String name, String directory) {
        return name.startsWith(directory)
                && (name.length() == directory.length() || name.charAt(directory.length()) == '/');
    }

    /** Without "." and "..", which few names have: this is asked at every open. */
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

    /** Where this class came from, or null on the boot path, which the JVM reads by itself. */
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
