package io.mio.live;

import io.mio.counters.CounterLayout;
import io.mio.counters.CounterStripe;
import io.mio.layer.OpenFlags;
import io.mio.stats.ByteUnit;
import io.mio.stats.OperationStats;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the block of a report from a trace record and the sum of its stripes. */
final class TraceBlock {
    private TraceBlock() {}

    static TraceSnapshot of(ByteBuffer record, CounterStripe sum, long began, long now) {
        List<OperationStats> operations = new ArrayList<>();
        for (TraceOperation operation : TraceOperation.values()) {
            operations.add(sum.stats(operation));
        }
        long closed = record.getLong(CounterLayout.CLOSED);
        int oflags = (int) record.getLong(CounterLayout.OFLAGS);
        return new TraceSnapshot(
                closed == 0 ? TraceSnapshot.Event.INTER : TraceSnapshot.Event.CLOSE,
                RecordReader.text(record, CounterLayout.ABOVE, CounterLayout.WORD_BYTES),
                RecordReader.text(record, CounterLayout.BELOW, CounterLayout.WORD_BYTES),
                name(record),
                unit(record.getLong(CounterLayout.UNIT)),
                operations,
                sum.extensions(),
                record.getLong(CounterLayout.CURRENT_SIZE),
                record.getLong(CounterLayout.MAX_SIZE),
                (int) record.getLong(CounterLayout.MODE),
                MountedDevices.type(record.getLong(CounterLayout.DEVICE)),
                record.getLong(CounterLayout.SECTOR_BYTES),
                oflags,
                OpenFlags.names(oflags),
                record.getLong(CounterLayout.DIRECT) != 0,
                sum.illFormedCount(),
                sum.misalignedCount(),
                sum.seekDelta(),
                record.getLong(CounterLayout.OPENED) - began,
                closed == 0 ? now : closed - began,
                new TraceSnapshot.Distributions(
                        sum.nanos(false),
                        sum.nanos(true),
                        sum.bytes(false),
                        sum.bytes(true),
                        sum.patternBytes(),
                        sum.binNanos(),
                        sum.activity(false),
                        sum.activity(true),
                        errors(record)));
    }

    private static Map<String, Long> errors(ByteBuffer record) {
        long count = record.getLong(CounterLayout.ERROR_COUNT);
        Map<String, Long> errors = new TreeMap<>();
        for (int i = 0; i < Math.min(count, CounterLayout.ERRORS_MAX); i++) {
            int at = CounterLayout.ERRORS + i * CounterLayout.ERROR_BYTES;
            String name = RecordReader.text(record, at, CounterLayout.ERROR_NAME_BYTES);
            errors.merge(name, record.getLong(at + CounterLayout.ERROR_NAME_BYTES), Long::sum);
        }
        return errors;
    }

    /** Returns the name; dots stand for its beginning where the record has only the end. */
    static String name(ByteBuffer record) {
        String name = RecordReader.text(record, CounterLayout.NAME, CounterLayout.NAME_BYTES);
        long length = record.getLong(CounterLayout.NAME_LENGTH);
        return length > CounterLayout.NAME_BYTES ? "..." + name : name;
    }

    static ByteUnit unit(long shift) {
        for (ByteUnit unit : ByteUnit.values()) {
            if (unit.bytes() == 1L << shift) {
                return unit;
            }
        }
        return ByteUnit.BYTES;
    }
}
