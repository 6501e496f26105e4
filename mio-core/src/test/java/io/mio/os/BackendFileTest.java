package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.layer.IoRequest;
import io.mio.os.OwnFiles.Opened;
import io.mio.os.OwnFiles.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every backend does, with and without the helper, direct and buffered, on disk and tmpfs. */
class BackendFileTest {
    private static final int SIZE = 300_001;
    private static final Path DISK = Path.of("target").toAbsolutePath();
    private static final Path MEMORY = Path.of("/dev/shm");

    private final List<Path> made = new ArrayList<>();

    /** One combination of backend, direct I/O and directory. */
    record Case(Way way, boolean direct, Path directory) {
        Opened open(Path file) throws IOException {
            return OwnFiles.open(way, file, direct);
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Way way : Way.values()) {
            for (Path directory : List.of(DISK, MEMORY)) {
                if (OwnFiles.isPossible(way) && Files.isWritable(directory)) {
                    cases.add(new Case(way, false, directory));
                    cases.add(new Case(way, true, directory));
                }
            }
        }
        return cases.stream();
    }

    private Path file(Case each, byte[] content) throws IOException {
        Path file = Files.createTempFile(each.directory(), "backend", ".dat");
        made.add(file);
        return Files.write(file, content);
    }

    @AfterEach
    void deleteFiles() throws IOException {
        for (Path file : made) {
            Files.deleteIfExists(file);
        }
    }

    private static byte[] content(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    /** A buffer on the heap, direct, misaligned or a frame, with space around its bytes. */
    private static ByteBuffer buffer(Random random, int bytes) {
        int before = random.nextInt(3) * random.nextInt(700);
        ByteBuffer buffer =
                switch (random.nextInt(3)) {
                    case 0 -> ByteBuffer.allocate(before + bytes + 9);
                    case 1 -> ByteBuffer.allocateDirect(before + bytes + 9);
                    default -> {
                        before = 0;
                        yield ByteBuffer.allocateDirect(bytes + 8192).alignedSlice(4096);
                    }
                };
        return buffer.position(before).limit(before + bytes);
    }

    private static int length(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> random.nextInt(3000);
            case 1 -> 512 * random.nextInt(100);
            default -> 4096 * random.nextInt(40);
        };
    }

    private static int offset(Random random) {
        return random.nextBoolean() ? random.nextInt(SIZE + 5000) : 512 * random.nextInt(700);
    }

