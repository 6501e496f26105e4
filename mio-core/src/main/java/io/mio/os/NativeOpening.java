package io.mio.os;

import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.channels.Channel;

/** Opens descriptors through the program's own descriptor, with the helper. */
final class NativeOpening {
    private static final String FILE_CHANNEL = "sun.nio.ch.FileChannelImpl";
    private static final String ASYNCHRONOUS = "sun.nio.ch.SimpleAsynchronousFileChannelImpl";

    private final NativeHelper helper;
    private final int fd;
    private final int oflags;
    private final OwnFile.Parts parts;

    private NativeOpening(NativeHelper helper, int fd, int oflags, OwnFile.Parts parts) {
        this.helper = helper;
        this.fd = fd;
        this.oflags = oflags;
        this.parts = parts;
    }

    /** The number of a platform channel's descriptor; -1 for any other class or kind of JDK. */
    static int descriptor(Channel channel) {
        Class<?> type = channel.getClass();
        if (type.getClassLoader() != null) {
            return -1;
        }
        if (type.getName().equals(FILE_CHANNEL)) {
            return NativeCalls.descriptor(channel, "fd");
        }
        return type.getName().equals(ASYNCHRONOUS) ? NativeCalls.descriptor(channel, "fdObj") : -1;
    }

    /** Key of the file of a descriptor, or null. */
    static FileKey key(int fd) {
        long[] identity = new long[NativeCalls.IDENTITY_NUMBERS];
        return NativeCalls.identity(fd, identity) < 0
                ? null
                : new FileKey(identity[NativeCalls.DEVICE], identity[NativeCalls.INODE]);
    }

    /**
     * Opens the descriptors and fills {@code parts}.
     *
     * @return false if the descriptor is not a file's; nothing is held then
     * @throws IOException if the file cannot be opened; nothing is held then
     */
    static boolean open(
            NativeHelper helper, int fd, int oflags, Backends.Wish wish, OwnFile.Parts parts)
            throws IOException {
        long[] identity = new long[NativeCalls.IDENTITY_NUMBERS];
        int result = NativeCalls.identity(fd, identity);
        if (result < 0) {
            throw NativeCalls.failure(-result);
        }
        if (identity[NativeCalls.HAS_BLOCKS] == 0) {
            return false;
        }
        FileKey key = new FileKey(identity[NativeCalls.DEVICE], identity[NativeCalls.INODE]);
        parts.shared = SharedFile.enter(key);
        try {
            new NativeOpening(helper, fd, oflags, parts)
                    .fill(wish, (int) identity[NativeCalls.PLACE]);
        } catch (IOException | RuntimeException | Error e) {
            parts.shared.leave();
            throw e;
        }
        return true;
    }

    private void fill(Backends.Wish wish, int place) throws IOException {
        int access = openBuffered();
        parts.readable = access != NativeCalls.WRITE;
        parts.writable = access != NativeCalls.READ;
        parts.remote = FileSystemTypes.isElsewhere(place);
        parts.uncached = wish.uncached();
        if (wish.direct() && !parts.shared.isBufferedOnly()) {
            openDirect(access, place);
        }
        boolean ring = !parts.remote && !parts.synced;
        parts.backend = BackendChoice.choose(wish.asynchronous(), ring, null, parts);
    }

    /** Returns the access of what it opened; it can also read where the system allows that. */
    private int openBuffered() throws IOException {
        if (!OpenFlags.writes(oflags)) {
            parts.buffered = buffered(NativeCalls.READ);
            return NativeCalls.READ;
        }
        try {
            parts.buffered = buffered(NativeCalls.READ_WRITE);
            return NativeCalls.READ_WRITE;
        } catch (Refused e) {
            if (OpenFlags.reads(oflags)) {
                throw e;
            }
            parts.buffered = buffered(NativeCalls.WRITE);
            return NativeCalls.WRITE;
        }
    }

    private Descriptor buffered(int access) throws IOException {
        return parts.shared.descriptor(
                access, false, false, () -> new NativeDescriptor(reopen(access)));
    }

    /**
     * Opens the file once more. Where that is refused, a copy of the program's descriptor serves if
     * it has this access, and no mode of its own.
     */
    private int reopen(int access) throws IOException {
        int opened = NativeCalls.reopen(fd, access, false);
        boolean refused =
                opened == -Errno.EACCES
                        || opened == -Errno.EPERM
                        || opened == -Errno.EROFS
                        || opened == -Errno.ENOENT
                        || opened == -Errno.ETXTBSY;
        int own = OpenFlags.reads(oflags) ? NativeCalls.READ : NativeCalls.WRITE;
        boolean plain = (oflags & (OpenFlags.APPEND | OpenFlags.DIRECT)) == 0;
        if (OpenFlags.reads(oflags) && OpenFlags.writes(oflags)) {
            own = NativeCalls.READ_WRITE;
        }
        if (refused && plain && own == access) {
            opened = NativeCalls.duplicate(fd);
        } else if (refused) {
            throw new Refused(NativeCalls.failure(-opened).getMessage());
        }
        if (opened < 0) {
            throw NativeCalls.failure(-opened);
        }
        return opened;
    }

    private void openDirect(int access, int place) {
        if (FileSystemTypes.isBuffered(place)) {
            parts.say(
                    place == NativeCalls.PLACE_MEMORY
                            ? "direct: the file system is in memory; buffered instead"
                            : "direct: the file system is another machine's or a program's;"
                                    + " buffered instead");
            return;
        }
        try {
            DirectLimits limits = helper.directLimits("/proc/self/fd/" + fd);
            if (limits.isTold() && limits.offsetAlignBytes() == 0) {
                parts.say("direct: the file takes no direct I/O; buffered instead");
                return;
            }
            Descriptor direct =
                    parts.shared.descriptor(access, true, false, () -> reopenDirect(access));
            if (limits.isTold()) {
                parts.limits(direct, limits.offsetAlignBytes(), limits.memAlignBytes());
                return;
            }
            int tried = Limits.tried(direct, parts.readable);
            if (tried == 0) {
                parts.say("direct: the file system refuses it; buffered instead");
            } else {
                parts.limits(direct, tried, tried);
            }
        } catch (IOException e) {
            parts.say("direct: " + e.getMessage() + "; buffered instead");
        }
    }

    private Descriptor reopenDirect(int access) throws IOException {
        int opened = NativeCalls.reopen(fd, access, true);
        if (opened < 0) {
            throw NativeCalls.failure(-opened);
        }
        return new NativeDescriptor(opened);
    }

    /** The system refuses this process an access. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }
}
