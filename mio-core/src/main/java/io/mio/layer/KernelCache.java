package io.mio.layer;

/** The kernel's cache of an open file: what is in it, and what it is told to read. */
public interface KernelCache {
    /** It cannot be looked into: before Linux 6.5, and where system calls are filtered. */
    int UNKNOWN = -1;

    /** Returns 1 if all these bytes, at least one, are in it, 0 if not, or {@link #UNKNOWN}. */
    int has(long offset, long bytes);

    /**
     * Of a byte that was just read through it: false if it says that it is not there. File systems
     * that keep the bytes of a file elsewhere (overlayfs, ZFS) have nothing where it is looked for,
     * ever. True where it cannot be asked.
     */
    default boolean sees(long offset) {
        return true;
    }

    /**
     * Tells it to read these bytes now; comes back before they are there.
     *
     * @return false if it cannot be told
     */
    boolean readAhead(long offset, long bytes);

    /**
     * Reads the byte at {@code offset}, and waits for it: where the kernel has what lies in front
     * of it, it takes that for the stream of a program, and reads on by itself. Errors are left to
     * the request that follows. Does nothing where calls are replayed.
     *
     * @return false if so many {@code bytes} from there are not on their way then
     */
    default boolean nudge(long offset, long bytes) {
        return true;
    }

    /**
     * True if it reads long ranges ahead in large folios: pieces of its memory of up to 2 MiB in
     * place of one for each page. May open two descriptors of the file for that, until {@link
     * #close}.
     */
    default boolean hasFolios() {
        return false;
    }

    /** As {@link #readAhead}, in large folios where that can be done. */
    default boolean readFoliosAhead(long offset, long bytes) {
        return readAhead(offset, bytes);
    }

    /**
     * Time of the last change of the file, by whatever process, nanoseconds since 1970; -1 where
     * that is not known, 0 where nobody changes it, as where calls are replayed.
     */
    default long changedNanos() {
        return 0;
    }

    /**
     * What a call of the kernel takes that reads one byte from its cache: the least of some,
     * nanoseconds, measured once in a process by the byte at {@code offset}, which is waited for;
     * less than 0 where that is not known.
     */
    default long callNanos(long offset) {
        return UNKNOWN;
    }

    /** The file is closed; nothing is told any more. */
    default void close() {}

    /** How far it reads ahead of a program by itself, bytes; 0 if it does not tell. */
    long reachBytes();

    /**
     * The time, by which requests that the kernel's cache does not have are told from those that it
     * has, and slow storage from fast, nanoseconds since whenever; another one where calls are
     * replayed.
     */
    default long nanos() {
        return System.nanoTime();
    }

    /**
     * Memory that could keep pages of files for this process, bytes; {@link Long#MAX_VALUE} where
     * that is not known. Asking costs some ten system calls.
     */
    default long roomBytes() {
        return Long.MAX_VALUE;
    }
}