    private static int transfer(OwnFile file, boolean submits, IoRequest request) throws Exception {
        if (submits) {
            file.submit(request);
            request.await();
            assertThat(request.error()).isNull();
            return request.delivered();
        }
        return request.isWrite()
                ? file.write(request.buffer(), request.offset())
                : file.read(request.buffer(), request.offset());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldReadAndWriteAnyBytesAnywhere(Case each) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] expected = Arrays.copyOf(content(SIZE), SIZE + 1_000_000);
        int size = SIZE;
        Path path = file(each, Arrays.copyOf(expected, SIZE));
        try (Opened opened = each.open(path)) {
            for (int i = 0; i < 400; i++) {
                int offset = offset(random);
                ByteBuffer buffer = buffer(random, length(random));
                int start = buffer.position();
                int length = buffer.remaining();
                boolean submits = random.nextBoolean();
                if (random.nextBoolean()) {
                    int bytes =
                            transfer(
                                    opened.file(),
                                    submits,
                                    IoRequest.read(buffer, offset, done -> {}));
                    int there = Math.max(0, Math.min(length, size - offset));
                    assertThat(bytes)
                            .as("seed %d", seed)
                            .isEqualTo(there == 0 && length > 0 ? -1 : there);
                    assertThat(buffer.position()).isEqualTo(start + there);
                    byte[] seen = new byte[there];
                    buffer.get(start, seen);
                    assertThat(Arrays.equals(seen, 0, there, expected, offset, offset + there))
                            .as("bytes from %d, seed %d", offset, seed)
                            .isTrue();
                } else {
                    byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    buffer.put(start, bytes);
                    assertThat(
                                    transfer(
                                            opened.file(),
                                            submits,
                                            IoRequest.write(buffer, offset, done -> {})))
                            .as("seed %d", seed)
                            .isEqualTo(length);
                    assertThat(buffer.position()).isEqualTo(start + length);
                    System.arraycopy(bytes, 0, expected, offset, length);
                    size = length == 0 ? size : Math.max(size, offset + length);
                }
            }
            assertThat(opened.file().size()).isEqualTo(size);
            assertThat(Arrays.equals(Files.readAllBytes(path), Arrays.copyOf(expected, size)))
                    .as("seed %d", seed)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldKeepTheSizeExactAtAnOddEnd(Case each) throws Exception {
        Path path = file(each, new byte[0]);
        byte[] content = content(70_001);
        try (Opened opened = each.open(path)) {
            ByteBuffer frame = ByteBuffer.allocateDirect(200_000).alignedSlice(4096);
            frame.put(0, content).limit(content.length);
            IoRequest write = IoRequest.write(frame, 0, done -> {});
            opened.file().submit(write);
            write.await();
            assertThat(write.error()).isNull();
            assertThat(path).hasBinaryContent(content);
            frame.clear();
            assertThat(opened.file().read(frame, 0)).isEqualTo(70_001);
            assertThat(opened.file().read(frame.clear(), 70_001)).isEqualTo(-1);
            assertThat(opened.file().read(frame.clear(), 1L << 40)).isEqualTo(-1);
            assertThat(opened.file().read(frame.clear().limit(0), 0)).isZero();
            opened.file().truncate(69_000);
            opened.file().truncate(80_000);
            assertThat(opened.file().size()).isEqualTo(69_000);
            opened.file().flush(true);
            opened.file().flush(false);
        }
        assertThat(path).hasSize(69_000);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldReadZerosFromAHole(Case each) throws Exception {
        Path path = file(each, new byte[] {1});
        try (Opened opened = each.open(path)) {
            opened.file().write(ByteBuffer.wrap(new byte[] {2}), 1_000_000);
            ByteBuffer buffer = ByteBuffer.allocate(1_000_001);
            assertThat(opened.file().read(buffer, 0)).isEqualTo(1_000_001);
            byte[] expected = new byte[1_000_001];
            expected[0] = 1;
            expected[1_000_000] = 2;
            assertThat(Arrays.equals(buffer.array(), expected)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldCompleteWhatIsOnItsWayWhenItIsClosed(Case each) throws Exception {
        byte[] content = content(1 << 20);
        Path path = file(each, content);
        Opened opened = each.open(path);
        List<IoRequest> requests = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ByteBuffer frame = ByteBuffer.allocateDirect(65536 + 4096).alignedSlice(4096);
            int offset = i % 16 * 65536;
            IoRequest request = IoRequest.read(frame.limit(65536), offset, done -> {});
            requests.add(request);
            opened.file().submit(request);
        }
        opened.close();
        for (IoRequest request : requests) {
            request.await();
            assertThat(request.error()).isNull();
            assertThat(request.delivered()).isEqualTo(65536);
            byte[] seen = new byte[65536];
            request.buffer().get(0, seen);
            int offset = (int) request.offset();
            assertThat(Arrays.equals(seen, 0, 65536, content, offset, offset + 65536)).isTrue();
        }
        assertThat(OwnFiles.descriptors(path)).isZero();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldRefuseLateCalls(Case each) throws Exception {
        Path path = file(each, content(10));
        Opened opened = each.open(path);
        OwnFile file = opened.file();
        opened.close();
        file.close();
        ByteBuffer buffer = ByteBuffer.allocate(10);
        assertThatThrownBy(() -> file.read(buffer, 0)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> file.write(buffer, 0)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> file.submit(IoRequest.read(buffer, 0, done -> {})))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(file::size).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> file.flush(true)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> file.truncate(0)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> file.reserve(0, 1)).isInstanceOf(ClosedChannelException.class);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldHoldItsDescriptorsUntilTheLastOpenIsClosed(Case each) throws Exception {
        Path path = file(each, content(10));
        Opened first = each.open(path);
        long one = OwnFiles.descriptors(path);
        Opened second = each.open(path);
        assertThat(OwnFiles.descriptors(path)).isEqualTo(one + 1);
        Opened reader =
                OwnFiles.open(
                        each.way(),
                        path,
                        new Backends.Wish(each.direct(), false, true),
                        StandardOpenOption.READ);
        long all = OwnFiles.descriptors(path);
        assertThat(all - 3).isLessThanOrEqualTo(4);
        first.close();
        reader.close();
        assertThat(OwnFiles.descriptors(path)).isEqualTo(all - 2);
        assertThat(second.file().read(ByteBuffer.allocate(10), 0)).isEqualTo(10);
        second.close();
        assertThat(OwnFiles.descriptors(path)).isZero();
        long before = OwnFiles.descriptors();
        for (int i = 0; i < 20; i++) {
            each.open(path).close();
        }
        // Other descriptors of the process come and go; 20 more would mean that each open left one.
        assertThat(OwnFiles.descriptors()).isLessThan(before + 10);
    }

    /** Direct I/O would change more: it reads whole sectors, with zeros beyond the file's end. */
    @ParameterizedTest
    @MethodSource("cases")
    void shouldChangeNothingBehindTheResultWithoutACache(Case each) throws Exception {
        int bytes = 5000;
        byte[] content = content(bytes);
        Path path = file(each, content);
        try (Opened opened =
                OwnFiles.open(
                        each.way(),
                        path,
                        new Backends.Wish(each.direct(), false, true, true),
                        StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(32 << 10).alignedSlice(4096);
            int room = 16 << 10;
            for (int from : new int[] {0, 4096}) {
                byte[] expected = new byte[room];
                Arrays.fill(expected, (byte) 'K');
                buffer.put(0, expected);
                System.arraycopy(content, from, expected, 0, bytes - from);

                for (boolean submits : new boolean[] {false, true}) {
                    IoRequest read = IoRequest.read(buffer.clear().limit(room), from, done -> {});

                    assertThat(transfer(opened.file(), submits, read)).isEqualTo(bytes - from);

                    assertThat(buffer.limit()).isEqualTo(room);
                    byte[] seen = new byte[room];
                    buffer.get(0, seen);
                    assertThat(Arrays.mismatch(seen, expected)).isNegative();
                }
            }
            assertThat(opened.file().read(buffer.clear(), bytes)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldNotWriteToAFileOpenForReading(Case each) throws Exception {
        Path path = file(each, content(10));
        try (Opened opened =
                OwnFiles.open(
                        each.way(),
                        path,
                        new Backends.Wish(each.direct(), false, true),
                        StandardOpenOption.READ)) {
            assertThatThrownBy(() -> opened.file().write(ByteBuffer.allocate(5), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Bad file descriptor");
            IoRequest write = IoRequest.write(ByteBuffer.allocateDirect(5), 0, done -> {});
            opened.file().submit(write);
            write.await();
            assertThat(write.error()).hasMessageContaining("Bad file descriptor");
            assertThatThrownBy(() -> opened.file().read(ByteBuffer.allocate(1), -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(opened.file().isReadable()).isTrue();
        }
        assertThat(path).hasBinaryContent(content(10));
    }

    private static final long TOO_LARGE = Long.MAX_VALUE - 8191;

    /** Whether a file here can be too large: on tmpfs, XFS and btrfs none is. */
    private static boolean mayBeTooLarge(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(4096), TOO_LARGE);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldSayThatAFileWouldBeTooLarge(Case each) throws Exception {
        Path path = file(each, content(10));
        assumeTrue(mayBeTooLarge(path), "a file here may be as large as numbers go");
        try (Opened opened = each.open(path)) {
            for (ByteBuffer buffer :
                    List.of(ByteBuffer.allocate(4096), ByteBuffer.allocateDirect(4096))) {
                assertThatThrownBy(() -> opened.file().write(buffer.clear(), TOO_LARGE))
                        .isInstanceOf(IOException.class)
                        .hasMessageMatching(".*(File too large|Invalid argument).*");
            }
            assertThat(opened.file().isDirect()).isEqualTo(isDirectPossible(opened, each));
        }
        assertThat(path).hasSize(10);
    }

    private static boolean isDirectPossible(Opened opened, Case each) {
        assumeTrue(
                !each.direct() || each.directory().equals(MEMORY) || opened.said().isEmpty(),
                "the build directory's file system takes no direct I/O: " + opened.said());
        return each.direct() && each.directory().equals(DISK);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldUseDirectRequestsWhereTheFileSystemTakesThem(Case each) throws Exception {
        Path path = file(each, content(SIZE));
        try (Opened opened = each.open(path)) {
            assertThat(opened.file().isDirect()).isEqualTo(isDirectPossible(opened, each));
            assertThat(opened.file().alignmentBytes()).isGreaterThanOrEqualTo(512);
            if (each.direct() && each.directory().equals(MEMORY)) {
                assertThat(opened.said()).hasSize(1).first().asString().contains("in memory");
            }
            opened.file().stopDirect();
            assertThat(opened.file().isDirect()).isFalse();
            assertThat(opened.file().read(ByteBuffer.allocate(SIZE), 0)).isEqualTo(SIZE);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldServeManyThreadsAtOnce(Case each) throws Exception {
        int part = 64 << 10;
        Path path = file(each, new byte[0]);
        List<Throwable> failures = new ArrayList<>();
        try (Opened opened = each.open(path)) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int own = t;
                threads.add(
                        new Thread(
                                () -> {
                                    try {
                                        writeAndRead(opened.file(), own, part);
                                    } catch (Throwable e) {
                                        synchronized (failures) {
                                            failures.add(e);
                                        }
                                    }
                                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(opened.file().size()).isEqualTo(8L * 10 * part);
        }
    }

    private static void writeAndRead(OwnFile file, int own, int part) throws Exception {
        Random random = new Random(own);
        for (int i = 0; i < 10; i++) {
            byte[] bytes = new byte[part];
            random.nextBytes(bytes);
            long offset = (long) (i * 8 + own) * part;
            ByteBuffer buffer = ByteBuffer.allocateDirect(part + 4096).alignedSlice(4096);
            buffer.put(0, bytes).limit(part);
            boolean submits = (i & 1) == 0;
            transfer(file, submits, IoRequest.write(buffer, offset, done -> {}));
            ByteBuffer seen = (i & 2) == 0 ? ByteBuffer.allocate(part) : buffer.clear().limit(part);
            transfer(file, submits, IoRequest.read(seen, offset, done -> {}));
            byte[] read = new byte[part];
            seen.get(0, read);
            assertThat(Arrays.equals(read, bytes)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldGoOnThroughInterruptsAndKeepThem(Case each) throws Exception {
        Path path = file(each, content(SIZE));
        try (Opened opened = each.open(path)) {
            Thread.currentThread().interrupt();
            try {
                assertThat(opened.file().read(ByteBuffer.allocate(SIZE), 0)).isEqualTo(SIZE);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(opened.file().read(ByteBuffer.allocate(SIZE), 0)).isEqualTo(SIZE);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldReserveWithoutChangingTheSize(Case each) throws Exception {
        Path path = file(each, content(10));
        try (Opened opened = each.open(path)) {
            opened.file().reserve(0, 1 << 20);
            assertThat(opened.file().size()).isEqualTo(10);
            assertThat(opened.file().reserve(5, 0)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldReadWhatCanOnlyBeWrittenWhereTheSystemLetsIt(Case each) throws Exception {
        Path path = file(each, content(10));
        try (Opened opened =
                OwnFiles.open(
                        each.way(),
                        path,
                        new Backends.Wish(each.direct(), true, true),
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DSYNC)) {
            assertThat(opened.file().write(ByteBuffer.wrap(content(20)), 10)).isEqualTo(20);
            assertThat(opened.file().isReadable()).isTrue();
            ByteBuffer seen = ByteBuffer.allocate(100);
            assertThat(opened.file().read(seen, 10)).isEqualTo(20);
            assertThat(Arrays.copyOf(seen.array(), 20)).isEqualTo(content(20));
        }
    }
}
