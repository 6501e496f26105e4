package io.mio.os;

import io.mio.layer.FileKey;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the kernel read a file ahead in large folios, by two opens of the file. All of the
 * program's opens of the file share them, and they serve nothing else. {@code os_folios.c} says how
 * it is done.
 */
final class FolioReads {
    /** Most opens of the program that have large folios at a time. */
    private static final int OPENS_MAX = 32;

    private static final AtomicInteger OPENS = new AtomicInteger();

    private final SharedFile shared;
    private final Descriptor one;
    private final Descriptor other;
    private boolean closed;

    private FolioReads(SharedFile shared, Descriptor one, Descriptor other) {
        this.shared = shared;
        this.one = one;
        this.other = other;
    }

    /**
     * Enters an open of the program.
     *
     * @return null where there is nothing to gain, or it cannot be had
     */
    static FolioReads of(Channel channel, int fd, FileKey key) {
        if (!NativeCalls.hasFolios(fd, key.device())) {
            return null;
        }
        if (OPENS.getAndIncrement() >= OPENS_MAX) {
            OPENS.getAndDecrement();
            return null;
        }
        SharedFile shared = SharedFile.enter(key);
        Descriptor one = null;
        Descriptor other = null;
        try {
            one = shared.descriptor(SharedFile.FOLIOS, false, false, () -> open(channel, fd));
            other = shared.descriptor(SharedFile.FOLIOS, true, false, () -> open(channel, fd));
        } catch (IOException e) {
            // Closing the first descriptor now would drop the process's locks on the file.
        }
        FolioReads reads = new FolioReads(shared, one, other);
        if (one == null) {
            reads.close();
            return null;
        }
        return reads;
    }

    private static Descriptor open(Channel channel, int fd) throws IOException {
        int opened = NativeCalls.openForFolios(fd);
        if (opened < 0) {
            throw NativeCalls.failure(-opened);
        }
        if (NativeOpening.descriptor(channel) != fd) {
            // An interrupt closed the channel: its number may have been another file's.
            NativeCalls.close(opened);
            throw new ClosedChannelException();
        }
        return new NativeDescriptor(opened);
    }

    /** Returns 0, or {@code -errno}: {@code EBUSY} if the kernel is to be told in the usual way. */
    int readAhead(long offset, long bytes) {
        synchronized (this) {
            if (closed || other == null || !shared.takeFolios()) {
                return -Errno.EBUSY;
            }
            // Keeps the descriptors open until they are given back.
            SharedFile.enter(shared.key());
        }
        try {
            long device = shared.key().device();
            return NativeCalls.readFoliosAhead(one.number(), other.number(), device, offset, bytes);
        } finally {
            shared.giveFolios();
            shared.leave();
        }
    }

    /** Ends the open. The last one of the file closes the descriptors. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            OPENS.getAndDecrement();
            shared.leave();
        }
    }
}
