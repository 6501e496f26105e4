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
    private final StampedLock lock = new StampedLock();

    /** Held by who waits to be alone; who comes later waits here until that one is in. */
    private final StampedLock entry = new StampedLock();

    private final AtomicInteger waitingAlone = new AtomicInteger();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();

    /** Enters beside others; the result is for {@link #leave}. */
    public long share() {
        long stamp = waitingAlone.get() == 0 ? lock.tryReadLock() : 0;
        if (stamp == 0) {
            long began = System.nanoTime();
            // The lock itself would let a reader in past a writer that waits.
            entry.unlockWrite(entry.writeLock());
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
            waitingAlone.incrementAndGet();
            long first = entry.writeLock();
            stamp = lock.writeLock();
            entry.unlockWrite(first);
            waitingAlone.decrementAndGet();
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
