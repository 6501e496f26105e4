package io.mio.os;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.layer.FileKey;
import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import io.mio.layer.IoRequest;
import io.mio.layer.OpenFlags;
import io.mio.os.Backends.Wish;
import io.mio.os.OwnFiles.Opened;
import io.mio.os.OwnFiles.Way;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendsTest {
    private static final Wish PLAIN = new Wish(false, false, true);

    @TempDir private Path directory;
    private Path path;
    private final List<String> said = new ArrayList<>();
    private final List<Closeable> kept = new ArrayList<>();

    @BeforeEach
    void makeFile() throws IOException {
        path = Files.writeString(directory.resolve("file"), "0123456789");
    }

    private FileKey keyOfPath() throws IOException {
        return new FileKey(
                (Long) Files.getAttribute(path, "unix:dev"),
                (Long) Files.getAttribute(path, "unix:ino"));
    }

    private static void needHelper() {
        assumeTrue(NativeHelper.load().isAvailable(), "no helper was built");
    }

    @Test
    void shouldServeBothKindsOfChannelsByTheKeyTheirPathHas() throws Exception {
        try (FileChannel channel = FileChannel.open(path, READ);
                AsynchronousFileChannel other = AsynchronousFileChannel.open(path, READ, WRITE)) {
            BackendFile one =
                    Backends.open(channel, path, OpenFlags.RDONLY, PLAIN, said::add, kept::add);
            BackendFile two =
                    Backends.open(other, path, OpenFlags.RDWR, PLAIN, said::add, kept::add);
            assertThat(one.key()).isEqualTo(keyOfPath()).isEqualTo(two.key());
            two.write(ByteBuffer.wrap(new byte[] {'x'}), 3);
            ByteBuffer seen = ByteBuffer.allocate(10);
            assertThat(one.read(seen, 0)).isEqualTo(10);
            assertThat(seen.array()).asString().isEqualTo("012x456789");
            assertThat(Backends.label()).isIn("io_uring", "threads");
            one.close();
            two.close();
        }
    }

    @Test
    void shouldServeAFileWhoseNameIsGoneOrAnothersWithTheHelper() throws Exception {
        needHelper();
        try (FileChannel channel = FileChannel.open(path, READ)) {
            FileKey key = keyOfPath();
            Files.delete(path);
            Files.writeString(path, "other");
            BackendFile file = Backends.open(channel, path, 0, PLAIN, said::add, kept::add);
            assertThat(file.key()).isEqualTo(key);
            assertThat(file.read(ByteBuffer.allocate(20), 0)).isEqualTo(10);
            file.close();
        }
    }

    @Test
    void shouldNotServeAFileWhoseNameIsGoneOrAnothersWithoutTheHelper() throws Exception {
        try (FileChannel channel = FileChannel.open(path, READ)) {
            Files.delete(path);
            assertThatThrownBy(() -> platform(channel)).isInstanceOf(IOException.class);
            Files.writeString(path, "other");
            assertThat(platform(channel)).isFalse();
        }
        for (Closeable each : kept) {
            each.close();
        }
        assertThat(OwnFiles.descriptors(path)).isZero();
    }

    @Test
    void shouldServeAnInterruptedThreadAndLeaveItTheInterrupt() throws Exception {
        for (Way way : Way.values()) {
            if (!OwnFiles.isPossible(way)) {
                continue;
            }
            Thread.currentThread().interrupt();
            Opened opened = OwnFiles.open(way, path, false);
            assertThat(Thread.interrupted()).as("%s", way).isTrue();
            assertThat(opened.channel().isOpen()).as("%s", way).isTrue();
            assertThat(opened.channel().read(ByteBuffer.allocate(20), 0)).isEqualTo(10);
            assertThat(opened.file().read(ByteBuffer.allocate(20), 0)).isEqualTo(10);
            opened.close();
        }
    }

    private boolean platform(FileChannel channel) throws IOException {
        OwnFile.Parts parts = new OwnFile.Parts();
        parts.name = "file";
        parts.debug = said::add;
        parts.kept = kept::add;
        return PlatformOpening.open(channel, path, 0, PLAIN, "a test", parts);
    }

    @Test
    void shouldNotServeChannelsThatAreNoFilesOfThePlatform() throws Exception {
        Pipe pipe = Pipe.open();
        assertThat(
                        Backends.open(
                                pipe.source(), Path.of("/no/such"), 0, PLAIN, said::add, kept::add))
                .isNull();
        assertThat(said).anyMatch(line -> line.startsWith("/no/such: no cache: "));
        pipe.source().close();
        pipe.sink().close();
        try (FileChannel zero = FileChannel.open(Path.of("/dev/zero"), READ)) {
            assertThat(Backends.open(zero, Path.of("/dev/zero"), 0, PLAIN, said::add, kept::add))
                    .isNull();
        }
    }

    @Test
    void shouldKeepTheProgramsLockThroughOpensAndCloses() throws Exception {
        for (Way way : Way.values()) {
            if (!OwnFiles.isPossible(way)) {
                continue;
            }
            try (Opened first = OwnFiles.open(way, path, true)) {
                FileLock lock = first.channel().lock();
                Opened second = OwnFiles.open(way, path, true);
                second.file().write(ByteBuffer.allocate(5), 0);
                second.file().close();
                assertThat(OwnFiles.anotherProcessLocks(path)).as("%s", way).isEqualTo("refused");
                second.channel().close();
                lock.release();
            }
        }
        assertThat(OwnFiles.anotherProcessLocks(path)).isEqualTo("locked");
    }

    @Test
    void shouldReportAFullDisk() throws Exception {
        Path mount = Files.createDirectory(directory.resolve("tiny"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=128k", "mio-test", mount.toString()) == 0,
                "no right to mount");
        try {
            Path full = Files.createFile(mount.resolve("full"));
            for (Way way : Way.values()) {
                if (OwnFiles.isPossible(way)) {
                    fill(way, full);
                }
            }
        } finally {
            assertThat(run("umount", mount.toString())).isZero();
        }
    }

    private static void fill(Way way, Path full) throws Exception {
        try (Opened opened = OwnFiles.open(way, full, true)) {
            OwnFile file = opened.file();
            ByteBuffer large = ByteBuffer.allocateDirect(256 << 10);
            if (way.isNative()) {
                assertThatThrownBy(() -> file.reserve(0, 256 << 10))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("No space left on device");
            } else {
                assertThat(file.reserve(0, 256 << 10)).isFalse();
            }
            assertThatThrownBy(() -> file.write(large, 0))
                    .hasMessageContaining("No space left on device");
            assertThat(large.position()).isEqualTo((int) file.size());
            IoRequest write = IoRequest.write(large.clear(), 0, done -> {});
            file.submit(write);
            write.await();
            assertThat(write.error()).hasMessageContaining("No space left on device");
            file.truncate(0);
            assertThat(file.write(ByteBuffer.allocate(4096), 0)).isEqualTo(4096);
            file.truncate(0);
        }
    }

    private static int run(String... command) throws Exception {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    @Test
    void shouldLeaveNothingInThePageCacheOrSayThatItCannot() throws Exception {
        needHelper();
        for (Path where : List.of(path, Path.of("/dev/shm/mio-uncached-" + directory.hashCode()))) {
            if (!Files.isWritable(where.getParent())) {
                continue;
            }
            try (Opened opened =
                    OwnFiles.open(
                            Way.THREADS, where, new Wish(false, true, true), READ, WRITE, CREATE)) {
                opened.file().write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
                ByteBuffer seen = ByteBuffer.allocate(3);
                assertThat(opened.file().read(seen, 0)).isEqualTo(3);
                assertThat(seen.array()).containsExactly(1, 2, 3);
                assertThat(opened.said()).hasSize(opened.file().isUncached() ? 0 : 1);
            } finally {
                Files.deleteIfExists(where);
            }
        }
    }

    @Test
    void shouldChooseWhatThePropertyAllows() throws Exception {
        OwnFile.Parts parts = new OwnFile.Parts();
        parts.name = "file";
        parts.debug = said::add;
        boolean ring = OwnFiles.isPossible(Way.URING);
        assertThat(choose(null, parts)).isEqualTo(ring ? "io_uring" : "threads");
        assertThat(choose("threads", parts)).isEqualTo("threads");
        assertThat(choose("sync", parts)).isEqualTo("sync");

        BackendChoice refused = new BackendChoice("uring", OwnFiles.RINGS);
        said.clear();
        assertThat(refused.chosen(true, false, "no helper", parts).label()).isEqualTo("threads");
        assertThat(refused.chosen(true, false, "no helper", parts).label()).isEqualTo("threads");
        assertThat(said).containsExactly("file: io_uring: no helper; threads instead");
        assertThat(refused.chosen(false, true, null, parts).label()).isEqualTo("sync");
    }

    private static String choose(String property, OwnFile.Parts parts) {
        boolean helper = NativeHelper.load().isAvailable();
        return new BackendChoice(property, OwnFiles.RINGS)
                .chosen(true, helper, helper ? null : "no helper", parts)
                .label();
    }

    @Test
    void shouldHaveMemoryAtHandAndGiveItBack() throws IOException {
        assumeTrue(NativeHelper.load().isAvailable(), "no helper was built");
        long before = residentKib("VmRSS");
        // Memory is touched in whole pieces of 64 MiB.
        assertThat(FrameArena.haveAtHand(130 << 20)).isEqualTo(128 << 20);
        assertThat(residentKib("VmHWM")).isGreaterThan(100 << 10);
        assertThat(residentKib("VmRSS")).isLessThan(before + (100 << 10));
        assertThat(FrameArena.haveAtHand(1)).isZero();
        assertThat(FrameArena.haveAtHand(0)).isZero();
    }

    private static long residentKib(String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(name + ":")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new AssertionError(name);
    }

    @Test
    void shouldGiveFramesThatAreAlignedAndZeroAgainAndAgain() {
        FrameMemory memory = FrameArena.memory();
        for (int round = 0; round < 3; round++) {
            FrameRange range = memory.take(70, 64 << 10);
            assertThat(range.count()).isEqualTo(70);
            List<ByteBuffer> frames = new ArrayList<>();
            for (int at = 0; at < 70; at++) {
                ByteBuffer frame = range.frame(at);
                frames.add(frame);
                assertThat(frame.isDirect()).isTrue();
                assertThat(frame.capacity()).isEqualTo(64 << 10);
                assertThat(frame.alignmentOffset(0, 4096)).isZero();
                assertThat(frame.getLong(0)).isZero();
                assertThat(frame.getLong((64 << 10) - 8)).isZero();
                frame.putLong(0, -1).putLong((64 << 10) - 8, -1);
            }
            for (ByteBuffer frame : frames) {
                frame.putLong(8, 7);
                assertThat(frame.getLong(0)).isEqualTo(-1);
            }
            memory.give(range);
        }
        assertThatThrownBy(() -> memory.take(1, 100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> memory.take(Integer.MAX_VALUE, 1 << 30))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void shouldFailByRule() throws Exception {
        try (Opened opened = OwnFiles.open(Way.PLATFORM_SYNC, path, false)) {
            FailingFile file =
                    new FailingFile(
                            opened.file(),
                            (call, offset, bytes) ->
                                    call.equals("write") && offset == 5
                                            ? new IOException("Input/output error")
                                            : null);
            assertThat(file.write(ByteBuffer.allocate(1), 4)).isEqualTo(1);
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 5))
                    .hasMessage("Input/output error");
            IoRequest write = IoRequest.write(ByteBuffer.allocate(1), 5, done -> {});
            file.submit(write);
            assertThat(write.error()).hasMessage("Input/output error");
        }
    }

    @Test
    void shouldLetVirtualThreadsWaitForTheBackend() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "no virtual threads in this JDK");
        for (Way way : Way.values()) {
            if (!OwnFiles.isPossible(way)) {
                continue;
            }
            List<Object> seen = new ArrayList<>();
            try (Opened opened = OwnFiles.open(way, path, true)) {
                Runnable work =
                        () -> {
                            seen.add(VirtualThreads.isCurrent());
                            Thread.currentThread().interrupt();
                            try {
                                opened.file().write(ByteBuffer.wrap(new byte[] {'v'}), 2);
                                seen.add(opened.file().read(ByteBuffer.allocateDirect(20), 0));
                            } catch (IOException e) {
                                seen.add(e);
                            }
                            seen.add(Thread.currentThread().isInterrupted());
                        };
                Thread thread =
                        (Thread)
                                Thread.class
                                        .getMethod("startVirtualThread", Runnable.class)
                                        .invoke(null, work);
                thread.join();
            }
            assertThat(seen).as("%s", way).containsExactly(true, 10, true);
        }
        assertThat(VirtualThreads.isCurrent()).isFalse();
    }
}
