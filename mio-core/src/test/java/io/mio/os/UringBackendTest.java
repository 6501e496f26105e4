package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.fs.DirectSupport;
import io.mio.layer.IoRequest;
import io.mio.os.OwnFiles.Opened;
import io.mio.os.OwnFiles.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings that are refused, full or broken: every request completes once, with the right bytes. */
class UringBackendTest {
    private static final int PART = 16384;
    private static final int PARTS = 300;

    private Path path;
    private byte[] content;

    @BeforeEach
    void makeFile() throws IOException {
        assumeTrue(OwnFiles.isPossible(Way.URING), "io_uring is not to be had here");
        path = Files.createTempFile(Path.of("target").toAbsolutePath(), "uring", ".dat");
        content = new byte[PART * PARTS];
        new Random(1).nextBytes(content);
        Files.write(path, content);
        assumeTrue(DirectSupport.isThere(path), "no direct I/O here, or a file in memory");
    }

    @AfterEach
    void deleteFile() throws IOException {
        if (path != null) {
            Files.delete(path);
        }
    }

    /**
     * Passes everything to a real ring, unless {@code error} returns the errno with which this
     * entry into the kernel fails; 0 is none.
     */
    private abstract static class Rigged extends Ring {
        private final Ring real;
        private int entries;

        Rigged(int entries) throws IOException {
            super(entries);
            real = OwnFiles.RINGS.open(entries);
        }

        abstract int error(int entry);

        /** The number of requests that the kernel gets to see, of {@code count}. */
        int let(int count) {
            return count;
        }

        @Override
        int enter(int count, int max, boolean wait) {
            int error = error(entries++);
            if (error != 0) {
                submitted[0] = 0;
                return -error;
            }
            for (int i = 0; i < count * NativeCalls.OP_WORDS; i++) {
                real.ops.put(i, ops.get(i));
            }
            int completions = real.enter(let(count), max, wait && let(count) == count);
            submitted[0] = real.submitted[0];
            for (int i = 0; i < completions * NativeCalls.DONE_WORDS; i++) {
                dones.put(i, real.dones.get(i));
            }
            return completions;
        }

        @Override
        void wake() {
            real.wake();
        }

        @Override
        void close() {
            real.close();
        }
    }

    private static Ring rigged(int entries, Rule rule, int let) throws IOException {
        return new Rigged(entries) {
            @Override
            int error(int entry) {
                return rule.error(entry);
            }

            @Override
            int let(int count) {
                return Math.min(let, count);
            }
        };
    }

    private interface Rule {
        int error(int entry);
    }

    /** Reads and rewrites the whole file in parts, all submitted at once. */
    private List<String> run(UringBackend backend) throws Exception {
        List<String> said = new ArrayList<>();
        try (Opened opened = OwnFiles.open(Way.SYNC, path, true)) {
            OwnFile.Parts parts = new OwnFile.Parts();
            assertThat(
                            NativeOpening.open(
                                    NativeHelper.load(),
                                    NativeOpening.descriptor(opened.channel()),
                                    2,
                                    new Backends.Wish(true, false, true),
                                    named(parts, said)))
                    .isTrue();
            parts.backend = backend;
            OwnFile file = new OwnFile(parts);
            byte[] seen = new byte[content.length];
            all(file, seen, false);
            assertThat(Arrays.equals(seen, content)).isTrue();
            new Random(2).nextBytes(content);
            all(file, content, true);
            file.close();
        }
        assertThat(Arrays.equals(Files.readAllBytes(path), content)).isTrue();
        assertThat(OwnFiles.descriptors(path)).isZero();
        return said;
    }

    private OwnFile.Parts named(OwnFile.Parts parts, List<String> said) {
        parts.name = "file";
        parts.debug =
                line -> {
                    synchronized (said) {
                        said.add(line);
                    }
                };
        return parts;
    }

