package io.mio.trace;

/**
 * Names an error for the counts by errno. The JDK hands errno on as the text of the C library only,
 * so the usual texts are turned back; anything else is named by its exception.
 */
final class ErrorName {
    private static final String[][] TEXTS = {
        {"No space left on device", "ENOSPC"},
        {"Disk quota exceeded", "EDQUOT"},
        {"Input/output error", "EIO"},
        {"File too large", "EFBIG"},
        {"Invalid argument", "EINVAL"},
        {"Bad file descriptor", "EBADF"},
        {"Permission denied", "EACCES"},
        {"Operation not permitted", "EPERM"},
        {"Read-only file system", "EROFS"},
        {"Is a directory", "EISDIR"},
        {"Stale file handle", "ESTALE"},
        {"Resource temporarily unavailable", "EAGAIN"},
        {"Operation not supported", "EOPNOTSUPP"},
        {"Cannot allocate memory", "ENOMEM"},
        {"No such device", "ENODEV"},
        {"Connection timed out", "ETIMEDOUT"},
    };

    private ErrorName() {}

    static String of(Throwable why) {
        String message = why.getMessage();
        if (message != null) {
            for (String[] pair : TEXTS) {
                if (message.contains(pair[0])) {
                    return pair[1];
                }
            }
        }
        return why.getClass().getSimpleName();
    }
}
