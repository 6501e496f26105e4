package io.mio.cli.plot.html;

import io.mio.cli.plot.Mark;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Reads blocks of a page as the page's script does. */
final class PageReader {
    private final byte[] bytes;
    private int at;

    private PageReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The text of the script element with this id. */
    static String element(String page, String id) {
        Matcher matcher =
                Pattern.compile("<script type=\"[^\"]*\" id=\"" + id + "\">([^<]*)</script>")
                        .matcher(page);
        if (!matcher.find()) {
            throw new AssertionError(id + " is missing");
        }
        return matcher.group(1);
    }

    static PageReader block(String page, String id) throws IOException {
        byte[] packed = Base64.getDecoder().decode(element(page, id));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return new PageReader(in.readAllBytes());
        }
    }

    private long next() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte one = bytes[at++];
            value |= (long) (one & 0x7f) << shift;
            if (one >= 0) {
                return (value & 1) != 0 ? -(value >>> 1) : value >>> 1;
            }
        }
    }

    private long[] column(int rows) {
        long[] made = new long[rows];
        for (int row = 0; row < rows; row++) {
            made[row] = next();
        }
        return made;
    }

    private static long[] sums(long[] differences) {
        for (int row = 1; row < differences.length; row++) {
            differences[row] += differences[row - 1];
        }
        return differences;
    }

    /** Reads rows of series, bin, bucket and events. */
    List<List<Long>> counts() {
        int rows = (int) next();
        long[][] columns = {
            sums(column(rows)), sums(column(rows)), sums(column(rows)), column(rows)
        };
        List<List<Long>> made = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            made.add(List.of(columns[0][row], columns[1][row], columns[2][row], columns[3][row]));
        }
        assertEnd();
        return made;
    }

    List<Mark> marks(RunPlot run) {
        int rows = (int) next();
        long[] kind = column(rows);
        long[] start = sums(column(rows));
        long[] duration = column(rows);
        long[] fromLast = column(rows);
        long[] length = column(rows);
        long[] events = column(rows);
        long[] bytesMore = column(rows);
        long[] busyMore = column(rows);
        long[] longestMore = column(rows);
        long[] thread = sums(column(rows));
        long[] code = column(rows);
        long[] requestedMore = column(rows);
        long[] errno = column(rows);
        long[] numberMore = column(rows);
        long[] process = sums(column(rows));
        assertEnd();
        long[] lastEnd = new long[run.series().size()];
        long[] lastNumber = new long[run.series().size()];
        List<Mark> made = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            int series = (int) (kind[row] / MarkColumns.SHAPES);
            Shape shape = Shape.values()[(int) (kind[row] % MarkColumns.SHAPES)];
            boolean single = shape == Shape.EVENT;
            long from = start[row] + run.beginNanos();
            long offset = lastEnd[series] + fromLast[row];
            lastEnd[series] = offset + length[row];
            long moved = bytesMore[row] + Math.abs(length[row]);
            long busy = busyMore[row] + duration[row];
            if (single) {
                lastNumber[series] += numberMore[row];
            }
            made.add(
                    new Mark(
                            series,
                            shape,
                            from,
                            from + duration[row],
                            offset,
                            offset < 0 ? -1 : offset + length[row],
                            events[row] + 1,
                            moved,
                            busy,
                            longestMore[row] + busy,
                            thread[row],
                            (int) code[row],
                            single ? requestedMore[row] + moved : -1,
                            (int) errno[row],
                            single ? lastNumber[series] : 0,
                            process[row]));
        }
        return made;
    }

    private void assertEnd() {
        if (at != bytes.length) {
            throw new AssertionError(bytes.length - at + " bytes are left");
        }
    }
}
