package io.mio.pf;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.StampedLock;

/**
 * The lock of one file. A read shares it, a write takes it alone, so a read sees all of an
 * overlapping write or none of it; with {@code cio} writes share it, too (design section 4,
 * reference 7.2). Nobody overtakes a thread that waits to be alone. Not reentrant. Counts the time
 * that threads lose in it.
 */
public final class FileGate {
    private final StampedLock lock;

    /** Held by a thread that waits to be alone; later threads wait here until that one is in. */
    private final StampedLock entry;

    private final AtomicInteger waitingAlone = new AtomicInteger();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();

    FileGate() {
        this(new StampedLock(), new StampedLock());
    }

    /** A gate of these locks: a test can have them fail. */
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
        // The lock itself would let a reader overtake a writer that waits.
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

    /** Waits. If that fails for lack of memory or stack, no thread is left holding the entry. */
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

    /** Leaves the gate; a stamp of 0 means that it was not entered. */
    public void leave(long stamp) {
        if (stamp != 0) {
            lock.unlock(stamp);
        }
    }

    /**
     * Waits for a thread that is in alone to leave, a second at most, and for those that share the
     * gate (writes with {@code cio}), ten milliseconds at most. Threads that came meanwhile may be
     * in.
     */
    void letPass() {
        try {
            leave(lock.tryReadLock(1, TimeUnit.SECONDS));
            leave(lock.tryWriteLock(10, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Counts a wait. Errors are dropped: the caller is in, and would not leave the gate after one.
     */
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

    /** Time that threads have waited, nanoseconds. */
    public long waitNanos() {
        return waitNanos.sum();
    }
}
