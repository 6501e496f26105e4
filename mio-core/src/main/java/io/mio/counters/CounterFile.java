package io.mio.counters;

import io.mio.stats.ProcessFacts;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.util.ArrayDeque;

/**
 * The live counter file of this process (docs/format/live.md). It is made with the first layer that
 * counts, and removed when the JVM ends. If there can be no file, or it is full, counters are plain
 * memory.
 *
 * <p>The file is made, and grows, in {@link #reserve} alone; records are taken from what is there.
 */
public final class CounterFile {
    /** Records by which the file grows. */
    private static final int STEP = 32;

    /** Least free records: for an open with its layers, and threads that come to a file later. */
    private static final int SPARE = 20;

    private static CounterFile process;

    /** Null if nobody wants a file, or there can be none. */
    private CounterPlace place;

    private final ArrayDeque<CounterRecord> free = new ArrayDeque<>();
    private CounterRecord header;
    private int records;
    private boolean full;
    private String engine = "";

    private CounterFile(CounterPlace place) {
        this.place = place;
    }

    /** Sets what the process's first file system with rules wants; only the first call counts. */
    public static synchronized void begin(FileSystem platform, String setting) {
        if (process == null) {
            process = new CounterFile(CounterPlace.of(platform, setting));
        }
    }

    private static synchronized CounterFile process() {
        return process;
    }

    /**
     * Makes the file, and room in it, if that is possible. Call before the layers of an open are
     * made.
     *
     * @param engine how page requests are done
     * @return true if this call has made the file
     */
    public static boolean reserve(String engine) {
        CounterFile file = process();
        return file != null && file.make(engine);
    }

    /**
     * Takes an empty record, to be filled in and shown.
     *
     * @param kind as in {@link CounterLayout}
     * @param owner record that a stripe or decisions belong to, else null
     * @return null if there is none left
     */
    public static CounterRecord take(long kind, CounterRecord owner) {
        CounterFile file = process();
        return file == null ? null : file.taken(kind, owner);
    }

    /** Removes the file when the JVM ends; counting goes on meanwhile. */
    public static void end() {
        CounterFile file = process();
        if (file != null) {
            file.remove();
        }
    }

    private synchronized boolean make(String newEngine) {
        boolean makes = header == null;
        if (place == null || full || (!makes && free.size() >= SPARE)) {
            tellEngine(newEngine);
            return false;
        }
        // An interrupt would close the channel. It is the program's, so it is set again afterwards.
        boolean interrupted = Thread.interrupted();
        try {
            grow();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            giveUp();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        tellEngine(newEngine);
        return makes && header != null;
    }

    /** The records there stay; an interrupt in between only costs the rest of the file. */
    private void giveUp() {
        full = true;
        if (header == null && place != null) {
            place.remove();
            place = null;
        }
    }

    private void grow() throws IOException {
        ProcFacts.Identity self = header == null ? ProcFacts.identity("self") : null;
        if (header == null && self == null) {
            throw new IOException("/proc does not tell of this process");
        }
        int bytes = CounterLayout.RECORD_BYTES;
        try (FileChannel channel =
                header == null ? place.create(self.pid()) : place.reopen((long) records * bytes)) {
            CounterPlace.lengthen(channel, (long) records * bytes, STEP * bytes);
            ByteBuffer chunk =
                    channel.map(
                            FileChannel.MapMode.READ_WRITE,
                            (long) records * bytes,
                            (long) STEP * bytes);
            for (int i = STEP - 1; i >= 0; i--) {
                free.push(new CounterRecord(this, records + i, chunk.slice(i * bytes, bytes)));
            }
        }
        records += STEP;
        full = records + STEP > CounterLayout.RECORDS_MAX;
        if (header == null) {
            header = free.pop();
            fill(self);
        }
        header.put(CounterLayout.RECORDS, records);
    }

    private void fill(ProcFacts.Identity self) {
        long since = ProcessFacts.sinceStart(System.nanoTime());
        header.put(CounterLayout.VERSION, CounterLayout.VERSION_NOW);
        header.put(CounterLayout.RECORD_SIZE, CounterLayout.RECORD_BYTES);
        header.put(CounterLayout.RECORDS, records);
        header.put(CounterLayout.PID, self.pid());
        header.put(CounterLayout.START_TIME, self.startTime());
        header.put(CounterLayout.STACK_BEGIN, self.stackBegin());
        header.put(CounterLayout.BEGAN_REAL, System.currentTimeMillis() * 1_000_000 - since);
        header.put(CounterLayout.BEGAN, ProcessFacts.START_NANOS);
        header.put(CounterLayout.STATE, CounterLayout.STATE_RUNS);
        header.put(CounterLayout.DOOR, CounterLayout.DOOR_JVM);
        header.text(CounterLayout.PROGRAM, CounterLayout.PROGRAM_BYTES, ProcessFacts.program());
        VarHandle.releaseFence();
        header.put(0, CounterLayout.MAGIC);
    }

    /** Stores how page requests are done, which is known with the first of them. */
    private void tellEngine(String now) {
        if (header != null && !engine.equals(now)) {
            engine = now;
            header.text(CounterLayout.ENGINE, CounterLayout.WORD_BYTES, now);
        }
    }

    private synchronized CounterRecord taken(long kind, CounterRecord owner) {
        CounterRecord record = free.poll();
        if (record != null) {
            record.begin(kind, owner);
        } else if (header != null && kind != CounterLayout.DECISIONS) {
            long unrecorded = header.get(CounterLayout.UNRECORDED);
            header.put(CounterLayout.UNRECORDED, unrecorded + 1);
        }
        return record;
    }

    synchronized void give(CounterRecord record) {
        free.push(record);
    }

    private synchronized void remove() {
        if (header != null) {
            header.put(CounterLayout.STATE, CounterLayout.STATE_ENDED);
        }
        if (place != null) {
            place.remove();
            place = null;
        }
        full = true;
    }
}
