package io.mio.os;

import io.mio.layer.KernelCache;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;

/**
 * The kernel's cache of a file, by the program's own descriptor. A channel that is closed meanwhile
 * may have given its number to another file: then that one is read ahead of, or a byte of it read
 * at a place that has one, which changes nothing.
 */
final class NativeKernelCache implements KernelCache {
    /** Shorter ranges are told as any other, bytes. */
    private static final long FOLIOS_LEAST = 256 << 10;

    private final Channel channel;
    private final int oflags;
    private final int fd;
    private final long reach;

    /** What large folios are read ahead by, or null. */
    private OwnFile folios;

    /** Whether there can be one is known. */
    private boolean askedFolios;

    private NativeKernelCache(Channel channel, int oflags, int fd, long device) {
        this.channel = channel;
        this.oflags = oflags;
        this.fd = fd;
        this.reach = NativeCalls.readAheadReach(device);
    }

    /** Of a channel of the platform; {@link KernelCache#NONE} where nothing is gained by hints. */
    static KernelCache of(Channel channel, int oflags) {
        int fd = NativeHelper.load().isAvailable() ? NativeOpening.descriptor(channel) : -1;
        long[] identity = new long[NativeCalls.IDENTITY_NUMBERS];
        if (fd < 0
                || NativeCalls.identity(fd, identity) < 0
                || identity[NativeCalls.HAS_BLOCKS] == 0
                || identity[NativeCalls.PLACE] != 0) {
            return NONE;
        }
        return new NativeKernelCache(channel, oflags, fd, identity[NativeCalls.DEVICE]);
    }

    @Override
    public int has(long offset, long bytes) {
        return Math.max(UNKNOWN, NativeCalls.isCached(fd, offset, bytes));
    }

    @Override
    public boolean readAhead(long offset, long bytes) {
        OwnFile by = bytes >= FOLIOS_LEAST ? folios() : null;
        if (by != null) {
            try {
                return by.readFoliosAhead(fd, offset, bytes, reach) >= 0;
            } catch (ClosedChannelException e) {
                return false;
            }
        }
        return NativeCalls.readAhead(fd, offset, bytes) >= 0;
    }

    @Override
    public boolean hasFolios() {
        return folios() != null;
    }

    /** Opened when it is first asked for. */
    private synchronized OwnFile folios() {
        if (!askedFolios) {
            askedFolios = true;
            if (reach > 0 && NativeCalls.hasFolios(fd)) {
                Backends.Wish wish = new Backends.Wish(false, false, false);
                folios = Backends.reopen(channel, "", oflags, wish, line -> {});
            }
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
    public long reachBytes() {
        return reach;
    }

    @Override
    public long roomBytes() {
        return NativeCalls.room();
    }
}
