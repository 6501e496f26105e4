package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Two channels that get the same calls and must answer alike. */
record TwinChannel(FileChannel mio, FileChannel plain) implements AutoCloseable {
    /** A call on one of the two; its value has all that matters of its outcome. */
    @FunctionalInterface
    interface Call {
        Object on(FileChannel channel) throws Exception;
    }

    /** Makes the call on both; compares value or exception, and then position, size and state. */
    Outcome both(String what, Call call) {
        Outcome expected = Outcome.of(() -> value(plain, call));
        Outcome got = Outcome.of(() -> value(mio, call));
        assertThat(got).as(what).isEqualTo(expected);
        checkState(what);
        return got;
    }

    private static Object value(FileChannel channel, Call call) throws Exception {
        Object value = call.on(channel);
        return value == channel ? "itself" : value;
    }

    private void checkState(String what) {
        if (mio instanceof MioFileChannel channel) {
            assertThat(channel.positionLock.isLocked()).as("%s: locked", what).isFalse();
        }
        assertThat(mio.isOpen()).as("%s: open", what).isEqualTo(plain.isOpen());
        boolean interrupted = Thread.interrupted();
        assertThat(Outcome.of(mio::position))
                .as("%s: position", what)
                .isEqualTo(Outcome.of(plain::position));
        assertThat(Outcome.of(mio::size)).as("%s: size", what).isEqualTo(Outcome.of(plain::size));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        mio.close();
        plain.close();
    }
}
