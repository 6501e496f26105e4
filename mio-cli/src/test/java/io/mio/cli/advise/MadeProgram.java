package io.mio.cli.advise;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.stats.TraceOperation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Writes an events file of a program with several files, whose calls take known times. */
final class MadeProgram implements Closeable {
    /** What a read takes that waits for the device, in ns; {@link #WARM}: one that does not. */
    static final long COLD = 60_000;

    static final long WARM = 1_500;

    private static final int RDWR = 2;
    private static final long THINK = 2_000;

    private final MadeEvents events;
    private int process = MadeEvents.PROCESS;
    private int files;
    private long requests;
    private long now;

    MadeProgram(Path file) throws IOException {
        this(file, EventFormat.NATIVE);
    }

    /** Does the same for a program whose opens are seen by this door. */
    MadeProgram(Path file, int door) throws IOException {
        events = new MadeEvents(file, MadeEvents.header(door, "program"));
        events.process(door, "program");
    }

    /** What follows is done by another process, a native one. */
    void another(int number) throws IOException {
        process = number;
        events.another(number, "program");
    }

    /** Opens a file, and returns its number. */
    int open(String path, long sizeBytes) throws IOException {
        return open(path, 101 + files, sizeBytes);
    }

    /** Does the same for a file that may have several names. */
    int open(String path, long inode, long sizeBytes) throws IOException {
        return open(path, inode, sizeBytes, RDWR);
    }

    /** Does the same with these flags of the open. */
    int open(String path, long inode, long sizeBytes, int oflags) throws IOException {
        int id =
                events.define(
                        new EventFile(
                                ++files,
                                EventFormat.OF_TRACE,
                                1,
                                process,
                                now,
                                7,
                                inode,
                                oflags,
                                0600,
                                sizeBytes,
                                0,
                                0,
                                0,
                                1,
                                path,
                                "trace",
                                "program",
                                "os"));
        call(TraceOperation.OPEN, id, -1, 0, WARM);
        return id;
    }

    void read(int file, long offset, int bytes, long nanos) throws IOException {
        call(TraceOperation.READ, file, offset, bytes, nanos);
    }

    /** A read that delivers less than it asks for. */
    void read(int file, long offset, long asked, int bytes, long nanos) throws IOException {
        call(TraceOperation.READ, file, offset, asked, bytes, nanos);
    }

    void write(int file, long offset, int bytes, long nanos) throws IOException {
        call(TraceOperation.WRITE, file, offset, bytes, nanos);
    }

    /** Asynchronous reads of one size, one behind the other, all on their way at the same time. */
    void readTogether(int file, long offset, int bytes, int count, long nanos) throws IOException {
        for (int i = 0; i < count; i++) {
            MadeEvent[] both = {
                MadeEvent.call(TraceOperation.AREAD, file, now, 0),
                MadeEvent.end(TraceOperation.AREAD, file, now, nanos)
            };
            requests++;
            for (MadeEvent each : both) {
                events.add(each.bytes(offset + (long) i * bytes, bytes).number(requests).made());
            }
        }
        now += nanos + THINK;
    }

    void map(int file) throws IOException {
        call(TraceOperation.MMAP, file, -1, 0, WARM);
    }

    void sync(int file, long nanos) throws IOException {
        call(TraceOperation.FSYNC, file, -1, 0, nanos);
    }

    void lock(int file) throws IOException {
        call(TraceOperation.FCNTL, file, -1, 0, WARM);
    }

    void finish(int file) throws IOException {
        call(TraceOperation.CLOSE, file, -1, 0, WARM);
    }

    /** The program works for this time. */
    void think(long nanos) {
        now += nanos;
    }

    private void call(TraceOperation operation, int file, long offset, int bytes, long nanos)
            throws IOException {
        call(operation, file, offset, bytes, bytes, nanos);
    }

    private void call(
            TraceOperation operation, int file, long offset, long asked, int bytes, long nanos)
            throws IOException {
        events.add(
                MadeEvent.call(operation, file, now, nanos)
                        .bytes(offset, asked, bytes)
                        .thread(7)
                        .made());
        now += nanos + THINK;
    }

    @Override
    public void close() throws IOException {
        events.close();
    }
}
