package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Errors that might pass but do not: a file system may return them for ever. */
class PassingErrorTest {
    /** A descriptor that returns the same error, more often than anybody should try. */
    private static final class Answering extends Descriptor {
        private final int errno;
        private final AtomicInteger asked = new AtomicInteger();

        Answering(int errno) {
            this.errno = errno;
        }

        private int answer(int length) {
            return asked.incrementAndGet() < 1000 ? -errno : length;
        }

        @Override
        int number() {
            return -1;
        }

        @Override
        int read(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags) {
            return answer(length);
        }

        @Override
        int write(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags) {
            return answer(length);
        }

        @Override
        long size() {
            return 0;
        }

        @Override
        void truncate(long size) {}

        @Override
        void sync(boolean metadata) {}

        @Override
        boolean reserve(long offset, long bytes) {
            return false;
        }

        @Override
        void close() {}
    }

    @BeforeEach
    void needsTheWordsOfErrors() {
        assumeTrue(OwnFiles.isPossible(OwnFiles.Way.SYNC), "the helper is not to be had here");
    }

    private static void handsOn(int errno, String words) throws Exception {
        for (IoBackend backend : List.of(new SyncBackend(), new ThreadsBackend())) {
            Answering descriptor = new Answering(errno);
            OwnFile.Parts parts = new OwnFile.Parts();
            parts.shared = SharedFile.enter(new FileKey(-1, -1));
            parts.buffered = descriptor;
            parts.readable = true;
            parts.writable = true;
            parts.backend = backend;
            OwnFile file = new OwnFile(parts);
            ByteBuffer buffer = ByteBuffer.allocateDirect(10);
            assertThatThrownBy(() -> file.read(buffer, 0)).hasMessage(words);
            assertThatThrownBy(() -> file.write(buffer, 0)).hasMessage(words);
            IoRequest read = IoRequest.read(buffer, 0, done -> {});
            IoRequest write = IoRequest.write(buffer, 0, done -> {});
            for (IoRequest request : List.of(read, write)) {
                file.submit(request);
                request.await();
                assertThat(request.error()).isInstanceOf(IOException.class).hasMessage(words);
            }
            assertThat(buffer.position()).isZero();
            assertThat(descriptor.asked).hasValue(4);
            file.close();
        }
    }

    @Test
    void shouldHandOnThatAFileSystemWantsItTriedAgain() throws Exception {
        handsOn(Errno.EAGAIN, "Resource temporarily unavailable");
    }

    @Test
    void shouldHandOnThatAFileSystemHasCancelledIt() throws Exception {
        handsOn(Errno.ECANCELED, "Operation canceled");
    }
}
