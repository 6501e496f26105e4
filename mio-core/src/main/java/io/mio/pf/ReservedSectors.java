package io.mio.pf;

/**
 * Sectors of a file that space was set aside for, wherever they are. A mark stands for 64 sectors,
 * and its number gives its place in a table. Where two marks want the same place, the table grows;
 * where it may grow no more, the older mark goes. A lost mark costs another request for space; a
 * mark that is here is always right. Pure; the caller locks.
 */
final class ReservedSectors {
    /**
     * Number of marks, which take 1 KB at first, and 512 KB at most for 8 GB of sectors of 4 KB.
     */
    private static final int COUNT_MIN = 64;

    private static final int COUNT_MAX = 1 << 15;
    private static final long[] NONE = {};

    /** For each mark its first sector / 64, and a bit for each sector, 0 where there is no mark. */
    private long[] numbers = NONE;

    private long[] marks = NONE;

    /**
     * True if space was set aside for all sectors from {@code first} up to, without, {@code end}.
     */
    boolean has(long first, long end) {
        if (marks.length == 0) {
            return false;
        }
        for (long number = first / 64; number * 64 < end; number++) {
            int place = place(number);
            long wanted = sectors(number, first, end);
            if (numbers[place] != number || (marks[place] & wanted) != wanted) {
                return false;
            }
        }
        return true;
    }

    /** Space was set aside for these sectors. */
    void add(long first, long end) {
        // If these are more sectors than there can be marks for, only the last ones are noted.
        long from = Math.max(first, end - COUNT_MAX * 64L);
        if (from >= end || (marks.length == 0 && !grow(COUNT_MIN))) {
            return;
        }
        for (long number = from / 64; number * 64 < end; number++) {
            int place = place(number);
            while (isOthers(place, number) && marks.length < COUNT_MAX && grow(marks.length * 2)) {
                place = place(number);
            }
            if (isOthers(place, number)) {
                marks[place] = 0;
            }
            numbers[place] = number;
            marks[place] |= sectors(number, from, end);
        }
    }

    /** From sector {@code end} on space may be set aside no longer. */
    void cut(long end) {
        for (int i = 0; i < marks.length; i++) {
            if (numbers[i] * 64 >= end) {
                marks[i] = 0;
            } else if (numbers[i] == end / 64) {
                marks[i] &= sectors(numbers[i], 0, end);
            }
        }
    }

    /** Space may be set aside for no sector any more. */
    void clear() {
        numbers = NONE;
        marks = NONE;
    }

    private int place(long number) {
        return (int) (number & (marks.length - 1));
    }

    private boolean isOthers(int place, long number) {
        return marks[place] != 0 && numbers[place] != number;
    }

    /** The bits of a mark's sectors that are in the range, of which there is at least one. */
    private static long sectors(long number, long first, long end) {
        long from = first - number * 64;
        long behind = number * 64 + 64 - end;
        return (from > 0 ? -1L << from : -1L) & (behind > 0 ? -1L >>> behind : -1L);
    }

    /** Makes the table larger; false if there is not enough memory. */
    private boolean grow(int count) {
        long[] oldNumbers = numbers;
        long[] oldMarks = marks;
        long[] newNumbers;
        long[] newMarks;
        try {
            newNumbers = new long[count];
            newMarks = new long[count];
        } catch (OutOfMemoryError e) {
            return false;
        }
        numbers = newNumbers;
        marks = newMarks;
        for (int i = 0; i < oldMarks.length; i++) {
            if (oldMarks[i] != 0) {
                numbers[place(oldNumbers[i])] = oldNumbers[i];
                marks[place(oldNumbers[i])] = oldMarks[i];
            }
        }
        return true;
    }
}
