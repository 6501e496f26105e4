package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts before and during a call, and closing by another thread. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class ChannelInterruptTest {
    @Parameter TestStack stack;
    @TempDir Path directory;
    private TwinFiles files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = new TwinFiles(directory, "file", stack).holding(100);
    }

    @AfterEach
    void closeFiles() throws IOException {
        Thread.interrupted();
        files.close();
    }

    @Test
    void shouldDoWithAnInterruptedThreadWhatThePlatformDoes() throws IOException {
        for (Map.Entry<String, TwinChannel.Call> call : calls().entrySet()) {
            checkInterrupted(call.getKey(), call.getValue(), READ, WRITE);
            checkInterrupted(call.getKey() + " for append", call.getValue(), APPEND);
            checkInterrupted(call.getKey() + " read only", call.getValue(), READ);
        }
    }

    private void checkInterrupted(String what, TwinChannel.Call call, OpenOption... options)
            throws IOException {
        TwinChannel twin = files.open(options);
        twin.both(
                what,
                c -> {
                    Thread.currentThread().interrupt();
                    try {
                        return call.on(c);
                    } finally {
                        assertThat(Thread.interrupted()).as(what).isTrue();
                    }
                });
        twin.close();
    }

    private static Map<String, TwinChannel.Call> calls() {
        ByteBuffer[] two = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        Map<String, TwinChannel.Call> calls = new LinkedHashMap<>();
        calls.put("read", c -> c.read(ByteBuffer.allocate(1)));
        calls.put("read nothing", c -> c.read(ByteBuffer.allocate(0)));
        calls.put("read read-only", c -> c.read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
        calls.put("read at", c -> c.read(ByteBuffer.allocate(1), 5));
        calls.put("scatter", c -> c.read(two));
        calls.put("write", c -> c.write(ByteBuffer.allocate(1)));
        calls.put("write at", c -> c.write(ByteBuffer.allocate(1), 5));
        calls.put("gather", c -> c.write(two));
        calls.put("position", FileChannel::position);
        calls.put("move", c -> c.position(7));
        calls.put("move badly", c -> c.position(-7));
        calls.put("size", FileChannel::size);
        calls.put("truncate", c -> c.truncate(50));
        calls.put(
                "force",
                c -> {
                    c.force(false);
                    return "forced";
                });
        calls.put("map", c -> c.map(FileChannel.MapMode.READ_ONLY, 0, 1).get(0));
        calls.put("lock", FileChannel::lock);
        calls.put("tryLock", c -> c.tryLock().isValid());
        calls.put("transferTo", c -> c.transferTo(0, 5, Channels.newChannel(sink())));
        calls.put("transferFrom", c -> c.transferFrom(source(), 0, 5));
        return calls;
    }

    private static ByteArrayOutputStream sink() {
        return new ByteArrayOutputStream();
    }

    private static ReadableByteChannel source() {
        return Channels.newChannel(new ByteArrayInputStream(new byte[5]));
    }

    @Test
    void shouldCloseTheEndsOfAnInterruptedTransferThatThePlatformCloses() throws IOException {
        for (boolean away : new boolean[] {true, false}) {
            for (long place : new long[] {0, 5}) {
                TwinChannel twin = files.open(READ, WRITE);
                TwinFiles others = new TwinFiles(directory, "other", stack).holding(100);
                TwinChannel other = others.open(READ, WRITE);
                other.both("position", c -> c.position(place));
                twin.both(
                        "transfer",
                        c -> {
                            FileChannel end = c.equals(twin.mio()) ? other.mio() : other.plain();
                            Thread.currentThread().interrupt();
                            try {
                                return away ? c.transferTo(0, 9, end) : c.transferFrom(end, 0, 9);
                            } finally {
                                assertThat(Thread.interrupted()).isTrue();
                            }
                        });
                assertThat(other.mio().isOpen()).isEqualTo(other.plain().isOpen());
                others.close();
            }
        }
    }

    @Test
    void shouldCloseAChannelThatIsInterruptedInATransferAtAnyMoment() throws Exception {
        try (TwinFiles others = new TwinFiles(directory, "other", stack).holding(100)) {
            for (int i = 0; i < 100; i++) {
                FileChannel channel = files.open(READ, WRITE).mio();
                FileChannel other = others.open(READ, WRITE).mio();
                FutureTask<Object> task = new FutureTask<>(() -> transferForEver(channel, other));
                Thread thread = Threads.startAndWaitFor("transferForEver", task);
                thread.interrupt();
                assertThat(task.get()).isInstanceOf(ClosedByInterruptException.class);
                assertThat(channel.isOpen()).isFalse();
            }
        }
    }

    private static Object transferForEver(FileChannel channel, FileChannel other) {
        try {
            while (true) {
                channel.transferTo(0, 1, other);
                channel.transferFrom(other, 20, 1);
            }
        } catch (IOException e) {
            return e;
        }
    }

    @Test
    void shouldTellAThreadThatWaitsInATransferThatItWasClosed() throws Exception {
        TwinChannel twin = files.open(READ, WRITE);
        assertThat(thrownWhenClosedInTransfer(twin.mio()))
                .isEqualTo(thrownWhenClosedInTransfer(twin.plain()));
    }

    private static Class<?> thrownWhenClosedInTransfer(FileChannel channel) throws Exception {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            FutureTask<Outcome> transfer =
                    new FutureTask<>(() -> Outcome.of(() -> channel.transferFrom(source, 0, 10)));
            Threads.startAndWaitFor("transferFromArbitraryChannel", transfer);
            channel.close();
            sink.write(ByteBuffer.allocate(10));
            return transfer.get().thrown();
        }
    }

    @Test
    void shouldTellWhatATransferHasBroughtWhenItIsClosed() throws Exception {
        checkEndedAfterTenBytes(false);
    }

    @Test
    void shouldTellWhatATransferHasBroughtWhenItIsInterrupted() throws Exception {
        checkEndedAfterTenBytes(true);
    }

    private void checkEndedAfterTenBytes(boolean interrupts) throws Exception {
        TwinChannel twin = files.open(READ, WRITE);
        TwinChannel other = files.open(READ, WRITE);
        assertThat(endedAfterTenBytes(twin.mio(), files.subject, interrupts))
                .isEqualTo(endedAfterTenBytes(twin.plain(), files.oracle, interrupts));
        assertThat(twin.mio().isOpen()).isEqualTo(twin.plain().isOpen());
        // An open that knows of no byte there would write zeros around its own.
        other.both("write", c -> c.write(ByteBuffer.wrap(new byte[] {7}), 105));
        other.both("size", FileChannel::size);
        files.checkContents();
    }

    private static Outcome endedAfterTenBytes(FileChannel channel, Path file, boolean interrupts)
            throws Exception {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            FutureTask<Outcome> transfer =
                    new FutureTask<>(() -> Outcome.of(() -> channel.transferFrom(source, 100, 99)));
            Thread thread = Threads.startAndWaitFor("transferFromArbitraryChannel", transfer);
            sink.write(ByteBuffer.wrap(TwinFiles.bytes(10, 3)));
            while (Files.size(file) < 110) {
                Thread.onSpinWait();
            }
            if (interrupts) {
                // Interrupts the read of the pipe; an interrupt in the file would close the file.
                Threads.waitFor("read0", thread);
                thread.interrupt();
            } else {
                channel.close();
                sink.write(ByteBuffer.allocate(10));
            }
            return transfer.get();
        }
    }

    @Test
    void shouldSurviveInterruptsAtAnyMoment() throws Exception {
        for (int i = 0; i < 200; i++) {
            FileChannel channel = files.open(READ, WRITE).mio();
            FutureTask<Object> reader = new FutureTask<>(() -> readForEver(channel));
            Thread thread = Threads.startAndWaitFor("readForEver", reader);
            thread.interrupt();
            assertThat(reader.get()).isInstanceOf(ClosedByInterruptException.class);
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void shouldSurviveClosingAtAnyMoment() throws Exception {
        for (int i = 0; i < 200; i++) {
            FileChannel channel = files.open(READ, WRITE).mio();
            FutureTask<Object> reader = new FutureTask<>(() -> readForEver(channel));
            Threads.startAndWaitFor("readForEver", reader);
            channel.close();
            assertThat(reader.get().getClass().getSimpleName())
                    .isIn("AsynchronousCloseException", "ClosedChannelException");
        }
    }

    private static Object readForEver(FileChannel channel) {
        ByteBuffer[] two = {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10)};
        try {
            while (true) {
                channel.read(two[0].clear(), 5);
                channel.position(0).read(two[0].clear());
                two[1].clear();
                channel.read(two);
                channel.write(two[0].clear());
                channel.truncate(50);
            }
        } catch (IOException e) {
            return e;
        }
    }
}
