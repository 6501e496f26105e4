package io.mio.layer;

import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;

/**
 * Open flags as Linux numbers them on this architecture, made from Java's open options and shown by
 * name in reports. Flags that every open of the JVM has ({@code O_CLOEXEC}, {@code O_LARGEFILE})
 * are left out: the report shows what the program asked for.
 */
public final class OpenFlags {
    /** Opened for reading only. */
    public static final int RDONLY = 0;

    /** Opened for writing only. */
    public static final int WRONLY = 1;

    /** Opened for reading and writing. */
    public static final int RDWR = 2;

    /** Created if it does not exist. */
    public static final int CREAT = 0x40;

    /** With {@link #CREAT}: the file must not exist. */
    public static final int EXCL = 0x80;

    /** Cut to nothing at open. */
    public static final int TRUNC = 0x200;

    /** Every write goes to the end. */
    public static final int APPEND = 0x400;

    /** Every write reaches the device before it returns. */
    public static final int DSYNC = 0x1000;

    /** Every write reaches the device with all attributes before it returns. */
    public static final int SYNC = 0x101000;

    /** Direct I/O, past the kernel's page cache. */
    public static final int DIRECT = direct(System.getProperty("os.arch", ""));

    /** The last part of the name must not be a symbolic link. */
    public static final int NOFOLLOW = noFollow(System.getProperty("os.arch", ""));

    private static final int ACCESS = 3;

    private OpenFlags() {}

    /**
     * Returns the flags of an open. As in the platform's provider: without {@code READ} and {@code
     * WRITE}, {@code APPEND} decides; creating and truncating count only when writing; {@code
     * DELETE_ON_CLOSE} follows no link.
     */
    public static int of(Iterable<? extends OpenOption> options) {
        boolean read = false;
        boolean write = false;
        boolean deletes = false;
        int flags = 0;
        int whenWriting = 0;
        for (OpenOption option : options) {
            if (option == StandardOpenOption.READ) {
                read = true;
            } else if (option == StandardOpenOption.WRITE) {
                write = true;
            } else if (option == StandardOpenOption.APPEND) {
                whenWriting |= APPEND;
            } else if (option == StandardOpenOption.TRUNCATE_EXISTING) {
                whenWriting |= TRUNC;
            } else if (option == StandardOpenOption.CREATE) {
                whenWriting |= CREAT;
            } else if (option == StandardOpenOption.CREATE_NEW) {
                whenWriting |= CREAT | EXCL;
            } else if (option == StandardOpenOption.SYNC) {
                flags |= SYNC;
            } else if (option == StandardOpenOption.DSYNC) {
                flags |= DSYNC;
            } else if (option == StandardOpenOption.DELETE_ON_CLOSE) {
                deletes = true;
            } else if (option == LinkOption.NOFOLLOW_LINKS) {
                flags |= NOFOLLOW;
            } else if (isDirect(option)) {
                flags |= DIRECT;
            }
        }
        if (!read && !write) {
            write = (whenWriting & APPEND) != 0;
        }
        if (deletes) {
            flags |= NOFOLLOW;
        }
        if (write) {
            flags |= whenWriting;
            if ((whenWriting & EXCL) != 0) {
                flags &= ~NOFOLLOW;
            }
        }
        return flags | (write ? (read ? RDWR : WRONLY) : RDONLY);
    }

    /** True if a file opened with these flags can be read. */
    public static boolean reads(int oflags) {
        return (oflags & ACCESS) != WRONLY;
    }

    /** True if a file opened with these flags can be written. */
    public static boolean writes(int oflags) {
        return (oflags & ACCESS) != RDONLY;
    }

    /** The names, two blanks between, for example {@code RDWR CREAT TRUNC} (reference 4.2). */
    public static String names(int oflags) {
        StringBuilder names = new StringBuilder();
        int access = oflags & ACCESS;
        names.append(access == RDONLY ? "RDONLY" : access == WRONLY ? "WRONLY" : "RDWR");
        append(names, oflags, CREAT, "CREAT");
        append(names, oflags, EXCL, "EXCL");
        append(names, oflags, TRUNC, "TRUNC");
        append(names, oflags, APPEND, "APPEND");
        if ((oflags & SYNC) == SYNC) {
            names.append("  SYNC");
        } else {
            append(names, oflags, DSYNC, "DSYNC");
        }
        append(names, oflags, DIRECT, "DIRECT");
        append(names, oflags, NOFOLLOW, "NOFOLLOW");
        return names.toString();
    }

    private static void append(StringBuilder names, int oflags, int flag, String name) {
        if ((oflags & flag) == flag) {
            names.append("  ").append(name);
        }
    }

    /**
     * True for the option of direct I/O. Compared by name, because its class lies in a module
     * (jdk.unsupported) that a JVM may lack.
     */
    public static boolean isDirect(OpenOption option) {
        return option instanceof Enum<?> constant && constant.name().equals("DIRECT");
    }

    private static int direct(String architecture) {
        if (architecture.equals("aarch64") || architecture.startsWith("arm")) {
            return 0x10000;
        }
        return architecture.startsWith("ppc") ? 0x20000 : 0x4000;
    }

    private static int noFollow(String architecture) {
        boolean old =
                architecture.equals("aarch64")
                        || architecture.startsWith("arm")
                        || architecture.startsWith("ppc");
        return old ? 0x8000 : 0x20000;
    }
}
