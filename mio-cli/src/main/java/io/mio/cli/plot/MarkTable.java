package io.mio.cli.plot;

import java.util.Arrays;

/**
 * Marks in columns, about 100 bytes each. The table grows as needed; after {@link #finish} it is as
 * large as its marks and does not change any more.
 */
final class MarkTable implements Marks {
    private static final Shape[] SHAPES = Shape.values();
    private static final int FIRST_ROOM = 256;

    private final int usual;
    private int size;
    private int[] series = new int[FIRST_ROOM];
    private byte[] shapes = new byte[FIRST_ROOM];
    private long[] starts = new long[FIRST_ROOM];
    private long[] ends = new long[FIRST_ROOM];
    private long[] offsets = new long[FIRST_ROOM];
    private long[] offsetEnds = new long[FIRST_ROOM];
    private long[] events = new long[FIRST_ROOM];
    private long[] bytes = new long[FIRST_ROOM];
    private long[] busy = new long[FIRST_ROOM];
    private long[] longest = new long[FIRST_ROOM];
    private int[] threads = new int[FIRST_ROOM];
    private byte[] codes = new byte[FIRST_ROOM];
    private long[] requested = new long[FIRST_ROOM];
    private int[] errnos = new int[FIRST_ROOM];
    private long[] numbers = new long[FIRST_ROOM];
    private int[] processes = new int[FIRST_ROOM];

