package io.mio.fs;

import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Transfers between channels. The kernel's fast paths are open only to the platform's own channels,
 * so both ends are unwrapped. The end whose position counts has it set and moved here. A transfer
 * that the platform would refuse goes straight to it, because the order of its checks differs from
 * release to release.
 */
final class ChannelTransfer {
    private ChannelTransfer() {}

    /** As {@code source.transferTo(offset, count, target)}; the source is open. */
    static long to(MioFileChannel source, long offset, long count, WritableByteChannel target)
            throws IOException {
        if (!target.isOpen()) {
            throw new ClosedChannelException();
        }
        MioFileChannel end = target instanceof MioFileChannel mio ? mio : null;
        WritableByteChannel platform = end == null ? target : end.inner;
        Layer.IoCall<Long> call = () -> source.inner.transferTo(offset, count, platform);
        boolean taken = end == null || end.writable;
        if (offset < 0 || count < 0 || !source.readable || !taken) {
            return refused(source, call);
        }
        try {
            if (end == null) {
                return source.layer.around(Bypass.TRANSFER_OUT, offset, count, call);
            }
            end.positionLock.lock();
            try {
                long at = end.append ? Layer.APPEND : end.position;
                Layer.IoCall<Long> placed = () -> placed(end, at, call);
                Layer.IoCall<Long> arrival =
                        () -> end.layer.around(Bypass.TRANSFER_IN, at, count, placed);
                long bytes = source.layer.around(Bypass.TRANSFER_OUT, offset, count, arrival);
                end.position += bytes;
                return bytes;
            } finally {
                end.positionLock.unlock();
            }
        } catch (ClosedChannelException e) {
            throw follow(e, source, end);
        }
    }

    /** As {@code target.transferFrom(source, offset, count)}; the target is open. */
    static long from(MioFileChannel target, ReadableByteChannel source, long offset, long count)
            throws IOException {
        if (!source.isOpen()) {
            throw new ClosedChannelException();
        }
        MioFileChannel end = source instanceof MioFileChannel mio ? mio : null;
        ReadableByteChannel platform = end == null ? source : end.inner;
        Layer.IoCall<Long> call = () -> target.inner.transferFrom(platform, offset, count);
        boolean given = end == null || end.readable;
        if (offset < 0 || count < 0 || !target.writable || !given) {
            return refused(target, call);
        }
        try {
            if (end == null) {
                return target.layer.around(Bypass.TRANSFER_IN, offset, count, call);
            }
            end.positionLock.lock();
            try {
                long at = end.position;
                Layer.IoCall<Long> placed = () -> placed(end, at, call);
                Layer.IoCall<Long> arrival =
                        () -> target.layer.around(Bypass.TRANSFER_IN, offset, count, placed);
                long bytes = end.layer.around(Bypass.TRANSFER_OUT, at, count, arrival);
                end.position += bytes;
                return bytes;
            } finally {
                end.positionLock.unlock();
            }
        } catch (ClosedChannelException e) {
            throw follow(e, target, end);
        }
    }

    /**
     * Runs the call with the other end's position set to {@code at}. For an interrupted thread
     * nothing is set: that would close the other end, and which end an interrupt closes differs
     * from release to release.
     */
    private static Long placed(MioFileChannel end, long at, Layer.IoCall<Long> call)
            throws IOException {
        return Thread.currentThread().isInterrupted() ? call.call() : end.file.positioned(at, call);
    }

    /** Lets the platform refuse. Its answer may depend on the size, so the kernel must know it. */
    private static long refused(MioFileChannel channel, Layer.IoCall<Long> call)
            throws IOException {
        boolean asks = channel.writable && !Thread.currentThread().isInterrupted();
        if (asks && channel.layer.size() != channel.inner.size()) {
            channel.layer.flush(false);
        }
        return call.call();
    }

    /**
     * Closes those ends whose channel below was closed, which may be either. An interrupt that came
     * while the other end was placed has closed that one alone; then both are closed.
     */
    private static ClosedChannelException follow(
            ClosedChannelException e, MioFileChannel channel, MioFileChannel other) {
        channel.followInner(e);
        if (other != null) {
            other.followInner(e);
            if (e instanceof ClosedByInterruptException) {
                channel.closeAfter(e);
            }
        }
        return e;
    }
}
