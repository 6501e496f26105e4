package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Transfers between channels with layers and without, in all four combinations. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class ChannelTransferTest {
    private static final int BYTES = 200_000;

    @Parameter TestStack stack;
    @TempDir Path directory;
    private TwinFiles sources;
    private TwinFiles targets;

    @BeforeEach
    void makeFiles() throws IOException {
        sources = new TwinFiles(directory, "source", stack).holding(BYTES);
        targets = new TwinFiles(directory, "target", stack).holding(1000);
    }

    @AfterEach
    void closeFiles() throws IOException {
        sources.close();
        targets.close();
    }

    /** The subject and the oracle each have a source and a target; which are layered varies. */
    private void check(boolean layeredSource, boolean layeredTarget) throws IOException {
        // The platform's channel asks only channels of its own class whether they can be written
        // before it looks at its arguments: a read-only target is left out where that shows.
        OpenOption[][] modes =
                layeredSource || !layeredTarget
                        ? new OpenOption[][] {{READ, WRITE}, {APPEND}, {READ}}
                        : new OpenOption[][] {{READ, WRITE}, {APPEND}};
        for (OpenOption[] mode : modes) {
            TwinChannel source = half(sources.open(READ), sources.subject, layeredSource, READ);
            TwinChannel target = half(targets.open(mode), targets.subject, layeredTarget, mode);
            checkTransfers(source, target);
            source.close();
            target.close();
            targets.checkContents();
        }
    }

    private static TwinChannel half(
            TwinChannel twin, Path subject, boolean layered, OpenOption... mode)
            throws IOException {
        if (layered) {
            return twin;
        }
        twin.mio().close();
        return new TwinChannel(FileChannel.open(subject, mode), twin.plain());
    }

    private static void checkTransfers(TwinChannel source, TwinChannel target) {
        long[] places = {-1, 0, 100, BYTES - 10, BYTES, BYTES + 1};
        long[] counts = {-1, 0, 1, 5000, 100_000, Long.MAX_VALUE};
        for (long place : places) {
            for (long count : counts) {
                String what = count + " from " + place;
                source.both(
                        "transferTo " + what,
                        c -> c.transferTo(place, count, side(target, source, c)));
                target.both("position", FileChannel::position);
                source.both("source position", c -> c.position(7));
                target.both(
                        "transferFrom " + what,
                        c -> c.transferFrom(side(source, target, c), Math.min(place, 500), count));
                source.both("position", FileChannel::position);
                target.both("position", c -> c.position(place));
                target.both("cut", c -> c.truncate(1000));
            }
        }
    }

    private static FileChannel side(TwinChannel wanted, TwinChannel asked, FileChannel channel) {
        return channel.equals(asked.mio()) ? wanted.mio() : wanted.plain();
    }

    @Test
    void shouldTransferFromLayersToLayers() throws IOException {
        check(true, true);
    }

    @Test
    void shouldTransferFromLayersToThePlatform() throws IOException {
        check(true, false);
    }

    @Test
    void shouldTransferFromThePlatformToLayers() throws IOException {
        check(false, true);
    }

    @Test
    void shouldTransferFromThePlatformToThePlatform() throws IOException {
        check(false, false);
    }

    @Test
    void shouldTransferWithinOneChannel() throws IOException {
        TwinChannel twin = sources.open(READ, WRITE);
        twin.both("position", c -> c.position(100_000));
        twin.both("to itself", c -> c.transferTo(0, 50_000, c));
        twin.both("from itself", c -> c.transferFrom(c, 0, 20_000));
        twin.both("to itself overlapping", c -> c.transferTo(150_000, 50_000, c));
        sources.checkContents();
    }

    @Test
    void shouldTransferToAndFromAPipe() throws IOException {
        TwinChannel twin = sources.open(READ, WRITE);
        twin.both(
                "there and back",
                c -> {
                    Pipe pipe = Pipe.open();
                    try (Pipe.SourceChannel source = pipe.source();
                            Pipe.SinkChannel sink = pipe.sink()) {
                        long out = c.transferTo(5, 1000, sink);
                        long in = c.transferFrom(source, 50_000, 1000);
                        ByteBuffer bytes = ByteBuffer.allocate(1000);
                        c.read(bytes, 50_000);
                        return List.of(out, in, bytes.flip());
                    }
                });
    }

    @Test
    void shouldScatterFromThePositionATransferLeft() throws IOException {
        TwinChannel source = sources.open(READ);
        TwinChannel target = targets.open(READ, WRITE);
        for (int i = 0; i < 3; i++) {
            source.both("transfer", c -> c.transferTo(3, 50, side(target, source, c)));
            target.both("scatter", ChannelTransferTest::scatter);
            target.both("transfer", c -> c.transferFrom(side(source, target, c), 20, 50));
            source.both("scatter", ChannelTransferTest::scatter);
        }
        assertThat(source.mio().position()).isPositive();
    }

    private static Object scatter(FileChannel channel) throws IOException {
        ByteBuffer[] two = {ByteBuffer.allocate(11), ByteBuffer.allocate(7)};
        return List.of(channel.read(two), two[0].flip(), two[1].flip());
    }
}
