package io.mio.pf;

import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.Layer.IoCall;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;

/**
 * A call that brings bytes into a file past its pages ({@link Bypass#TRANSFER_IN}), and may take as
 * long as the giver of the bytes likes. Meanwhile writes go to the kernel at once: a sector that
 * became dirty would later be written over those bytes, with bytes from before.
 */
final class IncomingTransfer {
    private IncomingTransfer() {}

    /** Runs the call that brings the bytes. */
    static <T> T around(CachedFile file, Layer next, long offset, long length, IoCall<T> call)
            throws IOException {
        file.use().incoming(1);
        try {
            if (file.isCached()) {
                Bypassed.writeAlone(file);
            }
            T result;
            try {
                result = next.around(Bypass.TRANSFER_IN, offset, length, call);
            } catch (IOException | RuntimeException | Error e) {
                // The call may have brought some bytes before it failed.
                broughtBefore(e, file, next);
                throw e;
            }
            brought(file, next);
            return result;
        } finally {
            file.use().incoming(-1);
        }
    }

    private static void broughtBefore(Throwable failure, CachedFile file, Layer next) {
        try {
            brought(file, next);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Notes that the file may have other bytes and be longer. Nothing is dirty, and with the gate
     * held alone nobody cuts the file, nor gives it pages.
     */
    private static void brought(CachedFile file, Layer next) throws IOException {
        // Asking for the size would close a channel that an interrupt has left open.
        boolean interrupted = Thread.interrupted();
        long stamp = file.gate().alone();
        try {
            Bypassed.forget(file);
            Bypassed.resize(file, next);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (ClosedChannelException e) {
            // Another thread closed the channel after the transfer. Other opens write by the size
            // that they know.
            PageCache cache = file.cache();
            PfLayer other = cache == null ? null : Bypassed.anyOpen(file, cache);
            if (other != null) {
                Bypassed.resize(file, other.next());
            }
        } finally {
            file.gate().leave(stamp);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
