package io.mio.cli.plot;

/**
 * The marks of one series that the next transfer may continue, those used last first. Their number
 * is that of the streams that pf follows in a file.
 *
 * <p>A line goes from the first corner of its first transfer to the last corner of its last one, so
 * that its slope is that of the stream. For the corners between, only the range of slopes is kept
 * that pass all of them near enough: a cone whose point is the first corner.
 */
final class OpenLines {
    private static final int LINES = 8;

    /**
     * A transfer that is further away than so many requests of their mean size does not follow:
     * random requests are no line, however large the steps.
     */
    private static final int REQUESTS_NEAR = 16;

    private final int[] marks = new int[LINES];
    private final double[] lowest = new double[LINES];
    private final double[] highest = new double[LINES];
    private int count;

    // The range of slopes that the line looked at last would have with the transfer.
    private double low;
    private double high;

    void clear() {
        count = 0;
    }

    /**
     * Adds a mark that may be continued; the one that was not used for the longest time is given
     * up.
     */
    void open(int mark) {
        if (count < LINES) {
            count++;
        }
        toFront(count - 1, mark, 0, Double.POSITIVE_INFINITY);
    }

    private void toFront(int at, int mark, double lowestSlope, double highestSlope) {
        System.arraycopy(marks, 0, marks, 1, at);
        System.arraycopy(lowest, 0, lowest, 1, at);
        System.arraycopy(highest, 0, highest, 1, at);
        marks[0] = mark;
        lowest[0] = lowestSlope;
        highest[0] = highestSlope;
    }

    /**
     * Continues the line that the transfer follows most closely.
     *
     * @param timeShift half a step is 2 to the power of this
     * @param offsetShift likewise
     * @return false if it follows none
     */
    boolean join(MarkTable table, MarkRow row, int timeShift, int offsetShift) {
        int best = -1;
        long bestGap = Long.MAX_VALUE;
        double bestLow = 0;
        double bestHigh = 0;
        for (int i = 0; i < count; i++) {
            if (!table.isBox(marks[i])) {
                long gap = fits(table, i, row, timeShift, offsetShift);
                if (gap >= 0 && gap < bestGap) {
                    best = i;
                    bestGap = gap;
                    bestLow = low;
                    bestHigh = high;
                }
            }
        }
        if (best < 0) {
            return false;
        }
        int mark = marks[best];
        boolean forward = isForward(table, mark, row);
        table.join(
                mark,
                row,
                Shape.LINE,
                table.start(mark),
                row.endNanos,
                forward == table.offsetEnd(mark) >= table.offset(mark)
                        ? table.offset(mark)
                        : table.offsetEnd(mark),
                forward == row.isForward() ? row.offsetEnd : row.offset);
        toFront(best, mark, bestLow, bestHigh);
        return true;
    }

    /**
     * Returns whether a line goes forward, or for two single transfers, whether the second lies
     * higher.
     */
    private static boolean isForward(MarkTable table, int mark, MarkRow row) {
        return table.isLine(mark)
                ? table.offsetEnd(mark) >= table.offset(mark)
                : row.shape == Shape.LINE ? row.isForward() : row.offset >= table.offset(mark);
    }

    /** Returns the bytes between the line and the transfer; -1 if they must not be joined. */
    private long fits(MarkTable table, int at, MarkRow row, int timeShift, int offsetShift) {
        int mark = marks[at];
        long start = table.start(mark);
        long end = table.end(mark);
        if (row.startNanos < start
                || row.endNanos < end
                || row.startNanos - end > 2L << timeShift) {
            return -1;
        }
        boolean forward = isForward(table, mark, row);
        if (table.isLine(mark) && row.shape == Shape.LINE && forward != row.isForward()) {
            return -1;
        }
        // Single transfers are drawn upward as well as downward.
        boolean turned = forward != table.offsetEnd(mark) >= table.offset(mark);
        boolean rowTurned = forward != row.isForward();
        long first = turned ? table.offsetEnd(mark) : table.offset(mark);
        long last = turned ? table.offset(mark) : table.offsetEnd(mark);
        long next = rowTurned ? row.offsetEnd : row.offset;
        long gap = Math.abs(next - last);
        if (gap > 2L << offsetShift || gap > near(table, mark, row)) {
            return -1;
        }
        int sign = forward ? 1 : -1;
        long lastUp = sign * (last - first);
        long nextUp = sign * (next - first);
        long endUp = sign * ((rowTurned ? row.offset : row.offsetEnd) - first);
        if (nextUp < 0 || endUp < lastUp) {
            return -1;
        }
        // Errors add up when lines are joined at growing steps. Time and offset are doubled in
        // turns, so that each step is used twice: quarters of all add up to one last step. At the
        // smallest step, which does not grow, there must be no error.
        double timeNear = timeShift == 0 ? 0 : (1L << timeShift) / 2.0;
        double offsetNear = offsetShift == 0 ? 0 : (1L << offsetShift) / 2.0;
        low = lowest[at];
        high = highest[at];
        narrow(end - start, lastUp, timeNear, offsetNear);
        narrow(row.startNanos - start, nextUp, timeNear, offsetNear);
        double slope = slope(row.endNanos - start, endUp);
        return slope >= low && slope <= high ? gap : -1;
    }

    private static double near(MarkTable table, int mark, MarkRow row) {
        return REQUESTS_NEAR * Math.max(table.meanBytes(mark), (double) row.bytes / row.events);
    }

    private static double slope(long time, long up) {
        return time > 0 ? (double) up / time : up > 0 ? Double.POSITIVE_INFINITY : 0;
    }

    /** Narrows the slopes to those that pass a corner within a distance in time or in offset. */
    private void narrow(long time, long up, double timeNear, double offsetNear) {
        if (time > timeNear) {
            high = Math.min(high, (up + offsetNear) / (time - timeNear));
        }
        if (up > offsetNear) {
            double latest = time + timeNear;
            low = Math.max(low, latest > 0 ? (up - offsetNear) / latest : Double.POSITIVE_INFINITY);
        }
    }
}
