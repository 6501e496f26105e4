package io.mio.layer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One layer of an open file: requests go down, completions and counters come up.
 *
 * <p>A layer sees buffers and offsets only. The position, append mode, closing and interruption are
 * handled once, at the door ({@code io.mio.fs}), and never here. The layers of a file are composed
 * at open, bottom up, and then fixed; the last one is {@code os}. Several threads may call any
 * method.
 *
 * <p>Results and exceptions are those of {@link java.nio.channels.FileChannel}: reads return the
 * bytes delivered or -1 at the end of the file, a failed call throws what the layer below threw.
 */
public interface Layer {
    /** Offset of a write to the end of the file, wherever the end is when the write happens. */
    long APPEND = -1;

    /** Name as the user typed it, for example {@code trace}; {@code os} where nothing was typed. */
    String name();

    /** The layer below, or null for the last one. */
    Layer next();

    /**
     * Reads into {@code dst} from {@code offset} (bytes, 0-based); returns bytes, -1 at the end.
     */
    int read(ByteBuffer dst, long offset) throws IOException;

    /**
     * Returns true if the next read may go straight to the platform's channel, past all layers,
     * because none of them needs to see it. The door asks for each read anew.
     */
    default boolean rests() {
        return false;
    }

    /**
     * Reads into {@code dsts[from .. from+count-1]} in turn; returns bytes, -1 at the end. No
     * buffer occurs twice unless it is empty.
     */
    long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException;

    /** Writes {@code src} at {@code offset} or {@link #APPEND}; returns bytes written. */
    int write(ByteBuffer src, long offset) throws IOException;

    /**
     * Writes {@code srcs[from .. from+count-1]} in turn; returns bytes written. No buffer occurs
     * twice unless it is empty.
     */
    long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException;

    /**
     * False if the offset of the next write is unknown: a stream does not tell how much of a failed
     * write it has written.
     */
    default boolean knowsPlace() {
        return true;
    }

    /**
     * Announces that the next request is at {@code offset} because the caller asked for that place:
     * the program moved its position, or the request names its offset, as asynchronous ones always
     * do. Does no I/O; the move is counted (reference 4.4 f and h).
     */
    void seek(long offset);

    /** Logical size of the file, bytes. */
    long size() throws IOException;

    /** Cuts the file to {@code size} bytes; a larger size changes nothing. */
    void truncate(long size) throws IOException;

    /** False if {@link #truncate} leaves the file as it is ({@code os/notrunc}, reference 3.5). */
    default boolean truncates() {
        return true;
    }

    /** Hands every byte to the device; with {@code metadata} also file times and the like. */
    void flush(boolean metadata) throws IOException;

    /**
     * Runs a call that works on the file itself, past the layers: mapping, locking, transfer.
     * Layers that hold bytes bring the file up to date first and forget what the call may have
     * changed.
     *
     * @param kind what the call does
     * @param offset first byte concerned
     * @param length bytes concerned; may reach past the end
     * @param call does the work; for transfers it returns the bytes moved
     */
    <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException;

    /**
     * Starts an asynchronous request, which is completed by {@link IoRequest#complete}. If the
     * request cannot be started, this throws and the request is never completed.
     */
    void submit(IoRequest request) throws IOException;

    /**
     * Starts several asynchronous requests as one list. Never throws: a request that cannot be
     * started is completed with its error.
     */
    void submitAll(List<IoRequest> requests);

    /**
     * Has the file system set space aside for {@code bytes} from {@code offset}, without changing
     * the size, so that a later write there does not fail for lack of space. No effect where the
     * file system cannot do this.
     *
     * @return false if it cannot be done there
     * @throws IOException if there is no space, or the file may not become so large
     */
    boolean reserve(long offset, long bytes) throws IOException;

    /**
     * Waits for a submitted request, and counts the time the caller lost (reference 4.4 e).
     *
     * @param waiting does the waiting; returns before the request is complete if the caller gives
     *     up
     */
    void await(IoRequest request, Waiting waiting) throws InterruptedException;

    /** Closes the layers below, then this one. The door calls it once. */
    void close() throws IOException;

    /** A piece of work that may fail with an I/O error. */
    @FunctionalInterface
    interface IoCall<T> {
        /** Does the work. */
        T call() throws IOException;
    }

    /** A wait of the caller, see {@link #await}. */
    @FunctionalInterface
    interface Waiting {
        /** Returns when the caller need not wait any longer. */
        void run() throws InterruptedException;
    }

    /** Calls that go past the layers, see {@link #around}. */
    enum Bypass {
        /** A lock is taken: of the whole file from 0 to {@link Long#MAX_VALUE}, or of a part. */
        LOCK,
        /** A lock is released, even if bytes cannot be written first; that is thrown after it. */
        UNLOCK,
        /** A mapping that cannot change the file. */
        MAP_READ,
        /** A mapping that can change the file at any later time. */
        MAP_WRITE,
        /** Bytes of this file go elsewhere inside the kernel. */
        TRANSFER_OUT,
        /** Bytes from elsewhere come into this file inside the kernel. */
        TRANSFER_IN
    }
}
