package io.mio.stats;

import java.util.List;
import java.util.Map;

/**
 * What one trace layer counted for one open file, at one moment.
 *
 * @param event why the snapshot was taken
 * @param above name of the layer above, {@code program} at the top
 * @param below name of the layer below
 * @param file name as the program gave it
 * @param unit unit of the report
 * @param operations one entry per {@link TraceOperation}, in its order
 * @param extensions operations that made the file longer (reference 4.4 g)
 * @param currentSize bytes now
 * @param maxSize largest size while open, bytes
 * @param mode permission bits, -1 if unknown
 * @param fileSystemType for example {@code ext4}
 * @param sectorBytes smallest direct transfer
 * @param oflags open flags as the kernel numbers them
 * @param oflagNames their names, two blanks between
 * @param direct opened for direct I/O: the report then has an {@code ill form} row
 * @param illFormed requests whose offset or length is no multiple of the sector
 * @param misaligned requests whose buffer does not begin on a sector
 * @param seekDelta sum of new minus old position over all seeks, bytes
 * @param openedNanos when the file was opened, since the library started
 * @param nowNanos when the snapshot was taken, since the library started
 * @param distributions histograms and patterns, in the JSON only
 */
public record TraceSnapshot(
        Event event,
        String above,
        String below,
        String file,
        ByteUnit unit,
        List<OperationStats> operations,
        long extensions,
        long currentSize,
        long maxSize,
        int mode,
        String fileSystemType,
        long sectorBytes,
        int oflags,
        String oflagNames,
        boolean direct,
        long illFormed,
        long misaligned,
        long seekDelta,
        long openedNanos,
        long nowNanos,
        Distributions distributions)
        implements StatsBlock {

    /** Why a report is made. */
    public enum Event {
        /** The file was closed. */
        CLOSE("close"),
        /** The program ends and the file is still open. */
        EXIT("exit"),
        /** A report was requested while the program runs. */
        INTER("inter");

        private final String label;

        Event(String label) {
            this.label = label;
        }

        /** Word in the report. */
        public String label() {
            return label;
        }
    }

    /** Place of a request relative to the one before it on the same open file. */
    public enum Pattern {
        /** It begins where the last one ended. */
        SEQUENTIAL,
        /** It ends where the last one began. */
        BACKWARD,
        /** It is as far from the last one as that was from the one before. */
        STRIDED,
        /** It has none of these places. */
        RANDOM;

        /**
         * Finds the pattern of a request.
         *
         * @param lastOffset where the request before began; -1 if there is none
         * @param lastEnd where the request before ended
         * @param lastStride distance of the request before from its own predecessor
         */
        public static Pattern of(
                long offset, long bytes, long lastOffset, long lastEnd, long lastStride) {
            long stride = offset - lastOffset;
            if (offset == lastEnd || lastOffset < 0) {
                return SEQUENTIAL;
            }
            if (offset + bytes == lastOffset) {
                return BACKWARD;
            }
            return stride == lastStride && stride != 0 ? STRIDED : RANDOM;
        }
    }

    /**
     * Distributions over all reads and writes. Bucket 0 of a histogram counts zeros, bucket i
     * values from 2^(i-1) to 2^i - 1.
     *
     * @param readNanos histogram of the time of reads
     * @param writeNanos histogram of the time of writes
     * @param readBytes histogram of requested bytes of reads
     * @param writeBytes histogram of requested bytes of writes
     * @param patternBytes bytes delivered, by {@link Pattern}
     * @param activityBinNanos width of an activity bin, a power of two
     * @param activityRead bytes read per bin since the open
     * @param activityWritten bytes written per bin since the open
     * @param errors failures by errno name, or by exception where there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // a snapshot's own copies, some 400 numbers
    public record Distributions(
            long[] readNanos,
            long[] writeNanos,
            long[] readBytes,
            long[] writeBytes,
            long[] patternBytes,
            long activityBinNanos,
            long[] activityRead,
            long[] activityWritten,
            Map<String, Long> errors) {}

    @Override
    public String classic() {
        return TraceReport.classic(this);
    }

    /** Counters of one operation. */
    public OperationStats of(TraceOperation operation) {
        return operations.get(operation.ordinal());
    }

    /** Bytes delivered by reads and writes of either kind (reference 4.4 a). */
    public long totalBytes() {
        long sum = 0;
        for (OperationStats one : operations) {
            sum += one.delivered();
        }
        return sum;
    }

    /** Time spent beneath this layer in reads, writes and waits for them (reference 4.4 b). */
    public long transferNanos() {
        long sum = 0;
        for (TraceOperation operation : TraceOperation.values()) {
            if (operation.isTransfer()) {
                sum += of(operation).nanos() + of(operation).suspendNanos();
            }
        }
        return sum;
    }

    /** Mean move of the position, bytes, truncated toward zero (reference 4.4 f). */
    public long averageSeekDelta() {
        long count = of(TraceOperation.SEEK).count();
        return count == 0 ? 0 : seekDelta / count;
    }
}
