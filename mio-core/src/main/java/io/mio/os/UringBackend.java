package io.mio.os;

import io.mio.thread.OwnThread;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One thread that owns one io_uring. Other threads put requests into a queue, and wake this one
 * only if it sleeps. It submits what has come in one call, and takes what is complete in the same.
 * The first request starts it. If the ring cannot be opened, or fails, everything goes to the other
 * backend; if only descriptors or memory were lacking, until the ring is tried again.
 */
final class UringBackend extends IoBackend implements Runnable {
    /** Most steps on their way at a time; more wait in the queue. */
    static final int DEPTH = 64;

    /** Time from one try to open the ring to the next; each try costs a thread. */
    private static final long PAUSE_NS = 1_000_000_000;

    private static final long PAUSE_NS_MAX = 64 * PAUSE_NS;

    private final Ring.Maker maker;
    private final IoBackend other;
    private final ConcurrentLinkedQueue<Transfer> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean started = new AtomicBoolean();

    /** True while the thread is, or is about to be, in a wait that a request has to end. */
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** The last try to open the ring failed, or the ring itself did. */
    private volatile boolean failed;

    private volatile boolean failedForGood;

    /** Time of the next try by {@link System#nanoTime}, unless it has failed for good. */
    private volatile long nextTry;

    /** Pause after the next try, if that fails. Used by the ring's thread alone. */
    private long pauseNs = PAUSE_NS;

    /** No requests are expected any more, see {@link #rest}. */
    private volatile boolean rests;

    /** The ring's thread, once it rests. */
    private volatile Thread resting;

    /** Held to wake and to close the ring, because closing frees its memory. */
    private final ReentrantLock ringLock = new ReentrantLock();

    private Ring ring;

    // Used by the ring's thread alone:
    private final Transfer[] flying = new Transfer[DEPTH];
    private final int[] freeIds = new int[DEPTH];
    private final int[] givenIds = new int[DEPTH];
    private final ArrayDeque<Transfer> ready = new ArrayDeque<>(DEPTH);
    private int free;

    UringBackend(Ring.Maker maker, IoBackend other) {
        super("io_uring");
        this.maker = maker;
        this.other = other;
    }

    /** True if everything goes to the other backend, for good or until the ring is tried again. */
    boolean hasFailed() {
        return failed;
    }

    private boolean isOff() {
        return failed && (failedForGood || System.nanoTime() - nextTry < 0);
    }

    private void failForGood() {
        failedForGood = true;
        failed = true;
    }

    @Override
    void submit(Transfer transfer) {
        if (isOff() || !transfer.isForRing()) {
            other.submit(transfer);
            return;
        }
        queue.add(transfer);
        if (asleep.compareAndSet(true, false)) {
            wake();
        } else if (started.compareAndSet(false, true)) {
            start();
        }
        if (isOff()) {
            passOn();
        }
    }

    private void start() {
        try {
            OwnThread.daemon(this, "mio-io").start();
        } catch (OutOfMemoryError | SecurityException e) {
            // No more threads for this process.
            failForGood();
        }
    }

    /**
     * Has the thread wait for requests outside the kernel from now on: a JVM that ends gives
     * threads in native code 0.3 s to come back.
     */
    void rest() {
        rests = true;
        if (asleep.compareAndSet(true, false)) {
            wake();
        }
    }

    /** Waits outside the kernel until there is a request. */
    private void sleep() {
        resting = Thread.currentThread();
        while (asleep.get()) {
            LockSupport.park(this);
        }
    }

    private void wake() {
        LockSupport.unpark(resting);
        ringLock.lock();
        try {
            if (ring != null) {
                ring.wake();
            }
        } finally {
            ringLock.unlock();
        }
    }

    /** Passes what is queued to the other backend. */
    private void passOn() {
        Transfer transfer;
        while ((transfer = queue.poll()) != null) {
            other.submit(transfer);
        }
    }

    @Override
    public void run() {
        try {
            Ring opened = maker.open(DEPTH);
            ringLock.lock();
            try {
                ring = opened;
            } finally {
                ringLock.unlock();
            }
            failed = false;
            for (int id = 0; id < DEPTH; id++) {
                freeIds[free++] = id;
            }
            while (true) {
                turn();
            }
        } catch (Ring.Lacking e) {
            pause(e);
        } catch (IOException | RuntimeException | Error e) {
            giveUp(e);
        }
    }

    /** Pauses, because there can be no ring for now. */
    private void pause(Ring.Lacking why) {
        boolean tells = pauseNs == PAUSE_NS;
        nextTry = System.nanoTime() + pauseNs;
        pauseNs = Math.min(2 * pauseNs, PAUSE_NS_MAX);
        failed = true;
        OwnFile any = anyFile();
        // A request queued from now on starts a thread of its own, or finds the ring off.
        started.set(false);
        passOn();
        if (tells && any != null) {
            tell(any, why);
        }
    }

