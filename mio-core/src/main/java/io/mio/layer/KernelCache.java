package io.mio.layer;

/** The kernel's page cache of an open file: tells what is in it, and has the kernel read. */
public interface KernelCache {
    /** The kernel cannot be asked: before Linux 6.5, and where system calls are filtered. */
    int UNKNOWN = -1;

    /** Returns 1 if all these bytes (at least 1) are cached, 0 if not, or {@link #UNKNOWN}. */
    int has(long offset, long bytes);

    /**
     * Returns whether a byte that was just read through the kernel's cache is reported to be there.
     * False on file systems that keep the bytes of a file elsewhere (overlayfs, ZFS): there nothing
     * is ever found where the kernel looks for it. True where the kernel cannot be asked.
     */
    default boolean sees(long offset) {
        return true;
    }

    /**
     * Tells the kernel to read these bytes now; returns before they are in the cache.
     *
     * @return false if the kernel cannot be told
     */
    boolean readAhead(long offset, long bytes);

    /**
     * Reads the byte at {@code offset}, and waits for it. Where the kernel has the bytes in front
     * of it, the kernel takes this for the stream of a program, and reads on by itself. Errors are
     * left to the request that follows. Does nothing where calls are replayed.
     *
     * @return false if the {@code bytes} from there are not on their way afterwards
     */
    default boolean nudge(long offset, long bytes) {
        return true;
    }

    /**
     * True if the kernel reads long ranges ahead in large folios: pieces of its memory of up to 2
     * MiB in place of one for each page. May open two descriptors of the file for that, until
     * {@link #close}.
     */
    default boolean hasFolios() {
        return false;
    }

    /** As {@link #readAhead}, but in large folios where that can be done. */
    default boolean readFoliosAhead(long offset, long bytes) {
        return readAhead(offset, bytes);
    }

    /**
     * Time of the last change of the file, by whatever process, in nanoseconds since 1970; -1 where
     * it is not known, 0 where nobody changes the file, as in a replay of calls.
     */
    default long changedNanos() {
        return 0;
    }

    /**
     * Returns how long a system call takes that reads one byte from the kernel's cache, in
     * nanoseconds: the least of several measurements, made once in a process with the byte at
     * {@code offset}, which this method waits for. Less than 0 where it is not known.
     */
    default long callNanos(long offset) {
        return UNKNOWN;
    }

    /** Called when the file is closed; the kernel is told nothing afterwards. */
    default void close() {}

    /** How far the kernel reads ahead of a program by itself, bytes; 0 if it does not tell. */
    long reachBytes();

    /**
     * Returns the time, in nanoseconds from any origin. By this clock, requests that the kernel's
     * cache serves are told from those it does not serve, and slow storage from fast. A replay of
     * calls has a clock of its own.
     */
    default long nanos() {
        return System.nanoTime();
    }

    /**
     * Memory that could keep pages of files for this process, bytes; {@link Long#MAX_VALUE} where
     * the system tells no limit; -1 where descriptors or memory are lacking to find out. Asking
     * costs about ten system calls.
     */
    default long roomBytes() {
        return Long.MAX_VALUE;
    }
}
