package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What page requests of one file need beside the program's own channel: descriptors of MIO's own,
 * buffered and direct, which no interrupt closes, and the backend that works on them. They are
 * opened through the program's descriptor, so the file is the same whatever happens to its name.
 * They are held until the last open of the file is closed, because closing any descriptor of a file
 * drops the process's locks on it.
 *
 * <p>Requests may be of any size and place: aligned parts go through the direct descriptor if the
 * file is open for direct I/O, the rest through the buffered one.
 */
public abstract class BackendFile {
    /** Key of the file. */
    public abstract FileKey key();

    /** Counts the descriptors this process has of the file, but for those of page requests. */
    public abstract Descriptors descriptors();

    /** True if aligned requests use direct I/O. */
    public abstract boolean isDirect();

    /** Offsets and lengths of direct requests are multiples of this, bytes; at least 512. */
    public abstract int alignmentBytes();

    /** False if the file could be opened for writing only. */
    public abstract boolean isReadable();

    /** Reads in the caller's thread until the buffer is full or the file ends; -1 at the end. */
    abstract int read(ByteBuffer dst, long offset) throws IOException;

    /** Writes the whole buffer in the caller's thread. */
    abstract int write(ByteBuffer src, long offset) throws IOException;

    /** Starts a request, which completes on a thread of the backend, or in this one. */
    abstract void submit(IoRequest request) throws IOException;

    /** Size as the kernel has it, bytes. */
    abstract long size() throws IOException;

    /** As {@link io.mio.layer.Layer#reserve}. */
    abstract boolean reserve(long offset, long bytes) throws IOException;

    /** Cuts the file to {@code size} bytes. */
    abstract void truncate(long size) throws IOException;

    /** Hands all bytes of the file to the device. */
    abstract void flush(boolean metadata) throws IOException;

    /** Makes all requests buffered from now on, because the file was mapped. */
    abstract void stopDirect();

    /** Ends this open; the last open of the file closes what is shared. */
    abstract void close() throws IOException;
}
