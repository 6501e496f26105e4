package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to a file's gate when a thread cannot wait at it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileGateTest {
    private final Failing lock = new Failing();
    private final Failing entry = new Failing();
    private final FileGate gate = new FileGate(lock, entry);

    /** A lock that has no memory for a thread that has to wait. */
    private static final class Failing extends StampedLock {
        private static final long serialVersionUID = 1;
        private boolean fails;

        private void wantMemory() {
            if (fails) {
                throw new OutOfMemoryError("on purpose");
            }
        }

        @Override
        public long writeLock() {
            wantMemory();
            return super.writeLock();
        }

        @Override
        public long readLock() {
            wantMemory();
            return super.readLock();
        }
    }

    private void check(Failing failing) {
        failing.fails = true;
        long held = gate.share();
        assertThatThrownBy(gate::alone).isInstanceOf(OutOfMemoryError.class);
        gate.leave(gate.share());
        gate.leave(held);
        held = gate.alone();
        assertThatThrownBy(gate::alone).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(gate::share).isInstanceOf(OutOfMemoryError.class);
        gate.leave(held);
        failing.fails = false;
        assertThat(lock.isWriteLocked() || lock.isReadLocked()).isFalse();
        assertThat(entry.isWriteLocked()).isFalse();
        gate.leave(gate.share());
        gate.leave(gate.alone());
    }

    @Test
    void shouldLetOthersInAfterOneThatCouldNotWait() {
        check(lock);
        check(entry);
    }
}
