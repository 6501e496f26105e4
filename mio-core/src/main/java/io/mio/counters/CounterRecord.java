package io.mio.counters;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A record of the counter file of this process. Indices are bytes, as in {@link CounterLayout}. */
public final class CounterRecord {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
    public LongBuffer words() {
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

    /** One more request of the program, in the share of this thread. Any thread. */
    public void share(int kind, long count) {
        long id = Thread.currentThread().getId();
        int share = (int) (id * 0x9E3779B97F4A7C15L >>> 32) & CounterLayout.SHARE_COUNT - 1;
        int at = CounterLayout.SHARES + share * CounterLayout.SHARE_BYTES + kind;
        LONGS.getAndAdd(bytes, at, 1L);
        LONGS.getAndAdd(bytes, at + 8, count);
    }

    /** All shares together: reads, bytes of these, writes, bytes of these. */
    public long[] shares() {
        long[] sums = new long[4];
        for (int share = 0; share < CounterLayout.SHARE_COUNT; share++) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += get(CounterLayout.SHARES + share * CounterLayout.SHARE_BYTES + i * 8);
            }
        }
        return sums;
    }

    /** Adds to a share. Any thread. */
    public void addShares(long[] sums) {
        for (int i = 0; i < sums.length; i++) {
            LONGS.getAndAdd(bytes, CounterLayout.SHARES + i * 8, sums[i]);
        }
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
        put(CounterLayout.AUTO_STATE, 0);
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
