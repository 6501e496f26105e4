package io.mio.cli.plot.draw;

/** Amounts over time, added up in bins of equal length. */
final class Bins {
    private final double from;
    private final double width;
    private final double[] amounts;

    /**
     * Change of the flow at the start of each bin. The flow is the amount that spans give to a bin
     * which they cover as a whole.
     */
    private final double[] changes;

    /**
     * Makes empty bins.
     *
     * @param to above from
     */
    Bins(double from, double to, int count) {
        this.from = from;
        this.width = (to - from) / count;
        this.amounts = new double[count];
        this.changes = new double[count + 1];
    }

    /**
     * Spreads an amount evenly from start to end; all of it at once if they are the same. What goes
     * beyond the bins is left out.
     */
    void add(double start, double end, double amount) {
        double first = (start - from) / width;
        double last = (end - from) / width;
        int firstBin = (int) Math.max(0, Math.min(amounts.length - 1, Math.floor(first)));
        int lastBin = (int) Math.max(0, Math.min(amounts.length - 1, Math.floor(last)));
        double within = Math.min(amounts.length, last) - Math.max(0, first);
        if (firstBin == lastBin || last - first <= 0) {
            boolean whole = last - first <= 0 || within == last - first;
            amounts[firstBin] += whole ? amount : Math.max(0, within) / (last - first) * amount;
            return;
        }
        double each = amount / (last - first);
        amounts[firstBin] += (firstBin + 1 - Math.max(0, first)) * each;
        amounts[lastBin] += (Math.min(amounts.length, last) - lastBin) * each;
        changes[firstBin + 1] += each;
        changes[lastBin] -= each;
    }

    /** Returns the sums of the bins. */
    double[] sums() {
        double[] sums = new double[amounts.length];
        double flow = 0;
        double largest = 0;
        for (int i = 0; i < sums.length; i++) {
            flow += changes[i];
            largest = Math.max(largest, flow);
            // A rest of equal additions and subtractions is rounding, not flow.
            flow = flow < largest * 1e-9 ? 0 : flow;
            sums[i] = amounts[i] + flow;
        }
        return sums;
    }
}
