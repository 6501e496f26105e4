package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The same buffer several times in one call, over every stack; the platform is the oracle. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class RepeatedBuffersTest {
    private static final int BYTES = 20_000;

    @Parameter TestStack stack;
    @TempDir Path directory;
    private TwinFiles files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = new TwinFiles(directory, "repeated", stack).holding(BYTES);
    }

    @AfterEach
    void closeFiles() throws IOException {
        files.close();
    }

    /** A call of several buffers on a channel. */
    @FunctionalInterface
    private interface Move {
        long move(FileChannel channel, ByteBuffer... buffers) throws IOException;
    }

    /** A buffer of random bytes, only some of which are for the call. */
    private static ByteBuffer buffer(boolean direct, int remaining) {
        byte[] bytes = TwinFiles.bytes(remaining + 9, remaining);
        ByteBuffer buffer =
                direct
                        ? ByteBuffer.allocateDirect(bytes.length)
                        : ByteBuffer.allocate(bytes.length);
        return buffer.put(bytes).position(5).limit(5 + remaining);
    }

    /**
     * Moves buffers of these lengths. {@code places} lists, by index, which buffer is at which
     * place of the call. The bytes and positions of the buffers are compared even if the call
     * fails.
     */
    private static void check(TwinChannel twin, Move move, int[] lengths, int... places) {
        for (boolean direct : new boolean[] {false, true}) {
            List<List<ByteBuffer>> moved = new ArrayList<>();
            String what = (direct ? "direct " : "heap ") + Arrays.toString(places);
            twin.both(
                    what,
                    channel -> {
                        List<ByteBuffer> each = new ArrayList<>();
                        for (int length : lengths) {
                            each.add(buffer(direct, length));
                        }
                        moved.add(each);
                        ByteBuffer[] all =
                                Arrays.stream(places)
                                        .mapToObj(each::get)
                                        .toArray(ByteBuffer[]::new);
                        return move.move(channel, all);
                    });
            for (int i = 0; i < lengths.length; i++) {
                ByteBuffer plain = moved.get(0).get(i);
                ByteBuffer mio = moved.get(1).get(i);
                assertThat(mio.position())
                        .as("%s: position of %d", what, i)
                        .isEqualTo(plain.position());
                assertThat(mio.limit()).as("%s: limit of %d", what, i).isEqualTo(plain.limit());
                assertThat(mio.clear()).as("%s: bytes of %d", what, i).isEqualTo(plain.clear());
            }
        }
    }

    private static void checkAll(TwinChannel twin, Move move) {
        check(twin, move, new int[] {4, 4}, 0, 1, 0);
        check(twin, move, new int[] {700, 5000}, 0, 0, 1, 1, 0);
        check(twin, move, new int[] {0, 30}, 0, 1, 0);
        check(twin, move, new int[] {0, 30}, 0, 0);
        check(
                twin,
                move,
                new int[] {1},
                Collections.nCopies(40, 0).stream().mapToInt(i -> i).toArray());
    }

    @Test
    void shouldWriteABufferAsOftenAsItIsThere() throws IOException {
        TwinChannel twin = files.open(READ, WRITE);
        checkAll(twin, (channel, buffers) -> channel.write(buffers));
        twin.both("position", c -> c.position(BYTES - 100));
        checkAll(twin, (channel, buffers) -> channel.write(buffers));
        files.checkContents();
    }

    @Test
    void shouldAppendABufferAsOftenAsItIsThere() throws IOException {
        checkAll(files.open(APPEND), (channel, buffers) -> channel.write(buffers));
        files.checkContents();
    }

    @Test
    void shouldWriteARepeatedBufferFromAPartOfTheArray() throws IOException {
        TwinChannel twin = files.open(READ, WRITE);
        check(
                twin,
                (channel, buffers) -> channel.write(buffers, 1, 3),
                new int[] {10, 20, 30},
                0,
                1,
                2,
                1,
                0);
        files.checkContents();
    }

    @Test
    void shouldReadIntoABufferAsOftenAsItIsThere() throws IOException {
        checkAll(files.open(READ), (channel, buffers) -> channel.read(buffers));
    }

    @Test
    void shouldReadIntoARepeatedBufferUpToTheEndOfTheFile() throws IOException {
        TwinChannel twin = files.open(READ);
        for (int left : new int[] {0, 3, 4, 6, 8, 10}) {
            for (boolean again : new boolean[] {false, true}) {
                Move move =
                        (channel, buffers) -> {
                            channel.position(BYTES - left);
                            return channel.read(buffers);
                        };
                check(
                        twin,
                        move,
                        new int[] {4, 4},
                        again ? new int[] {0, 0, 1} : new int[] {0, 1, 0});
            }
        }
    }
}
