package io.mio.pf;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held only for short times. A thread that finds it taken tries again for a while
 * before it gives up the processor, which costs many times what the holder has to do.
 */
final class ShortLock extends ReentrantLock {
    private static final long serialVersionUID = 1;
    private static final int SPINS = 40;

    @Override
    public void lock() {
        for (int spin = 0; spin < SPINS; spin++) {
            if (tryLock()) {
                return;
            }
            if (hasQueuedThreads()) {
                break;
            }
            Thread.onSpinWait();
        }
        super.lock();
    }
}
