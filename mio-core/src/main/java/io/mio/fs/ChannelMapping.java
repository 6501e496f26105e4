package io.mio.fs;

import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel.MapMode;

/** Mappings of a channel's file: the platform makes them, and the layers are told. */
final class ChannelMapping {
    private ChannelMapping() {}

    /**
     * Runs a mapping call. A call that will be refused goes straight to the platform, which says
     * so. But while the layers are closing, the platform's channel is still open and would map;
     * then this throws. The caller has made the checks that the platform makes before it looks
     * whether the channel is open.
     */
    static <T> T made(
            MioFileChannel channel, MapMode mode, long offset, long size, Layer.IoCall<T> call)
            throws IOException {
        boolean open = channel.isOpen();
        if (!open && channel.inner.isOpen()) {
            throw new ClosedChannelException();
        }
        boolean changes = mode == MapMode.READ_WRITE || isWriteSync(mode);
        boolean refused =
                !open
                        || offset < 0
                        || size < 0
                        || offset + size < 0
                        || !channel.readable
                        || (changes && !channel.writable);
        if (refused) {
            return call.call();
        }
        try {
            Bypass kind = changes ? Bypass.MAP_WRITE : Bypass.MAP_READ;
            return channel.layer.around(kind, offset, size, call);
        } catch (ClosedChannelException e) {
            throw channel.follow(e);
        }
    }

    /** Compares names: the constant's class lies in a module a JVM may lack (jdk.nio.mapmode). */
    private static boolean isWriteSync(MapMode mode) {
        return "READ_WRITE_SYNC".equals(mode.toString());
    }
}
