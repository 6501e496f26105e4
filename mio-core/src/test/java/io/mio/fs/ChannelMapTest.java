package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Mappings, into buffers and, where the JVM has them, into arenas. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class ChannelMapTest {
    private static final long[] PLACES = {-1, 0, 10, 4096, 1L << 33, Long.MAX_VALUE};
    private static final long[] SIZES = {-1, 0, 1, 60, 5000, 1L << 31, Long.MAX_VALUE};

    @Parameter TestStack stack;
    @TempDir Path directory;
    private TwinFiles files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = new TwinFiles(directory, "file", stack).holding(6000);
    }

    @AfterEach
    void closeFiles() throws IOException {
        files.close();
    }

    private static List<MapMode> modes() {
        List<MapMode> modes = new ArrayList<>();
        modes.add(MapMode.READ_ONLY);
        modes.add(MapMode.READ_WRITE);
        modes.add(MapMode.PRIVATE);
        modes.add(null);
        return modes;
    }

    @Test
    void shouldMapAsThePlatformDoes() throws IOException {
        for (TwinChannel twin :
                List.of(files.open(READ, WRITE), files.open(READ), files.open(WRITE))) {
            for (MapMode mode : modes()) {
                for (long place : PLACES) {
                    for (long size : SIZES) {
                        twin.both(
                                "map " + mode + " " + place + " " + size,
                                c -> mapped(c.map(mode, place, size)));
                    }
                }
            }
        }
        files.checkContents();
    }

    private static Object mapped(MappedByteBuffer buffer) {
        ByteBuffer window = buffer.duplicate().limit(Math.min(buffer.capacity(), 10_000));
        return List.of(buffer.isReadOnly(), buffer.capacity(), window);
    }

    @Test
    void shouldSeeThroughTheMappingWhatIsWrittenAndTheOtherWayRound() throws IOException {
        FileChannel channel = files.open(READ, WRITE).mio();
        MappedByteBuffer map = channel.map(MapMode.READ_WRITE, 0, 100);
        map.put(5, (byte) 99);
        ByteBuffer read = ByteBuffer.allocate(1);
        channel.read(read, 5);
        assertThat(read.get(0)).isEqualTo((byte) 99);
        channel.write(ByteBuffer.wrap(new byte[] {77}), 6);
        assertThat(map.get(6)).isEqualTo((byte) 77);
        channel.close();
        assertThat(map.get(5)).isEqualTo((byte) 99);
    }

    @Test
    void shouldSeeThroughTheMappingOfAReaderWhatAnotherChannelWrites() throws IOException {
        FileChannel writer = files.open(READ, WRITE).mio();
        FileChannel reader = files.open(READ).mio();
        writer.write(ByteBuffer.wrap(new byte[] {77}), 5);
        MappedByteBuffer map = reader.map(MapMode.READ_ONLY, 0, 100);
        assertThat(map.get(5)).isEqualTo((byte) 77);
        writer.write(ByteBuffer.wrap(new byte[] {78}), 6);
        assertThat(map.get(6)).isEqualTo((byte) 78);
    }

    @Test
    void shouldMapIntoAnArenaAsThePlatformDoes() throws Exception {
        Arenas.assumeThatThereAreSome();
        Object arena = Arenas.arena("global");
        for (TwinChannel twin : List.of(files.open(READ, WRITE), files.open(READ))) {
            for (MapMode mode : modes()) {
                for (long place : PLACES) {
                    for (long size : new long[] {-1, 0, 60, 5000}) {
                        twin.both(
                                "map " + mode + " " + place + " " + size,
                                c -> bytes(Arenas.map(c, mode, place, size, arena)));
                    }
                }
            }
            twin.both("no arena", c -> Arenas.map(c, MapMode.READ_ONLY, 0, 1, null));
            twin.both(
                    "interrupted",
                    c -> {
                        Thread.currentThread().interrupt();
                        try {
                            return Arenas.map(c, MapMode.READ_ONLY, 0, 1, arena);
                        } finally {
                            Thread.interrupted();
                        }
                    });
            twin.both("closed", c -> Arenas.map(c, MapMode.READ_ONLY, 0, 1, arena));
        }
    }

    private static Object bytes(Object segment) throws Exception {
        return List.of(Arenas.isReadOnly(segment), Arenas.bytes(segment));
    }
}
