package io.mio.pf;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.StampedLock;

/**
 * The lock of one file: a read shares it, a write takes it alone, so that a read sees all of an
 * overlapping write or none; with {@code cio} writes share it too (design section 4, reference
 * 7.2). Not reentrant. Counts the time threads lost in it.
 */
public final class FileGate {
    private final StampedLock lock = new StampedLock();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();

    /** Enters beside others; the result is for {@link #leave}. */
    public long share() {
        long stamp = lock.tryReadLock();
        if (stamp == 0) {
            long began = System.nanoTime();
            stamp = lock.readLock();
            waited(System.nanoTime() - began);
        }
        return stamp;
    }

    /** Enters alone; the result is for {@link #leave}. */
    public long alone() {
        long stamp = lock.tryWriteLock();
        if (stamp == 0) {
            long began = System.nanoTime();
            stamp = lock.writeLock();
            waited(System.nanoTime() - began);
        }
        return stamp;
    }

    /** Leaves; a stamp of 0 is none. */
    public void leave(long stamp) {
        if (stamp != 0) {
            lock.unlock(stamp);
        }
    }

    private void waited(long nanos) {
        waits.increment();
        waitNanos.add(nanos);
    }

    /** How often a thread had to wait. */
    public long waits() {
        return waits.sum();
    }

    /** Time threads waited, nanoseconds. */
    public long waitNanos() {
        return waitNanos.sum();
    }
}
