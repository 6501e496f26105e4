package io.mio.cli.events;

import io.mio.events.Event;

/** Names of errors, by the numbers that Linux gives them on all its usual architectures. */
public final class ErrnoName {
    /** Name of a failure without a number. */
    private static final String UNKNOWN = "failed";

    private static final String[] NAMES =
            ("0 EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES"
                 + " EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE"
                 + " ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK"
                 + " ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP 41 ENOMSG EIDRM ECHRNG EL2NSYNC"
                 + " EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC"
                 + " EBADSLT 58 EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK"
                 + " EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD"
                 + " EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE"
                 + " EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT"
                 + " ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL"
                 + " ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN"
                 + " ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH"
                 + " EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT"
                 + " ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED"
                 + " EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON")
                    .split(" ");

    private ErrnoName() {}

    /**
     * Returns the name; {@code errno 200} where there is none, {@code failed} where nothing is
     * known.
     */
    public static String of(Event event) {
        int errno = event.errno();
        if (errno == 0) {
            return UNKNOWN;
        }
        return errno > 0 && errno < NAMES.length && NAMES[errno].charAt(0) == 'E'
                ? NAMES[errno]
                : "errno " + errno;
    }
}
