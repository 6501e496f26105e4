package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.Mio;
import io.mio.events.EventReader;
import io.mio.stack.StackBuilder;
import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Opens under {@code pf/auto} that take pages on their way. */
class AutoPagesTest extends AutoPagesFixture {
    @Test
    void shouldShowWritesByEveryOpen() throws IOException {
        try (FileChannel channel = paged(READ, WRITE);
                FileChannel other = open(READ, WRITE)) {
            for (int i = 0; i < 50; i++) {
                write(i % 2 == 0 ? channel : other, i * 77L, 333);
                check(channel, i * 77L - i, 400);
                check(other, i * 77L, 400);
            }
            assertThat(Files.readAllBytes(path)).isEqualTo(content);
            write(channel, SIZE + 5000, 10);
            assertThat(other.size()).isEqualTo(SIZE + 5010);
            check(channel, SIZE - 10, 6000);
            other.truncate(5000);
            content = Arrays.copyOf(content, 5000);
            check(channel, 4990, 100);
            check(channel, 5000, 100);
            assertThat(channel.size()).isEqualTo(5000);
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(content);
    }

    @Test
    void shouldSeeWhatIsWrittenPastAllLayers() throws IOException {
        try (RandomAccessFile beside = new RandomAccessFile(path.toFile(), "rw");
                FileChannel channel = open(READ)) {
            small(channel);
            assertThat(decisions())
                    .containsExactly(
                            "no-pages: others write the file past MIO, or have it mapped, though "
                                    + SMALL);
            assertThat(Mio.snapshots())
                    .as("what is told of the pages")
                    .noneMatch(
                            block ->
                                    block instanceof PfSnapshot pages
                                            && path.toString().equals(pages.file()));
            beside.seek(50);
            beside.write(7);
            content[50] = 7;
            check(channel, 0, 100);
        }
    }

    /** Takes so long that the program may have waited for another process. */
    private static void doSomethingElse() {
        long began = System.nanoTime();
        while (System.nanoTime() - began < 20_000) {
            Thread.onSpinWait();
        }
    }

    /** Writes by a descriptor that MIO does not know of, as another process does. */
    private void writeElsewhere(int offset, byte value) throws IOException {
        try (RandomAccessFile elsewhere = new RandomAccessFile(path.toFile(), "rw")) {
            elsewhere.seek(offset);
            elsewhere.write(value);
        }
        content[offset] = value;
        doSomethingElse();
    }

    @Test
    void shouldReadWhatAnotherProcessHasMadeOfTheFile() throws IOException {
        for (int i = 0; i < 20; i++) {
            OldFile.await(path);
            try (FileChannel channel = paged(READ, WRITE)) {
                writeElsewhere(100 * i, (byte) i);
                check(channel, 100L * i, 100);
                content[100 * i + 50] = (byte) i;
                channel.write(ByteBuffer.wrap(content, 100 * i + 50, 1), 100L * i + 50);
                writeElsewhere(100 * i, (byte) -i);
                check(channel, 100L * i, 100);
            }
        }
    }

    /**
     * Another open shares the pages and writes behind. While the file is not calm the kernel
     * serves, and it has to have what that open has written.
     */
    @Test
    void shouldReadWhatAnotherOpenHasWrittenBehind() throws IOException {
        FileOpener behind = TestStack.PF.opener();
        try (FileChannel channel = paged(READ);
                FileChannel other = behind.newFileChannel(path, Set.of(READ, WRITE))) {
            for (int i = 0; i < 100; i++) {
                write(other, 50_000 + i, 4);
                write(other, content.length, 4);
                if (i % 10 == 0) {
                    other.force(false);
                }
                doSomethingElse();
                check(channel, 50_000, 200);
                check(channel, content.length - 4, 4);
            }
        }
    }

    @Test
    void shouldFindTheEndWhereAnotherProcessHasCutTheFile() throws IOException {
        try (FileChannel channel = paged(READ, WRITE)) {
            try (RandomAccessFile elsewhere = new RandomAccessFile(path.toFile(), "rw")) {
                elsewhere.setLength(5000);
            }
            doSomethingElse();
            assertThat(channel.read(ByteBuffer.allocate(100), 9000)).isEqualTo(-1);
            assertThat(channel.read(ByteBuffer.allocate(100), 4950)).isEqualTo(50);
        }
    }

    /** What the program does while another process writes the end of the file. */
    private interface Meanwhile {
        void act(FileChannel channel) throws IOException;
    }

    /** Whatever the program does meanwhile, it reads all that was written afterwards. */
    private void writeElsewhereAgainAndAgain(OpenOption[] how, int writes, Meanwhile meanwhile)
            throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < 10; i++) {
                OldFile.await(path);
                try (FileChannel channel = paged(how)) {
                    for (int j = 0; j < writes; j++) {
                        writeElsewhereWhile(channel, executor, (byte) j, meanwhile);
                    }
                }
            }
        } finally {
            executor.shutdown();
        }
    }

    private void writeElsewhereWhile(
            FileChannel channel, ExecutorService executor, byte value, Meanwhile meanwhile)
            throws Exception {
        byte[] fresh = new byte[400_000];
        Arrays.fill(fresh, value);
        check(channel, SIZE - 1, 1);
        Future<?> written = executor.submit(() -> overwriteEnd(fresh));
        while (!written.isDone()) {
            meanwhile.act(channel);
            channel.read(ByteBuffer.allocate(1), SIZE - 1);
        }
        written.get();
        System.arraycopy(fresh, 0, content, SIZE - fresh.length, fresh.length);
        doSomethingElse();
        check(channel, SIZE - 1, 1);
    }

    private Void overwriteEnd(byte[] fresh) throws IOException {
        try (RandomAccessFile elsewhere = new RandomAccessFile(path.toFile(), "rw")) {
            elsewhere.seek(SIZE - fresh.length);
            elsewhere.write(fresh);
        }
        return null;
    }

    /** The kernel sets the time of a write before the bytes of the write are there. */
    @Test
    void shouldReadAllOfWhatAnotherProcessWasWriting() throws Exception {
        OpenOption[] how = {READ};
        writeElsewhereAgainAndAgain(how, 100, channel -> doSomethingElse());
    }

    /** The kernel need not set another time for a write that waits for one of the program. */
    @Test
    void shouldReadWhatAnotherProcessHasWrittenBesideAWrite() throws Exception {
        OpenOption[] how = {READ, WRITE};
        writeElsewhereAgainAndAgain(how, 50, channel -> write(channel, 100_000, 60_000));
    }

    @Test
    void shouldTakeNoneWhileAnotherProcessMayBeWriting() throws IOException {
        try (FileChannel channel = open(READ)) {
            writeElsewhere(1, (byte) 1);
            FileTime changed = (FileTime) Files.getAttribute(path, "unix:ctime");
            Instant old = changed.toInstant().plusMillis(40);
            for (int i = 0; i < READS; i++) {
                check(channel, i * 100L, 100);
                boolean has = hasPages();
                assertThat(has && Instant.now().isBefore(old)).isFalse();
            }
            OldFile.await(path);
            small(channel);
            assertThat(hasPages()).isTrue();
        }
    }

    /** After a write of the program the kernel serves for a while, and then the pages again. */
    @Test
    void shouldUsePagesAgainAfterAWriteOfTheProgram() throws IOException {
        try (FileChannel channel = paged(READ, WRITE)) {
            for (int i = 0; i < 3; i++) {
                write(channel, 5000 + i, 10);
                for (int j = 0; j < 2000; j++) {
                    check(channel, 4950, 100);
                }
                OldFile.await(path);
                small(channel);
            }
            assertThat(decisions()).hasSize(1);
            assertThat(hasPages()).isTrue();
        }
    }

    /** The number of layers and caches to which the events belong. */
    private static int seen(Path events) throws IOException {
        try (EventReader reader = EventReader.open(events)) {
            return reader.files().size();
        }
    }

    /** Opens files by a rule, with a line in {@code stats} for all that becomes of an open. */
    private static FileOpener saying(String rule, Path stats) throws IOException {
        Map<String, String> options =
                Map.of("files", rule, "stats", stats.toString(), "debug", "open");
        return new FileOpener(StackBuilder.load(options, FileSystems.getDefault()));
    }

    @Test
    void shouldSayThatItHasNoPagesAnyMore() throws IOException {
        Path stats = dir.resolve("stats");
        lengthen(32);
        Random random = new Random(5);
        try (FileChannel channel =
                saying("* [ pf/auto ]", stats).newFileChannel(path, Set.of(READ))) {
            small(channel);
            assertThat(hasPages()).isTrue();
            assertThat(stats).content().doesNotContain("no pages any more");
            while (hasPages()) {
                check(channel, random.nextInt(content.length - 100), 100);
            }
        }
        assertThat(stats).content().containsOnlyOnce("records : no pages any more");
    }

    @Test
    void shouldSayNothingOfPagesThatWereNotUsed() throws IOException {
        Path stats = dir.resolve("stats");
        Path events = dir.resolve("events");
        FileOpener told = saying("* [ trace/events={" + events + "} | pf/auto ]", stats);
        try (FileChannel channel = told.newFileChannel(path, Set.of(READ))) {
            small(channel);
        }
        assertThat(stats).content().contains("records : pages of ");
        assertThat(seen(events)).isEqualTo(2);
        try (RandomAccessFile beside = new RandomAccessFile(path.toFile(), "rw");
                FileChannel channel = told.newFileChannel(path, Set.of(READ))) {
            small(channel);
            assertThat(beside.length()).isEqualTo(SIZE);
        }
        assertThat(stats).content().containsOnlyOnce("records : pages of ");
        assertThat(stats).content().doesNotContain("no pages any more");
        assertThat(seen(events)).as("one more, of the trace").isEqualTo(3);
    }

    @Test
    void shouldSeeWhatIsWrittenThroughAMapping() throws IOException {
        try (FileChannel channel = paged(READ, WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            check(channel, 0, 100);
            assertThat(decisions())
                    .last()
                    .isEqualTo("no-pages: others write the file past MIO, or have it mapped");
            map.put(50, (byte) 9);
            content[50] = 9;
            check(channel, 0, 100);
        }
        try (FileChannel channel = open(READ, WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            small(channel);
            map.put(60, (byte) 8);
            content[60] = 8;
            check(channel, 0, 100);
        }
    }

    @Test
    void shouldAgreeWithTransfers() throws IOException {
        try (FileChannel channel = paged(READ, WRITE)) {
            byte[] fresh = new byte[3000];
            Arrays.fill(fresh, (byte) 5);
            System.arraycopy(fresh, 0, content, 1000, fresh.length);
            channel.transferFrom(
                    Channels.newChannel(new java.io.ByteArrayInputStream(fresh)), 1000, 3000);
            check(channel, 900, 3500);
        }
    }

    @Test
    void shouldGoOnWhenTheProgramBecomesRandom() throws IOException {
        Random random = new Random(5);
        try (FileChannel channel = paged(READ, WRITE)) {
            for (int i = 0; i < 20_000; i++) {
                check(channel, random.nextInt(SIZE - 100), 100);
            }
            try (FileChannel other = open(READ, WRITE)) {
                small(other);
                for (int i = 0; i < 100; i++) {
                    write(channel, i * 10_000L, 20);
                    check(other, i * 10_000L, 100);
                    write(other, i * 9000L, 20);
                    check(channel, i * 9000L, 100);
                }
            }
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(content);
    }

    @Test
    void shouldCloseAsThePlatformDoesWhenInterrupted() throws IOException {
        FileChannel channel = paged(READ);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 500_000))
                    .isInstanceOf(ClosedByInterruptException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(channel.isOpen()).isFalse();
        assertThat(hasPages()).isFalse();
    }

    @Test
    void shouldTakeALockThoughTheThreadIsInterruptedAsThePlatformDoes() throws IOException {
        try (FileChannel channel = paged(READ)) {
            Thread.currentThread().interrupt();
            FileLock lock = channel.tryLock(3, 2, true);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(lock.isValid()).isTrue();
            lock.release();
            check(channel, 0, 100);
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void shouldServeManyThreadsFromOneChannel() throws Exception {
        int threads = 4;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (FileChannel channel = open(READ)) {
            CountDownLatch start = new CountDownLatch(1);
            Future<?>[] all = new Future<?>[threads];
            for (int t = 0; t < threads; t++) {
                long from = t * 200_000L;
                all[t] =
                        executor.submit(
                                () -> {
                                    start.await();
                                    for (int i = 0; i < 2000; i++) {
                                        check(channel, from + i * 90L, 90);
                                    }
                                    return null;
                                });
            }
            start.countDown();
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(hasPages()).isTrue();
        } finally {
            executor.shutdown();
        }
    }

    /** The position is shared: each record is read by one thread, and none is left out. */
    @Test
    void shouldShareThePositionAmongThreadsWhileItTakesPages() throws Exception {
        int threads = 4;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (FileChannel channel = open(READ)) {
            Future<?>[] all = new Future<?>[threads];
            java.util.concurrent.atomic.AtomicLong sum =
                    new java.util.concurrent.atomic.AtomicLong();
            for (int t = 0; t < threads; t++) {
                all[t] =
                        executor.submit(
                                () -> {
                                    ByteBuffer one = ByteBuffer.allocate(100);
                                    int bytes;
                                    while ((bytes = channel.read(one.clear())) > 0) {
                                        for (int i = 0; i < bytes; i++) {
                                            sum.addAndGet(one.get(i));
                                        }
                                    }
                                    return null;
                                });
            }
            for (Future<?> each : all) {
                each.get();
            }
            long expected = 0;
            for (byte each : content) {
                expected += each;
            }
            assertThat(sum.get()).isEqualTo(expected);
            assertThat(hasPages()).isTrue();
        } finally {
            executor.shutdown();
        }
    }
}