    /**
     * Makes an empty table.
     *
     * @param usual most marks that are expected; more are possible
     */
    MarkTable(int usual) {
        this.usual = usual;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Mark get(int index) {
        Shape shape = SHAPES[shapes[index]];
        return new Mark(
                series[index],
                shape,
                starts[index],
                ends[index],
                offsets[index],
                offsetEnds[index],
                events[index],
                bytes[index],
                busy[index],
                longest[index],
                thread(index),
                codes[index],
                requested[index],
                errnos[index],
                numbers[index],
                process(index));
    }

    private long thread(int index) {
        return number(index, threads[index]);
    }

    private long process(int index) {
        return number(index, processes[index]);
    }

    /**
     * Returns a number of 32 bits, or -1 for several threads or processes: all bits set in a mark
     * of several events.
     */
    private long number(int index, int bits) {
        return bits == -1 && shapes[index] != Shape.EVENT.ordinal()
                ? -1
                : Integer.toUnsignedLong(bits);
    }

    int series(int index) {
        return series[index];
    }

    boolean isBox(int index) {
        return shapes[index] == Shape.BOX.ordinal();
    }

    boolean isLine(int index) {
        return shapes[index] == Shape.LINE.ordinal();
    }

    long start(int index) {
        return starts[index];
    }

    long end(int index) {
        return ends[index];
    }

    long offset(int index) {
        return offsets[index];
    }

    long offsetEnd(int index) {
        return offsetEnds[index];
    }

    /** Returns the mean bytes of the mark's events. */
    double meanBytes(int index) {
        return (double) bytes[index] / events[index];
    }

    /** Adds a mark and returns its index. */
    int add(MarkRow row) {
        if (size == starts.length) {
            int more = size + size / 2;
            resize(size < usual ? Math.min(more, usual) : more);
        }
        set(size, row);
        return size++;
    }

    void set(int index, MarkRow row) {
        series[index] = row.series;
        shapes[index] = (byte) row.shape.ordinal();
        starts[index] = row.startNanos;
        ends[index] = row.endNanos;
        offsets[index] = row.offset;
        offsetEnds[index] = row.offsetEnd;
        events[index] = row.events;
        bytes[index] = row.bytes;
        busy[index] = row.busyNanos;
        longest[index] = row.longestNanos;
        threads[index] = (int) row.thread;
        codes[index] = (byte) row.code;
        requested[index] = row.requested;
        errnos[index] = row.errno;
        numbers[index] = row.number;
        processes[index] = (int) row.process;
    }

    void read(int index, MarkRow row) {
        row.series = series[index];
        row.shape = SHAPES[shapes[index]];
        row.startNanos = starts[index];
        row.endNanos = ends[index];
        row.offset = offsets[index];
        row.offsetEnd = offsetEnds[index];
        row.events = events[index];
        row.bytes = bytes[index];
        row.busyNanos = busy[index];
        row.longestNanos = longest[index];
        row.thread = thread(index);
        row.code = codes[index];
        row.requested = requested[index];
        row.errno = errnos[index];
        row.number = numbers[index];
        row.process = process(index);
    }

    /** Adds the events of the row to a mark; the caller says where the joined mark lies. */
    void join(
            int index,
            MarkRow row,
            Shape shape,
            long start,
            long end,
            long offset,
            long offsetEnd) {
        if (thread(index) != row.thread) {
            threads[index] = -1;
        }
        if (process(index) != row.process) {
            processes[index] = -1;
        }
        shapes[index] = (byte) shape.ordinal();
        starts[index] = start;
        ends[index] = end;
        offsets[index] = offset;
        offsetEnds[index] = offsetEnd;
        events[index] = sum(events[index], row.events);
        bytes[index] = sum(bytes[index], row.bytes);
        busy[index] = sum(busy[index], row.busyNanos);
        longest[index] = Math.max(longest[index], row.longestNanos);
        requested[index] = -1;
        errnos[index] = 0;
        numbers[index] = 0;
    }

    /**
     * Adds two numbers from 0. Too large a sum becomes the largest number, so that the order of
     * additions does not matter.
     */
    static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Forgets the marks from an index on. */
    void cut(int newSize) {
        size = newSize;
    }

    /** Ends the table: sorts the marks by their starts, and frees unused room. */
    void finish() {
        sort();
        if (size < starts.length) {
            resize(size);
        }
    }

    /** Sorts by start; marks with equal starts keep their order. */
    void sort() {
        int from = 1;
        while (from < size && starts[from - 1] <= starts[from]) {
            from++;
        }
        if (from < size) {
            permute(order());
        }
    }

    /** Merges runs of growing length, from one array to the other and back. */
    private int[] order() {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        int[] spare = new int[size];
        for (long run = 1; run < size; run *= 2) {
            for (long low = 0; low < size; low += 2 * run) {
                int middle = (int) Math.min(size, low + run);
                merge(order, spare, (int) low, middle, (int) Math.min(size, low + 2 * run));
            }
            int[] done = spare;
            spare = order;
            order = done;
        }
        return order;
    }

    private void merge(int[] from, int[] to, int low, int middle, int high) {
        int one = low;
        int other = middle;
        for (int i = low; i < high; i++) {
            boolean first =
                    other >= high || (one < middle && starts[from[one]] <= starts[from[other]]);
            to[i] = from[first ? one++ : other++];
        }
    }

    private void permute(int[] order) {
        series = permuted(series, order);
        shapes = permuted(shapes, order);
        ends = permuted(ends, order);
        offsets = permuted(offsets, order);
        offsetEnds = permuted(offsetEnds, order);
        events = permuted(events, order);
        bytes = permuted(bytes, order);
        busy = permuted(busy, order);
        longest = permuted(longest, order);
        threads = permuted(threads, order);
        codes = permuted(codes, order);
        requested = permuted(requested, order);
        errnos = permuted(errnos, order);
        numbers = permuted(numbers, order);
        processes = permuted(processes, order);
        starts = permuted(starts, order);
    }

    private static long[] permuted(long[] values, int[] order) {
        long[] made = new long[values.length];
        for (int i = 0; i < order.length; i++) {
            made[i] = values[order[i]];
        }
        return made;
    }

    private static int[] permuted(int[] values, int[] order) {
        int[] made = new int[values.length];
        for (int i = 0; i < order.length; i++) {
            made[i] = values[order[i]];
        }
        return made;
    }

    private static byte[] permuted(byte[] values, int[] order) {
        byte[] made = new byte[values.length];
        for (int i = 0; i < order.length; i++) {
            made[i] = values[order[i]];
        }
        return made;
    }

    /** Copies one column after the other, so that little exists twice at a time. */
    private void resize(int room) {
        series = Arrays.copyOf(series, room);
        shapes = Arrays.copyOf(shapes, room);
        starts = Arrays.copyOf(starts, room);
        ends = Arrays.copyOf(ends, room);
        offsets = Arrays.copyOf(offsets, room);
        offsetEnds = Arrays.copyOf(offsetEnds, room);
        events = Arrays.copyOf(events, room);
        bytes = Arrays.copyOf(bytes, room);
        busy = Arrays.copyOf(busy, room);
        longest = Arrays.copyOf(longest, room);
        threads = Arrays.copyOf(threads, room);
        codes = Arrays.copyOf(codes, room);
        requested = Arrays.copyOf(requested, room);
        errnos = Arrays.copyOf(errnos, room);
        numbers = Arrays.copyOf(numbers, room);
        processes = Arrays.copyOf(processes, room);
    }
}
