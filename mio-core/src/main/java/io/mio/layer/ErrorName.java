package io.mio.layer;

import java.nio.file.FileSystemException;

/**
 * Names an error by its errno. The JDK passes an errno on only as the text of the C library, so
 * this class turns the usual texts back into names. Any other error is named by its exception's
 * class.
 */
public final class ErrorName {
    /** An error, numbered as Linux numbers it on all its usual architectures. */
    private record Known(String text, String name, int number) {}

    private static final Known[] ALL = {
        new Known("No space left on device", "ENOSPC", 28),
        new Known("Disk quota exceeded", "EDQUOT", 122),
        new Known("Input/output error", "EIO", 5),
        new Known("File too large", "EFBIG", 27),
        new Known("Invalid argument", "EINVAL", 22),
        new Known("Bad file descriptor", "EBADF", 9),
        new Known("Permission denied", "EACCES", 13),
        new Known("Operation not permitted", "EPERM", 1),
        new Known("Read-only file system", "EROFS", 30),
        new Known("Is a directory", "EISDIR", 21),
        new Known("Stale file handle", "ESTALE", 116),
        new Known("Resource temporarily unavailable", "EAGAIN", 11),
        new Known("Operation not supported", "EOPNOTSUPP", 95),
        new Known("Cannot allocate memory", "ENOMEM", 12),
        new Known("Too many open files in system", "ENFILE", 23),
        new Known("Too many open files", "EMFILE", 24),
        new Known("No such device", "ENODEV", 19),
        new Known("Connection timed out", "ETIMEDOUT", 110),
        new Known("Connection refused", "ECONNREFUSED", 111),
        new Known("Host is down", "EHOSTDOWN", 112),
        new Known("No route to host", "EHOSTUNREACH", 113),
    };

    private ErrorName() {}

    /**
     * Returns the errno's name, for example {@code ENOSPC}, or else that of the exception's class.
     */
    public static String of(Throwable why) {
        String message = message(why);
        if (message != null) {
            for (Known known : ALL) {
                if (message.contains(known.text())) {
                    return known.name();
                }
            }
        }
        return why.getClass().getSimpleName();
    }

    /** Returns the number of the errno of this name; 0 where it is not known. */
    public static int number(String name) {
        for (Known known : ALL) {
            if (known.name().equals(name)) {
                return known.number();
            }
        }
        return 0;
    }

    /** Returns the reason alone, without the names of files, which may be any text. */
    private static String message(Throwable why) {
        return why instanceof FileSystemException failure ? failure.getReason() : why.getMessage();
    }
}
