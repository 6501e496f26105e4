package io.mio.pf;

/**
 * The figures by which {@code pf/auto} decides to read a file past the kernel's cache, see {@link
 * DirectChoice}. They are bytes, but for {@code needed} and {@code roomLooks}. Pure. Tests have
 * smaller ones.
 *
 * @param step bytes read from one question to the kernel's cache to the next
 * @param ahead how far in front of the program a question is, farther than the kernel reads ahead
 * @param asked length of the range that one question is about
 * @param needed answers in a row that nothing is there, for a choice
 * @param least smallest file that counts as one that does not fit
 * @param page size of a page
 * @param cacheLeast least memory of one open
 * @param cacheMost most memory of one open
 * @param totalMost most memory of all opens together
 * @param judged page reads from one judgement whether pages serve to the next
 * @param roomLooks such judgements from one look at whether there is room to the next
 * @param fill page reads from one look at the room to the next while memory is touched for the
 *     first time
 */
public record DirectSizes(
        long step,
        long ahead,
        int asked,
        int needed,
        long least,
        int page,
        long cacheLeast,
        long cacheMost,
        long totalMost,
        long judged,
        int roomLooks,
        long fill) {
    static final long MIB = 1 << 20;

    /** The figures that hold for programs. */
    public static final DirectSizes USUAL =
            new DirectSizes(
                    16 * MIB, 32 * MIB, 64 << 10, 4, 128 * MIB, (int) MIB, 16 * MIB, 256 * MIB,
                    512 * MIB, 64 * MIB, 4, 16 * MIB);

    /**
     * True if a file of this size is far larger than the memory that could keep it. Negative memory
     * is not known: then false.
     */
    public boolean isBeyond(long sizeBytes, long roomBytes) {
        return sizeBytes >= least && roomBytes >= 0 && sizeBytes / 2 >= roomBytes;
    }

    /** True if this much memory could keep all of the file. */
    static boolean fits(long sizeBytes, long roomBytes) {
        return sizeBytes <= roomBytes;
    }

    /**
     * Memory that one more open may have.
     *
     * @param roomBytes memory that could keep pages of files
     * @param usedBytes memory that other opens have
     * @return bytes, whole pages; 0: nothing
     */
    public long cacheBytes(long roomBytes, long usedBytes) {
        long left = Math.min(roomBytes / 4, totalMost) - usedBytes;
        if (left < cacheLeast) {
            return 0;
        }
        return Math.min(Math.max(left / 2 / page * page, cacheLeast), cacheMost);
    }
}
