package io.mio.os;

import io.mio.layer.KernelCache;
import java.nio.channels.Channel;

/**
 * The kernel's cache of a file, by the program's own descriptor. A channel that is closed meanwhile
 * may have given its number to another file: then that one is read ahead of, or a byte of it read
 * at a place that has one, which changes nothing.
 */
final class NativeKernelCache implements KernelCache {
    private final int fd;
    private final long device;

    private NativeKernelCache(int fd, long device) {
        this.fd = fd;
        this.device = device;
    }

    /** Of a channel of the platform; {@link KernelCache#NONE} where nothing is gained by hints. */
    static KernelCache of(Channel channel) {
        int fd = NativeHelper.load().isAvailable() ? NativeOpening.descriptor(channel) : -1;
        long[] identity = new long[NativeCalls.IDENTITY_NUMBERS];
        if (fd < 0
                || NativeCalls.identity(fd, identity) < 0
                || identity[NativeCalls.HAS_BLOCKS] == 0
                || identity[NativeCalls.PLACE] != 0) {
            return NONE;
        }
        return new NativeKernelCache(fd, identity[NativeCalls.DEVICE]);
    }

    @Override
    public int has(long offset, long bytes) {
        return Math.max(UNKNOWN, NativeCalls.isCached(fd, offset, bytes));
    }

    @Override
    public boolean readAhead(long offset, long bytes) {
        return NativeCalls.readAhead(fd, offset, bytes) >= 0;
    }

    @Override
    public boolean nudge(long offset, long bytes) {
        return NativeCalls.nudge(fd, offset, bytes) != 0;
    }

    @Override
    public long reachBytes() {
        return NativeCalls.readAheadReach(device);
    }

    @Override
    public long roomBytes() {
        return NativeCalls.room();
    }
}
