package io.mio.pf;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.StampedLock;

/**
 * The lock of one file: a read shares it, a write takes it alone, so that a read sees all of an
 * overlapping write or none; with {@code cio} writes share it too (design section 4, reference
 * 7.2). Nobody overtakes who waits to be alone. Not reentrant. Counts the time threads lost in it.
 */
public final class FileGate {
    private final StampedLock lock;

    /** Held by who waits to be alone; who comes later waits here until that one is in. */
    private final StampedLock entry;

    private final AtomicInteger waitingAlone = new AtomicInteger();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();

    FileGate() {
        this(new StampedLock(), new StampedLock());
    }

    /** By locks that a test can have fail. */
    FileGate(StampedLock lock, StampedLock entry) {
        this.lock = lock;
        this.entry = entry;
    }

    /** Enters beside others; the result is for {@link #leave}. */
    public long share() {
        long stamp = waitingAlone.get() == 0 ? lock.tryReadLock() : 0;
        return stamp == 0 ? waitToShare() : stamp;
    }

    private long waitToShare() {
        long began = System.nanoTime();
        // The lock itself would let a reader in past a writer that waits.
        entry.unlockWrite(entry.writeLock());
        long stamp = lock.readLock();
        waited(System.nanoTime() - began);
        return stamp;
    }

    /** Enters alone; the result is for {@link #leave}. */
    public long alone() {
        long stamp = lock.tryWriteLock();
        return stamp == 0 ? waitToBeAlone() : stamp;
    }

    /** Without memory, or stack, for the wait nobody stays behind in the entry. */
    private long waitToBeAlone() {
        long began = System.nanoTime();
        long stamp;
        waitingAlone.incrementAndGet();
        try {
            long first = entry.writeLock();
            try {
                stamp = lock.writeLock();
            } finally {
                entry.unlockWrite(first);
            }
        } finally {
            waitingAlone.decrementAndGet();
        }
        waited(System.nanoTime() - began);
        return stamp;
    }

    /** Leaves; a stamp of 0 is none. */
    public void leave(long stamp) {
        if (stamp != 0) {
            lock.unlock(stamp);
        }
    }

    /**
     * Returns when who was in alone has left, after a second at most, and who shared it (writes
     * with {@code cio}), after ten milliseconds at most. Whoever came meanwhile may be in.
     */
    void letPass() {
        try {
            leave(lock.tryReadLock(1, TimeUnit.SECONDS));
            leave(lock.tryWriteLock(10, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The caller is in, and nobody would let it out: what fails here is not counted. */
    private void waited(long nanos) {
        try {
            waits.increment();
            waitNanos.add(nanos);
        } catch (OutOfMemoryError | StackOverflowError e) {
            return;
        }
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
