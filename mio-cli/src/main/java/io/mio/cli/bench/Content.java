package io.mio.cli.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The content of records. It is noise, of which neighbours in the file have different parts, with
 * eight bytes in every {@value #STAMP_BYTES} that tell where they belong and which test wrote them.
 * So no two blocks are the same, and nothing can be compressed. Twin of {@code
 * bench_content_record}.
 */
final class Content {
    /** Bytes by which the memory is larger than a record. */
    static final int NOISE_BYTES = 1 << 18;

    static final int STAMP_BYTES = 4096;
    static final int STAMP_BYTES_VERIFIED = 512;
    private static final int ALIGN_BYTES = 4096;

    private final long seed;
    private final int recordBytes;
    private final int step;
    private final ByteBuffer noise;

    /**
     * Makes the noise.
     *
     * @param noise room for {@link #NOISE_BYTES} and a record
     */
    Content(WorkerJob job, ByteBuffer noise) {
        this.seed = job.seed();
        this.recordBytes = job.recordBytes();
        this.step = job.verify() ? STAMP_BYTES_VERIFIED : STAMP_BYTES;
        this.noise = noise.order(ByteOrder.LITTLE_ENDIAN);
        long state = seed;
        for (int at = 0; at < noise.capacity(); at++) {
            if (at % 8 == 0) {
                state = Sequence.mix(state + at);
            }
            noise.put(at, (byte) (state >>> 8 * (at % 8)));
        }
    }

    /**
     * Makes the content of a record.
     *
     * @param offset offset of the record in the file
     * @param generation generation of the test that writes it
     * @return the memory with its position and limit at the record; the same memory for every call
     */
    ByteBuffer record(long offset, int generation) {
        noise.clear();
        int start = (int) (offset % NOISE_BYTES) / ALIGN_BYTES * ALIGN_BYTES;
        for (int at = 0; at < recordBytes; at += step) {
            long stamp = Sequence.mix(Sequence.mix(seed + offset + at) + generation);
            if (at + Long.BYTES <= recordBytes) {
                noise.putLong(start + at, stamp);
            } else {
                for (int i = at; i < recordBytes; i++) {
                    noise.put(start + i, (byte) (stamp >>> 8 * (i - at)));
                }
            }
        }
        return noise.limit(start + recordBytes).position(start);
    }
}
