package io.mio.live;

import io.mio.counters.CounterLayout;
import io.mio.stats.AutoSnapshot.Decision;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Takes the decisions out of a record. */
final class DecisionsBlock {
    private DecisionsBlock() {}

    /**
     * Returns the decisions in their order.
     *
     * @param record as it was read
     * @param again as it was read once more: what differs was just written, and is left out
     * @param began time at which the library of the program started, nanoseconds
     */
    static List<Decision> of(ByteBuffer record, ByteBuffer again, long began) {
        return IntStream.range(0, CounterLayout.DECISIONS_KEPT)
                .map(i -> CounterLayout.DECISION + i * CounterLayout.DECISION_BYTES)
                .filter(at -> record.getLong(at + CounterLayout.DECISION_NUMBER) > 0)
                .filter(at -> Arrays.equals(bytes(record, at), bytes(again, at)))
                .boxed()
                .sorted(
                        Comparator.comparingLong(
                                at -> record.getLong(at + CounterLayout.DECISION_NUMBER)))
                .map(at -> decision(record, at, began))
                .toList();
    }

    private static byte[] bytes(ByteBuffer record, int at) {
        byte[] bytes = new byte[CounterLayout.DECISION_BYTES];
        record.get(at, bytes);
        return bytes;
    }

    private static Decision decision(ByteBuffer record, int at, long began) {
        return new Decision(
                record.getLong(at + CounterLayout.DECISION_NANOS) - began,
                RecordReader.text(
                        record,
                        at + CounterLayout.DECISION_WHAT,
                        CounterLayout.DECISION_WHAT_BYTES),
                RecordReader.text(
                        record,
                        at + CounterLayout.DECISION_REASON,
                        CounterLayout.DECISION_REASON_BYTES));
    }
}
