package io.mio.os;

/**
 * What the helper finds out about a file. A number that cannot be found is a negative error number,
 * {@link #NOTHING} where there is no such thing. Twin of {@code enum mio_jvm_info}.
 *
 * @param place 0 a disk, 1 memory, 2 another machine's or a program's file system
 * @param directMemoryBytes alignment of a direct request's buffer; 0: the file takes none; of a
 *     directory: of a new file in it
 * @param directOffsetBytes alignment of its offset and length
 * @param residentBytes bytes in the kernel's page cache, whole pages
 * @param dirtyBytes of these, not on the device yet
 * @param extents runs of blocks on the device
 */
public record FileFindings(
        long place,
        long directMemoryBytes,
        long directOffsetBytes,
        long residentBytes,
        long dirtyBytes,
        long extents) {
    /** ENODATA: the system does not tell, or there is no such thing. */
    public static final long NOTHING = -61;

    /** Values of {@link #place}. */
    public static final int MEMORY = 1;

    public static final int REMOTE = 2;

    /** Value of {@link #place}: shared by several machines, which agree by locks of their own. */
    public static final int SHARED = 3;

    static final int NUMBERS = 6;

    static FileFindings of(long[] numbers) {
        return new FileFindings(
                numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    }
}
