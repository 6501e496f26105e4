package io.mio.cli.plot.html;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Numbers of many similar things, column by column, in few bytes. Each number is a varint (seven
 * bits a byte, lowest first) of twice its magnitude, plus one if it is negative. So the reader,
 * whose numbers are doubles, gets the sign from the first byte and a magnitude that is exact up to
 * 2^53.
 */
final class Columns {
    /** Largest number that a script's numbers hold exactly. */
    static final long MOST = (1L << 53) - 1;

    /** Writes the numbers of all rows of a column. */
    interface Column {
        /** Returns the number of a row; called in the order of the rows. */
        long at(int row);
    }

    private final int rows;
    private final Column[] columns;
    private byte[] buffer = new byte[1 << 16];
    private int used;

    Columns(int rows, Column... columns) {
        this.rows = rows;
        this.columns = columns;
    }

    /** Writes the count of rows and then the columns, packed by gzip; the stream stays open. */
    void writePacked(OutputStream out) throws IOException {
        try (GZIPOutputStream packed = new Strong(new Unclosed(out))) {
            put(packed, rows);
            for (Column column : columns) {
                for (int row = 0; row < rows; row++) {
                    put(packed, column.at(row));
                }
            }
            packed.write(buffer, 0, used);
        }
    }

    private void put(OutputStream to, long value) throws IOException {
        if (buffer.length - used < 10) {
            to.write(buffer, 0, used);
            used = 0;
        }
        long magnitude = Math.min(Math.abs(Math.max(value, -MOST)), MOST);
        long rest = magnitude << 1 | (value < 0 ? 1 : 0);
        while (rest >= 0x80) {
            buffer[used++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[used++] = (byte) rest;
    }

    /** Returns a column of each number less the one before it. */
    static Column differences(Column of) {
        long[] before = new long[1];
        return row -> {
            long value = of.at(row);
            long difference = value - before[0];
            before[0] = value;
            return difference;
        };
    }

    /** Returns the number within 0 to {@link #MOST}. */
    static long clamped(long value) {
        return Math.max(0, Math.min(value, MOST));
    }

    private static final class Strong extends GZIPOutputStream {
        Strong(OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }
}
