package io.mio.os;

/** Error numbers that are treated apart, as Linux numbers them where the helper is built. */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int ETXTBSY = 26;
    static final int ENOSPC = 28;
    static final int EROFS = 30;
    static final int EOPNOTSUPP = 95;
    static final int EDQUOT = 122;
    static final int ECANCELED = 125;

    private Errno() {}

    /** True if there are too few descriptors or too little memory now, which may change. */
    static boolean isLacking(int errno) {
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    }

    /**
     * What a ring's result means. {@code EAGAIN} also for a lack of room: a ring asks the file
     * system not to wait, and one that counts room in steps (btrfs with a quota) may find none
     * then, though there is some.
     */
    static int ofRing(int result) {
        return result == -ENOSPC || result == -EDQUOT || result == -ENOMEM ? -EAGAIN : result;
    }

    /** True if the same call may succeed at once. */
    static boolean isPassing(int errno) {
        return errno == EINTR || errno == EAGAIN || errno == ECANCELED;
    }
}