    private static void all(OwnFile file, byte[] bytes, boolean writes) throws Exception {
        AtomicInteger completions = new AtomicInteger();
        List<IoRequest> requests = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            ByteBuffer frame = ByteBuffer.allocateDirect(PART + 4096).alignedSlice(4096);
            frame.put(0, bytes, i * PART, PART).limit(PART);
            IoRequest.Completion counts = done -> completions.incrementAndGet();
            IoRequest request =
                    writes
                            ? IoRequest.write(frame, (long) i * PART, counts)
                            : IoRequest.read(frame, (long) i * PART, counts);
            requests.add(request);
            file.submit(request);
        }
        for (int i = 0; i < PARTS; i++) {
            IoRequest request = requests.get(i);
            request.await();
            assertThat(request.error()).isNull();
            assertThat(request.delivered()).isEqualTo(PART);
            request.buffer().get(0, bytes, i * PART, PART);
        }
        assertThat(completions.get()).isEqualTo(PARTS);
    }

    private static UringBackend backend(Ring.Maker maker) {
        return new UringBackend(maker, new ThreadsBackend());
    }

    @Test
    void shouldDoAllWithARing() throws Exception {
        UringBackend backend = backend(OwnFiles.RINGS);
        assertThat(run(backend)).isEmpty();
        assertThat(backend.hasFailed()).isFalse();
    }

    @Test
    void shouldFallToThreadsWhenTheRingIsRefused() throws Exception {
        UringBackend backend =
                backend(
                        entries -> {
                            throw new IOException("Operation not permitted");
                        });
        assertThat(run(backend))
                .isSubsetOf("file: io_uring: Operation not permitted; threads instead");
        assertThat(backend.hasFailed()).isTrue();
    }

    @Test
    @Timeout(60)
    void shouldHaveARingAgainWhenThereAreDescriptorsForIt() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        UringBackend backend =
                backend(
                        entries -> {
                            if (tries.incrementAndGet() == 1) {
                                throw new Ring.Lacking("Too many open files");
                            }
                            return OwnFiles.RINGS.open(entries);
                        });
        assertThat(run(backend)).isSubsetOf("file: io_uring: Too many open files; threads instead");
        do {
            assertThat(run(backend)).isEmpty();
        } while (backend.hasFailed());
        assertThat(tries).hasValue(2);
    }

    @Test
    void shouldFallToThreadsWhenTheRingFailsAndAnswersNoMore() throws Exception {
        UringBackend backend =
                backend(
                        entries ->
                                rigged(
                                        entries,
                                        entry -> entry < 3 ? 0 : 9 /* EBADF */,
                                        Integer.MAX_VALUE));
        run(backend);
        assertThat(backend.hasFailed()).isTrue();
    }

    @Test
    void shouldWaitForWhatAFailingRingHas() throws Exception {
        UringBackend backend =
                backend(
                        entries ->
                                rigged(
                                        entries,
                                        entry -> entry == 3 ? 14 /* EFAULT */ : 0,
                                        Integer.MAX_VALUE));
        run(backend);
        assertThat(backend.hasFailed()).isTrue();
    }

    @Test
    void shouldLoseNothingToAnErrorInMiosOwnThread() throws Exception {
        UringBackend backend =
                backend(
                        entries ->
                                rigged(
                                        entries,
                                        entry -> {
                                            if (entry == 2) {
                                                throw new IllegalStateException("a test");
                                            }
                                            return 0;
                                        },
                                        Integer.MAX_VALUE));
        run(backend);
        assertThat(backend.hasFailed()).isTrue();
    }

    /** The kernel cannot make its own thread for a request, and cancels the request. */
    @Test
    void shouldFallToThreadsWhenTheKernelCannotHaveAThread() throws Exception {
        UringBackend backend =
                backend(
                        entries ->
                                new Rigged(entries) {
                                    @Override
                                    int error(int entry) {
                                        return 0;
                                    }

                                    @Override
                                    int enter(int count, int max, boolean wait) {
                                        int completions = super.enter(count, max, wait);
                                        for (int i = 0; i < completions; i++) {
                                            dones.put(
                                                    i * NativeCalls.DONE_WORDS + 1,
                                                    -Errno.ECANCELED);
                                        }
                                        return completions;
                                    }
                                });
        assertThat(run(backend)).isSubsetOf("file: io_uring: Operation canceled; threads instead");
        assertThat(backend.hasFailed()).isTrue();
    }

    @Test
    void shouldTryAgainWhatTheKernelHadNoRoomFor() throws Exception {
        UringBackend backend =
                backend(entries -> rigged(entries, entry -> entry % 3 == 1 ? Errno.EAGAIN : 0, 5));
        assertThat(run(backend)).isEmpty();
        assertThat(backend.hasFailed()).isFalse();
    }

    /**
     * A ring may answer so for ever: the file is never ready, or its file system finds no room in
     * time.
     */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EAGAIN, Errno.ENOSPC, Errno.EDQUOT, Errno.ENOMEM})
    void shouldHaveAThreadWaitForWhatTheRingDoesNotWaitFor(int answer) throws Exception {
        AtomicInteger answered = new AtomicInteger();
        UringBackend backend =
                backend(
                        entries ->
                                new Rigged(entries) {
                                    @Override
                                    int error(int entry) {
                                        return 0;
                                    }

                                    @Override
                                    int enter(int count, int max, boolean wait) {
                                        int completions = super.enter(count, max, wait);
                                        for (int i = 0; i < completions; i++) {
                                            if (answered.incrementAndGet() < 20 * PARTS) {
                                                dones.put(i * NativeCalls.DONE_WORDS + 1, -answer);
                                            }
                                        }
                                        return completions;
                                    }
                                });
        assertThat(run(backend)).isEmpty();
        assertThat(answered).hasValue(2 * PARTS);
        assertThat(backend.hasFailed()).isFalse();
    }

    @Test
    @Timeout(60)
    void shouldWaitOutsideOfTheKernelOnceItRests() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        UringBackend backend = telling(thread);
        assertThat(run(backend)).isEmpty();
        backend.rest();
        untilOutside(thread.get());
        for (int round = 0; round < 3; round++) {
            assertThat(run(backend)).isEmpty();
            untilOutside(thread.get());
        }
        assertThat(backend.hasFailed()).isFalse();
    }

    @Test
    @Timeout(60)
    void shouldRestBeforeItsFirstRequest() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        UringBackend backend = telling(thread);
        backend.rest();
        assertThat(run(backend)).isEmpty();
        untilOutside(thread.get());
    }

    /** A backend that tells which thread has its ring. */
    private static UringBackend telling(AtomicReference<Thread> thread) {
        return backend(
                entries -> {
                    thread.set(Thread.currentThread());
                    return OwnFiles.RINGS.open(entries);
                });
    }

    /** Waits until the thread waits outside the kernel; inside it would be {@code RUNNABLE}. */
    private static void untilOutside(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
