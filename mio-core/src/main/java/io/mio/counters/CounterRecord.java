package io.mio.counters;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A record of the counter file of this process. Indices are bytes, as in {@link CounterLayout}. */
public final class CounterRecord {
    private final CounterFile file;
    private final int number;
    private final ByteBuffer bytes;
    private final LongBuffer words;

    /** A piece of the mapped file. */
    CounterRecord(CounterFile file, int number, ByteBuffer bytes) {
        this.file = file;
        this.number = number;
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
        this.words = this.bytes.asLongBuffer();
    }

    int number() {
        return number;
    }

    /** All of it, by words of 8 bytes. */
    LongBuffer words() {
        return words;
    }

    /** A number of the record. */
    public long get(int at) {
        return words.get(at / 8);
    }

    /** Sets a number of the record. */
    public void put(int at, long value) {
        words.put(at / 8, value);
    }

    /** Text that ends with a zero byte or its field; of a longer one the begin. */
    public void text(int at, int field, String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        bytes.put(at, Arrays.copyOf(encoded, field));
    }

    /** The name of a file; of a longer one the end. */
    public void name(String name) {
        byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
        int from = Math.max(0, encoded.length - CounterLayout.NAME_BYTES);
        byte[] field = Arrays.copyOfRange(encoded, from, from + CounterLayout.NAME_BYTES);
        bytes.put(CounterLayout.NAME, field);
        put(CounterLayout.NAME_LENGTH, encoded.length);
    }

    /** Empty, of that kind and owner, not shown yet. */
    void begin(long kind, CounterRecord owner) {
        for (int at = CounterLayout.BODY; at < CounterLayout.RECORD_BYTES; at += 8) {
            put(at, 0);
        }
        put(CounterLayout.OWNER, owner == null ? 0 : owner.number);
        put(
                CounterLayout.OWNER_GENERATION,
                owner == null ? 0 : owner.get(CounterLayout.GENERATION));
        put(CounterLayout.KIND, kind);
    }

    /** From now on readers look at it. */
    public void show() {
        VarHandle.releaseFence();
        put(CounterLayout.GENERATION, get(CounterLayout.GENERATION) + 1);
    }

    /** Nobody counts there any more; to be called once. */
    public void give() {
        long generation = get(CounterLayout.GENERATION);
        put(CounterLayout.GENERATION, generation + (generation & 1));
        VarHandle.releaseFence();
        put(CounterLayout.KIND, CounterLayout.FREE);
        file.give(this);
    }
}
