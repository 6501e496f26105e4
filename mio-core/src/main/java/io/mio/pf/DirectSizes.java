package io.mio.pf;

/**
 * By what figures {@code pf/auto} decides to read a file past the kernel's cache, see {@link
 * DirectChoice}; bytes, but for {@code needed} and {@code roomLooks}. Pure. Tests have smaller
 * ones.
 *
 * @param step read from one question to the kernel's cache to the next
 * @param ahead how far in front of the program is asked, farther than it reads ahead
 * @param asked of each question
 * @param needed answers in a row that say that nothing is there
 * @param least of a file that does not fit
 * @param page size of a page
 * @param cacheLeast memory of one open
 * @param cacheMost memory of one open
 * @param totalMost memory of all opens together
 * @param judged page reads from one look at whether pages serve to the next
 * @param roomLooks of them, from one look at whether there is room to the next
 * @param fill the same in page reads, while memory is touched for the first time
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

    /** Those that hold for programs. */
    public static final DirectSizes USUAL =
            new DirectSizes(
                    16 * MIB, 32 * MIB, 64 << 10, 4, 128 * MIB, (int) MIB, 16 * MIB, 256 * MIB,
                    512 * MIB, 64 * MIB, 4, 16 * MIB);

    /** True if a file of this size is far larger than the memory that could keep it. */
    public boolean isBeyond(long sizeBytes, long roomBytes) {
        return sizeBytes >= least && sizeBytes / 2 >= roomBytes;
    }

    /** True if so much memory could keep all of the file. */
    static boolean fits(long sizeBytes, long roomBytes) {
        return sizeBytes <= roomBytes;
    }

    /**
     * Memory that one more open may have.
     *
     * @param roomBytes memory that could keep pages of files
     * @param usedBytes what other opens have
     * @return whole pages; 0: nothing
     */
    public long cacheBytes(long roomBytes, long usedBytes) {
        long left = Math.min(roomBytes / 4, totalMost) - usedBytes;
        if (left < cacheLeast) {
            return 0;
        }
        return Math.min(Math.max(left / 2 / page * page, cacheLeast), cacheMost);
    }
}
