package io.mio.cli.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What is in a record: noise, the same in all, and eight bytes in every {@value #STAMP_BYTES} that
 * tell where it belongs and which test wrote it. Twin of {@code bench_content_stamp}.
 */
final class Content {
    static final int STAMP_BYTES = 512;

    private final long seed;
    private final ByteBuffer record;

    /**
     * @param record is filled with noise
     */
    Content(long seed, ByteBuffer record) {
        this.seed = seed;
        this.record = record.order(ByteOrder.LITTLE_ENDIAN);
        long state = seed;
        for (int at = 0; at < record.capacity(); at++) {
            if (at % 8 == 0) {
                state = Sequence.mix(state + at);
            }
            record.put(at, (byte) (state >>> 8 * (at % 8)));
        }
    }

    /**
     * Makes it the content of a record.
     *
     * @param offset of the record in the file
     * @param generation of the test that writes it
     */
    void stamp(long offset, int generation) {
        for (int at = 0; at < record.capacity(); at += STAMP_BYTES) {
            long stamp = Sequence.mix(Sequence.mix(seed + offset + at) + generation);
            if (at + Long.BYTES <= record.capacity()) {
                record.putLong(at, stamp);
            } else {
                for (int i = at; i < record.capacity(); i++) {
                    record.put(i, (byte) (stamp >>> 8 * (i - at)));
                }
            }
        }
    }
}
