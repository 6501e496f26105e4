package io.mio.os;

import io.mio.layer.FileKey;
import io.mio.layer.KernelCache;
import io.mio.layer.NoKernelCache;
import java.nio.channels.Channel;

/**
 * The kernel's cache of a file, asked through the program's own descriptor. If the channel is
 * closed meanwhile, its number may belong to another file: then that file is read ahead, or a byte
 * that it has is read, which changes nothing. Large folios are read ahead through opens of their
 * own.
 */
final class NativeKernelCache implements KernelCache {
    private final Channel channel;
    private final int fd;
    private final FileKey key;

    /** The opens for large folios; null if there are none, or nobody has asked yet. */
    private FolioReads folios;

    private boolean askedFolios;

    private NativeKernelCache(Channel channel, int fd, FileKey key) {
        this.channel = channel;
        this.fd = fd;
        this.key = key;
    }

    /** The cache of a platform channel's file; {@link NoKernelCache} where hints gain nothing. */
    static KernelCache of(Channel channel) {
        NativeHelper helper = NativeHelper.load();
        if (!helper.isAvailable()) {
            return new NoKernelCache("MIO's helper library is not there: " + helper.whyNot());
        }
        int fd = NativeOpening.descriptor(channel);
        long[] identity = new long[NativeCalls.IDENTITY_NUMBERS];
        if (fd < 0
                || NativeCalls.identity(fd, identity) < 0
                || identity[NativeCalls.HAS_BLOCKS] == 0
                || identity[NativeCalls.PLACE] != 0) {
            return NoKernelCache.PLAIN;
        }
        FileKey key = new FileKey(identity[NativeCalls.DEVICE], identity[NativeCalls.INODE]);
        return new NativeKernelCache(channel, fd, key);
    }

    @Override
    public int has(long offset, long bytes) {
        return Math.max(UNKNOWN, NativeCalls.isCached(fd, offset, bytes));
    }

    @Override
    public boolean sees(long offset) {
        return has(offset, 1) != 0;
    }

    @Override
    public boolean readAhead(long offset, long bytes) {
        return NativeCalls.readAhead(fd, key.device(), offset, bytes) >= 0;
    }

    @Override
    public boolean readFoliosAhead(long offset, long bytes) {
        FolioReads by = folios();
        int result = by == null ? -Errno.EBUSY : by.readAhead(offset, bytes);
        return result == -Errno.EBUSY ? readAhead(offset, bytes) : result >= 0;
    }

    @Override
    public boolean hasFolios() {
        return folios() != null;
    }

    /** Returns the opens for large folios, made when first asked for; null if there are none. */
    private synchronized FolioReads folios() {
        if (!askedFolios) {
            askedFolios = true;
            folios = FolioReads.of(channel, fd, key);
        }
        return folios;
    }

    @Override
    public synchronized void close() {
        askedFolios = true;
        if (folios != null) {
            folios.close();
        }
    }

    @Override
    public boolean nudge(long offset, long bytes) {
        return NativeCalls.nudge(fd, offset, bytes) != 0;
    }

    @Override
    public long changedNanos() {
        return NativeCalls.changedNanos(fd);
    }

    @Override
    public long callNanos(long offset) {
        return NativeCalls.callNanos(fd, offset);
    }

    @Override
    public long reachBytes() {
        return NativeCalls.readAheadReach(key.device());
    }

    @Override
    public long roomBytes() {
        return NativeCalls.room();
    }
}
