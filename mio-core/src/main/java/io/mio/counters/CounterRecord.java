package io.mio.counters;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A record of this process's counter file. Indices are in bytes, as in {@link CounterLayout}. */
public final class CounterRecord {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CounterFile file;
    private final int number;
    private final ByteBuffer bytes;
    private final LongBuffer words;

    /** Lies in a piece of the mapped file. */
    CounterRecord(CounterFile file, int number, ByteBuffer bytes) {
        this.file = file;
        this.number = number;
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
        this.words = this.bytes.asLongBuffer();
    }

    int number() {
        return number;
    }

    /** The whole record, by words of 8 bytes. */
    public LongBuffer words() {
        return words;
    }

    /** Returns the number at a place of the record. */
    public long get(int at) {
        return words.get(at / 8);
    }

    /** Sets the number at a place of the record. */
    public void put(int at, long value) {
        words.put(at / 8, value);
    }

    /** Counts a request of the program, with its bytes, in this thread's share. For any thread. */
    public void share(int kind, long count) {
        long id = Thread.currentThread().getId();
        int share = (int) (id * 0x9E3779B97F4A7C15L >>> 32) & CounterLayout.SHARE_COUNT - 1;
        int at = CounterLayout.SHARES + share * CounterLayout.SHARE_BYTES + kind;
        LONGS.getAndAdd(bytes, at, 1L);
        LONGS.getAndAdd(bytes, at + 8, count);
    }

    /** Sums all shares: reads, bytes of these, writes, bytes of these. */
    public long[] shares() {
        long[] sums = new long[4];
        for (int share = 0; share < CounterLayout.SHARE_COUNT; share++) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += get(CounterLayout.SHARES + share * CounterLayout.SHARE_BYTES + i * 8);
            }
        }
        return sums;
    }

    /** Adds to one of the shares. For any thread. */
    public void addShares(long[] sums) {
        for (int i = 0; i < sums.length; i++) {
            LONGS.getAndAdd(bytes, CounterLayout.SHARES + i * 8, sums[i]);
        }
    }

    /** Stores text that ends with a zero byte or its field; a longer one loses its end. */
    public void text(int at, int field, String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        bytes.put(at, Arrays.copyOf(encoded, field));
    }

    /** Stores the name of a file; one longer than the field loses its beginning. */
    public void name(String name) {
        byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
        int from = Math.max(0, encoded.length - CounterLayout.NAME_BYTES);
        byte[] field = Arrays.copyOfRange(encoded, from, from + CounterLayout.NAME_BYTES);
        bytes.put(CounterLayout.NAME, field);
        put(CounterLayout.NAME_LENGTH, encoded.length);
    }

    /** Empties the record and sets kind and owner; readers do not look at it yet. */
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

    /** Has readers look at the record from now on. */
    public void show() {
        VarHandle.releaseFence();
        put(CounterLayout.GENERATION, get(CounterLayout.GENERATION) + 1);
    }

    /** Gives the record back: nobody counts in it any more. Call this once. */
    public void give() {
        long generation = get(CounterLayout.GENERATION);
        put(CounterLayout.GENERATION, generation + (generation & 1));
        VarHandle.releaseFence();
        put(CounterLayout.KIND, CounterLayout.FREE);
        file.give(this);
    }
}
