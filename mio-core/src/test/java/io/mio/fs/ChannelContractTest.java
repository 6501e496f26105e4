package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of a file channel, against the plain JDK's on a twin file. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class ChannelContractTest {
    private static final long[] PLACES = {
        -1, 0, 1, 99, 100, 101, 5000, 1L << 32, (1L << 40) + 1, 1L << 60, Long.MAX_VALUE
    };

    @Parameter TestStack stack;
    @TempDir Path directory;
    private TwinFiles files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = new TwinFiles(directory, "file", stack).holding(100);
    }

    @AfterEach
    void closeFiles() throws IOException {
        files.close();
    }

    @Test
    void shouldOpenWithEveryOptionAsThePlatformDoes() throws IOException {
        OpenOption[] options = {
            READ,
            WRITE,
            APPEND,
            TRUNCATE_EXISTING,
            CREATE,
            CREATE_NEW,
            SPARSE,
            SYNC,
            DSYNC,
            LinkOption.NOFOLLOW_LINKS,
            DELETE_ON_CLOSE
        };
        for (OpenOption first : options) {
            files.openBoth(first);
            for (OpenOption second : options) {
                if (first != second) {
                    files.holding(100);
                    files.openBoth(first, second);
                    files.openBoth(first, second);
                    if (second != READ && first != READ) {
                        files.openBoth(READ, first, second);
                    }
                    if (second != WRITE && first != WRITE) {
                        files.openBoth(WRITE, first, second);
                    }
                }
            }
        }
        files.openBoth(READ, new OpenOption() {});
    }

    @Test
    void shouldRead() throws IOException {
        TwinChannel twin = files.open(READ);
        for (int size : new int[] {0, 1, 7, 64, 100, 1, 0}) {
            twin.both("read heap " + size, c -> read(c, ByteBuffer.allocate(size)));
            twin.both("read direct " + size, c -> read(c, ByteBuffer.allocateDirect(size)));
        }
        twin.both("slice", c -> read(c.position(3), ByteBuffer.allocate(40).position(5).slice()));
        twin.both("read-only", c -> c.read(ByteBuffer.allocate(4).asReadOnlyBuffer()));
        twin.both("null", c -> c.read((ByteBuffer) null));
        twin.both("write", c -> c.write(ByteBuffer.allocate(4)));
        twin.both("write at", c -> c.write(ByteBuffer.allocate(4), 0));
        twin.both("gather", c -> c.write(new ByteBuffer[] {ByteBuffer.allocate(4)}));
        twin.both("truncate", c -> c.truncate(5));
        twin.both("force", c -> force(c, true));
    }

    @Test
    void shouldWrite() throws IOException {
        TwinChannel twin = files.open(WRITE);
        for (int size : new int[] {0, 1, 7, 64, 100, 1, 0}) {
            twin.both("write heap " + size, c -> write(c, ByteBuffer.wrap(bytes(size))));
            twin.both("write direct " + size, c -> write(c, direct(bytes(size))));
        }
        twin.both("read-only", c -> write(c, ByteBuffer.wrap(bytes(9)).asReadOnlyBuffer()));
        twin.both("null", c -> c.write((ByteBuffer) null));
        twin.both("read", c -> c.read(ByteBuffer.allocate(4)));
        twin.both("read at", c -> c.read(ByteBuffer.allocate(4), 0));
        twin.both("scatter", c -> c.read(new ByteBuffer[] {ByteBuffer.allocate(4)}));
        files.checkContents();
    }

    @Test
    void shouldReadAndWriteAtOffsets() throws IOException {
        TwinChannel twin = files.open(READ, WRITE);
        for (long place : PLACES) {
            for (int size : new int[] {0, 1, 50}) {
                twin.both("read at " + place, c -> readAt(c, ByteBuffer.allocate(size), place));
                if (place <= 1L << 32 || place == Long.MAX_VALUE) {
                    twin.both("write at " + place, c -> c.write(direct(bytes(size)), place));
                }
                twin.both("read at " + place, c -> readAt(c, ByteBuffer.allocate(size), place));
            }
        }
        twin.both("null", c -> c.read(null, 0));
        twin.both("null", c -> c.write(null, -1));
        twin.both("read-only", c -> c.read(ByteBuffer.allocate(4).asReadOnlyBuffer(), -1));
        twin.both("read-only", c -> c.read(ByteBuffer.allocate(4).asReadOnlyBuffer(), 4));
        files.checkContents();
    }

    @Test
    void shouldScatterAndGather() throws IOException {
        TwinChannel twin = files.open(READ, WRITE);
        for (int from = -1; from <= 3; from++) {
            for (int count = -1; count <= 4; count++) {
                int at = from;
                int some = count;
                twin.both("scatter " + at + " " + some, c -> scatter(c.position(0), at, some));
                twin.both("scatter on " + at + " " + some, c -> scatter(c, at, some));
                twin.both("gather " + at + " " + some, c -> gather(c.position(17), at, some));
                twin.both("gather on " + at + " " + some, c -> gather(c, at, some));
                twin.both("read between", c -> read(c, ByteBuffer.allocate(3)));
            }
        }
        twin.both("at the end", c -> scatter(c.position(c.size()), 0, 3));
        ByteBuffer[] readOnly = {ByteBuffer.allocate(3), ByteBuffer.allocate(3).asReadOnlyBuffer()};
        twin.both("read-only", c -> c.position(0).position() + c.read(readOnly));
        twin.both("null array", c -> c.read((ByteBuffer[]) null));
        twin.both("null element", c -> c.read(new ByteBuffer[] {ByteBuffer.allocate(1), null}));
        twin.both("null element", c -> c.write(new ByteBuffer[] {ByteBuffer.allocate(1), null}));
        if (stack.usesThePlatformsChannel()) {
            // The kernel takes 1024 buffers at a time; in turn they all go.
            twin.both("too many", c -> c.position(0).position() + c.write(many(2000)));
        }
        files.checkContents();
    }

    @Test
    void shouldMoveItsPosition() throws IOException {
        TwinChannel twin = files.open(READ, WRITE);
        for (long place : PLACES) {
            twin.both("position " + place, c -> c.position(place));
            twin.both("read there", c -> read(c, ByteBuffer.allocate(10)));
            twin.both("scatter there", c -> scatter(c, 0, 3));
        }
        twin.both("position", c -> c.position(300));
        twin.both("write a hole", c -> c.write(ByteBuffer.wrap(bytes(5))));
        twin.both("position", c -> c.position((1L << 32) + 3));
        twin.both("gather past 4 GiB", c -> gather(c, 0, 3));
        files.checkContents();
    }

    @Test
    void shouldTruncate() throws IOException {
        TwinChannel twin = files.open(READ, WRITE);
        TwinChannel other = files.open(READ);
        other.both("read", c -> read(c, ByteBuffer.allocate(60)));
        for (long position : new long[] {0, 50, 200}) {
            for (long size : new long[] {-1, 1000, Long.MAX_VALUE, 100, 70, 30, 0}) {
                twin.both("position", c -> c.position(position));
                twin.both("truncate " + size, c -> c.truncate(size));
                twin.both("scatter", c -> scatter(c, 0, 3));
                other.both("other read", c -> read(c, ByteBuffer.allocate(7)));
            }
            twin.both("refill", c -> c.write(ByteBuffer.wrap(bytes(100)), 0));
        }
        files.checkContents();
    }

    @Test
    void shouldAppend() throws IOException {
        TwinChannel twin = files.open(APPEND);
        TwinChannel other = files.open(READ, WRITE);
        twin.both("position at open", FileChannel::position);
        twin.both("position 3", c -> c.position(3));
        twin.both("position -1", c -> c.position(-1));
        twin.both("write", c -> c.write(ByteBuffer.wrap(bytes(10))));
        other.both("other write", c -> c.write(ByteBuffer.wrap(bytes(20)), 150));
        twin.both("write at 0", c -> c.write(ByteBuffer.wrap(bytes(7)), 0));
        for (long place : new long[] {Long.MAX_VALUE - 7, Long.MAX_VALUE - 6, Long.MAX_VALUE}) {
            twin.both("write at " + place, c -> c.write(ByteBuffer.wrap(bytes(7)), place));
            twin.both("write none at " + place, c -> c.write(ByteBuffer.allocate(0), place));
        }
        twin.both("gather", c -> gather(c, 0, 3));
        twin.both("truncate", c -> c.truncate(20));
        twin.both("gather", c -> gather(c, 1, 2));
        twin.both("transfer", c -> c.transferFrom(source(), 0, 5));
        twin.both("read", c -> c.read(ByteBuffer.allocate(1)));
        files.checkContents();
    }

    @Test
    void shouldRefuseEverythingOnceClosed() throws IOException {
        TwinChannel twin = files.open(READ, WRITE);
        TwinChannel readOnly = files.open(READ);
        for (TwinChannel closed : List.of(twin, readOnly)) {
            closed.close();
            closed.close();
            checkRefusals(closed);
        }
    }

    private static void checkRefusals(TwinChannel closed) {
        ByteBuffer one = ByteBuffer.allocate(1);
        closed.both("read", c -> c.read(one));
        closed.both("read null", c -> c.read((ByteBuffer) null));
        closed.both("read at", c -> c.read(one, 0));
        closed.both("read at -1", c -> c.read(one, -1));
        closed.both("scatter", c -> scatter(c, 0, 3));
        closed.both("scatter badly", c -> scatter(c, 4, 3));
        closed.both("write", c -> c.write(one));
        closed.both("write at", c -> c.write(one, 0));
        closed.both("write at -1", c -> c.write(one, -1));
        closed.both("gather", c -> gather(c, 0, 3));
        closed.both("position", FileChannel::position);
        closed.both("position -1", c -> c.position(-1));
        closed.both("size", FileChannel::size);
        closed.both("truncate", c -> c.truncate(-1));
        closed.both("force", c -> force(c, false));
        closed.both("map", c -> c.map(FileChannel.MapMode.READ_ONLY, 0, 1));
        closed.both("map -1", c -> c.map(FileChannel.MapMode.READ_ONLY, -1, 1));
        closed.both("map null", c -> c.map(null, 0, 1));
        closed.both("lock", FileChannel::lock);
        closed.both("lock -1", c -> c.lock(-1, 1, false));
        closed.both("lock shared", c -> c.lock(0, 1, true));
        closed.both("tryLock", FileChannel::tryLock);
        closed.both("tryLock shared", c -> c.tryLock(0, 1, true));
        closed.both("transferTo", c -> c.transferTo(0, 1, null));
        closed.both("transferFrom", c -> c.transferFrom(null, 0, 1));
    }

    @Test
    void shouldUnlinkAtOpenWhatIsDeletedOnClose() throws IOException {
        TwinChannel twin = files.open(READ, WRITE, DELETE_ON_CLOSE);
        assertThat(Files.exists(files.oracle)).isFalse();
        assertThat(Files.exists(files.subject)).isFalse();
        twin.both("write", c -> c.write(ByteBuffer.wrap(bytes(10)), 95));
        twin.both("read", c -> readAt(c, ByteBuffer.allocate(200), 0));
    }

    @Test
    void shouldReadDirectlyOnlyWhatIsAligned() throws Exception {
        assumeTrue(stack.usesThePlatformsChannel(), "page requests are aligned below the channel");
        files.holding(10000);
        OpenOption direct = directOption();
        Outcome open = Outcome.of(() -> files.open(READ, direct).mio().isOpen());
        assumeTrue(open.thrown() == null, "no direct I/O on this file system");
        TwinChannel twin = files.open(READ, direct);
        // JDK 17 makes aligned buffers for heap buffers and keeps them per thread. It fails in a
        // later call when it wants to free one, so the thread that had them has to end here.
        FutureTask<Void> task = new FutureTask<>(() -> readDirectly(twin), null);
        new Thread(task).start();
        task.get();
    }

    private static void readDirectly(TwinChannel twin) {
        twin.both("heap", c -> read(c, ByteBuffer.allocate(4096)));
        twin.both("odd length", c -> read(c, ByteBuffer.allocate(100)));
        twin.both("unaligned address", c -> read(c, direct(new byte[4097]).position(1)));
        twin.both("odd offset", c -> readAt(c, ByteBuffer.allocate(4096), 5));
        twin.both("tail", c -> read(c.position(8192), ByteBuffer.allocate(4096)));
        twin.both("odd position", c -> read(c, ByteBuffer.allocate(4096)));
    }

    /** Finds the option by name, because this module does not read the option's module. */
    private static OpenOption directOption() throws ClassNotFoundException {
        Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
        for (Object option : options.getEnumConstants()) {
            if (option.toString().equals("DIRECT")) {
                return (OpenOption) option;
            }
        }
        throw new AssertionError("no DIRECT");
    }

    private static Object read(FileChannel channel, ByteBuffer buffer) throws IOException {
        int bytes = channel.read(buffer);
        return List.of(bytes, buffer.toString(), buffer.flip());
    }

    private static Object readAt(FileChannel channel, ByteBuffer buffer, long place)
            throws IOException {
        int bytes = channel.read(buffer, place);
        return List.of(bytes, buffer.toString(), buffer.flip());
    }

    private static Object write(FileChannel channel, ByteBuffer buffer) throws IOException {
        return List.of(channel.write(buffer), buffer.toString());
    }

    private static Object scatter(FileChannel channel, int from, int count) throws IOException {
        ByteBuffer[] buffers = {
            ByteBuffer.allocate(13), ByteBuffer.allocateDirect(0), ByteBuffer.allocateDirect(9)
        };
        long bytes = channel.read(buffers, from, count);
        return List.of(bytes, buffers[0].flip(), buffers[1].flip(), buffers[2].flip());
    }

    private static Object gather(FileChannel channel, int from, int count) throws IOException {
        ByteBuffer[] buffers = {ByteBuffer.wrap(bytes(13)), direct(bytes(9)), direct(bytes(0))};
        long bytes = channel.write(buffers, from, count);
        return List.of(bytes, buffers[0], buffers[1], buffers[2]);
    }

    private static ByteBuffer[] many(int count) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = ByteBuffer.wrap(new byte[] {(byte) i});
        }
        return buffers;
    }

    private static Object force(FileChannel channel, boolean metadata) throws IOException {
        channel.force(metadata);
        return "forced";
    }

    private static ReadableByteChannel source() {
        return Channels.newChannel(new ByteArrayInputStream(bytes(5)));
    }

    private static byte[] bytes(int count) {
        return TwinFiles.bytes(count, count);
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
