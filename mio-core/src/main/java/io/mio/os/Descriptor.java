package io.mio.os;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One descriptor of MIO's own on a file, buffered or direct. Calls are positional, and no interrupt
 * ends them. {@link OwnFile} guards against use after {@link #close}, this class does not.
 */
abstract class Descriptor {
    /** The system's number of the descriptor, for rings, or -1. */
    abstract int number();

    /**
     * Reads {@code length} bytes from {@code offset} in the file into a direct buffer, at index
     * {@code at}. After a short count it continues only at multiples of {@code alignBytes}.
     *
     * @param flags 0 or {@link NativeCalls#DONTCACHE}
     * @return bytes, 0 at the end, or {@code -errno} where it is known
     */
    abstract int read(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags)
            throws IOException;

    /** Writes in the same way as {@link #read} reads. */
    abstract int write(
            ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags)
            throws IOException;

    /** Size of the file, bytes. */
    abstract long size() throws IOException;

    abstract void truncate(long size) throws IOException;

    abstract void sync(boolean metadata) throws IOException;

    /** As {@link io.mio.layer.Layer#reserve}. */
    abstract boolean reserve(long offset, long bytes) throws IOException;

    /** Closes it. An error says nothing about the bytes: {@link #sync} tells of those. */
    abstract void close();
}
