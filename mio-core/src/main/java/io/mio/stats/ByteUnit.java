package io.mio.stats;

import java.util.Locale;

/** Unit in which a report gives amounts of data; powers of 1024 (reference 3.2). */
public enum ByteUnit {
    /** One byte. */
    BYTES(0),
    /** 1024 bytes. */
    KBYTES(10),
    /** 1024^2 bytes. */
    MBYTES(20),
    /** 1024^3 bytes. */
    GBYTES(30),
    /** 1024^4 bytes. */
    TBYTES(40);

    private final int shift;
    private final String label;

    ByteUnit(int shift) {
        this.shift = shift;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** Name as typed in options and printed in reports, for example {@code kbytes}. */
    public String label() {
        return label;
    }

    /** Bytes in one unit. */
    public long bytes() {
        return 1L << shift;
    }

    /** Whole units in {@code bytes}, truncated. */
    public long whole(long bytes) {
        return bytes >> shift;
    }

    /** Units per second; 0 where no time passed. */
    public double rate(long bytes, long nanos) {
        return nanos <= 0 ? 0.0 : (double) bytes / (1L << shift) / (nanos / 1e9);
    }

    /** The unit of this label, or null. */
    public static ByteUnit of(String label) {
        for (ByteUnit unit : values()) {
            if (unit.label.equals(label)) {
                return unit;
            }
        }
        return null;
    }
}