    /** Submits what is queued, takes what is complete, waits if there is nothing else to do. */
    private void turn() throws IOException {
        int count = 0;
        while (count < free) {
            Transfer transfer = ready.pollFirst();
            if (transfer == null) {
                transfer = queue.poll();
                if (transfer == null) {
                    break;
                }
                if (!transfer.nextInPlace()) {
                    transfer.complete();
                    continue;
                }
            }
            givenIds[count] = freeIds[free - 1 - count];
            // Entered first, so that it is known whatever fails after that.
            flying[givenIds[count]] = transfer;
            describe(transfer, givenIds[count], count * NativeCalls.OP_WORDS);
            count++;
        }
        boolean full = count == free;
        boolean wait = full;
        if (!full) {
            asleep.set(true);
            wait = queue.isEmpty();
            if (wait && count == 0 && free == DEPTH && rests) {
                sleep();
                return;
            }
        }
        int completions = ring.enter(count, DEPTH, wait);
        asleep.set(false);
        int submitted = ring.submitted[0];
        free -= submitted;
        // Steps that were not submitted go back to the front, in their order.
        for (int i = count - 1; i >= submitted; i--) {
            ready.addFirst(flying[givenIds[i]]);
            flying[givenIds[i]] = null;
        }
        if (completions < 0 && !mayPass(-completions)) {
            throw NativeCalls.failure(-completions);
        }
        boolean canceled = take(Math.max(completions, 0));
        if (submitted < count && free == DEPTH) {
            // The kernel has no room, and nothing is on its way that would make some.
            while (!ready.isEmpty()) {
                other.submit(ready.pollFirst());
            }
        }
        if (canceled) {
            throw NativeCalls.failure(Errno.ECANCELED);
        }
    }

    private void describe(Transfer transfer, int id, int at) {
        ring.ops.put(at, id);
        ring.ops.put(at + 1, transfer.stepAddress());
        ring.ops.put(at + 2, transfer.stepOffset());
        ring.ops.put(at + 3, transfer.stepBytes());
        ring.ops.put(at + 4, transfer.stepDescriptor());
        ring.ops.put(at + 5, transfer.isWrite() ? 1 : 0);
        ring.ops.put(at + 6, transfer.stepFlags());
        ring.ops.put(at + 7, transfer.stepIsDirect() ? 0 : 1);
    }

    private static boolean mayPass(int errno) {
        return errno == Errno.EBUSY || errno == Errno.ENOMEM || Errno.isPassing(errno);
    }

    /**
     * @return whether the kernel wants a thread of its own for a request and this process may have
     *     no more of them: it would say so again and again, to each request that may have to wait
     */
    private boolean take(int completions) {
        boolean canceled = false;
        for (int i = 0; i < completions; i++) {
            int result = result(i);
            canceled |= result == -Errno.ECANCELED;
            Transfer transfer = landed(i);
            if (!transfer.nextInPlace()) {
                transfer.complete();
            } else if (result == -Errno.EAGAIN) {
                // The ring would answer so as long as the file does; a call that waits tells more.
                other.submit(transfer);
            } else {
                ready.addLast(transfer);
            }
        }
        return canceled;
    }

    private int result(int index) {
        return Errno.ofRing((int) ring.dones.get(index * NativeCalls.DONE_WORDS + 1));
    }

    private Transfer landed(int index) {
        int id = (int) ring.dones.get(index * NativeCalls.DONE_WORDS);
        Transfer transfer = flying[id];
        flying[id] = null;
        freeIds[free++] = id;
        transfer.advance(result(index));
        return transfer;
    }

    /**
     * Gives the ring up. Waits for what the kernel has as long as the ring answers. What does not
     * come back is done again, which gives the same bytes.
     */
    private void giveUp(Throwable why) {
        failForGood();
        OwnFile any = anyFile();
        boolean answers = ring != null;
        while (answers && free < DEPTH) {
            int completions = ring.enter(0, DEPTH, true);
            answers = completions >= 0 || mayPass(-completions);
            for (int i = 0; i < completions; i++) {
                other.submit(landed(i));
            }
        }
        for (Transfer transfer : flying) {
            if (transfer != null) {
                other.submit(transfer);
            }
        }
        while (!ready.isEmpty()) {
            other.submit(ready.pollFirst());
        }
        ringLock.lock();
        try {
            if (ring != null) {
                ring.close();
                ring = null;
            }
        } finally {
            ringLock.unlock();
        }
        passOn();
        if (any != null) {
            tell(any, why);
        }
    }

    private static void tell(OwnFile any, Throwable why) {
        any.say("io_uring: " + why.getMessage() + "; threads instead");
    }

    /** Returns a file that has a request here, or null. */
    private OwnFile anyFile() {
        for (Transfer transfer : flying) {
            if (transfer != null) {
                return transfer.file();
            }
        }
        Transfer waiting = ready.isEmpty() ? queue.peek() : ready.peekFirst();
        return waiting == null ? null : waiting.file();
    }
}
