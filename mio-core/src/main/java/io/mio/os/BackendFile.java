package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What page requests of one file need beside the program's own channel: descriptors of MIO's own,
 * buffered and direct, which no interrupt closes, and the backend that works on them. Opened
 * through the program's descriptor, so that it is the same file whatever happens to its name; held
 * until the last open of the file is closed, because closing any descriptor of a file drops the
 * process's locks on it.
 *
 * <p>Requests may be of any size and place: aligned parts go through the direct descriptor if the
 * file is open for direct I/O, the rest through the buffered one.
 */
public abstract class BackendFile {
    /** What the file is known by. */
    public abstract FileKey key();

    /** The descriptors this process has of it, without those that page requests go through. */
    public abstract Descriptors descriptors();

    /** True if aligned requests use direct I/O. */
    public abstract boolean isDirect();

    /** Offsets and lengths of direct requests are multiples of this, bytes; at least 512. */
    public abstract int alignmentBytes();

    /** False if the file could be opened for writing only. */
    public abstract boolean isReadable();

    /** Reads in the caller's thread until the buffer is full or the file ends; -1 at the end. */
    abstract int read(ByteBuffer dst, long offset) throws IOException;

    /** Writes all of it in the caller's thread. */
    abstract int write(ByteBuffer src, long offset) throws IOException;

    /** Starts a request; it completes on a thread of the backend, or here. */
    abstract void submit(IoRequest request) throws IOException;

    /** Size as the kernel has it, bytes. */
    abstract long size() throws IOException;

    /** As {@link io.mio.layer.Layer#reserve}. */
    abstract boolean reserve(long offset, long bytes) throws IOException;

    /** Cuts the file. */
    abstract void truncate(long size) throws IOException;

    /** Hands all bytes of the file to the device. */
    abstract void flush(boolean metadata) throws IOException;

    /** From now on all requests are buffered: the file was mapped. */
    abstract void stopDirect();

    /** This open is done; what is shared is closed with the last one. */
    abstract void close() throws IOException;
}
