package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers in the memory of an arena, through pages and past them: as on the platform. */
class ArenaBufferTest {
    private static final String PAGES = "pf/cache=64k/page=4k";
    private static final String THROUGH = "pf/cache=64k/page=4k/through";
    private static final String PAST = "pf/cache=64k/page=4k/passthru={0:1g}";
    private static final String PAST_DIRECT = "pf/cache=64k/page=4k/passthru={0:1g}/direct";
    private static final String RECOV = "recov";
    private static final String DIRECT = "mio/direct";

    @TempDir Path directory;
    private Path file;
    private byte[] content;

    @BeforeEach
    void makeFile() throws IOException {
        Arenas.assumeThatThereAreSome();
        content = new byte[1 << 20];
        new Random(7).nextBytes(content);
        file = Files.write(directory.resolve("file"), content);
    }

    private FileSystem fileSystem(String layers) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("mio://arena-buffers/"), Map.of("files", "* [ " + layers + " ]"));
    }

    private static ByteBuffer ended(int bytes) throws Exception {
        Object arena = Arenas.arena("ofShared");
        ByteBuffer buffer = Arenas.bytes(arena, bytes);
        Arenas.close(arena);
        return buffer;
    }

    private static ByteBuffer ofAnotherThread(int bytes) throws Exception {
        FutureTask<ByteBuffer> made =
                new FutureTask<>(() -> Arenas.bytes(Arenas.arena("ofConfined"), bytes));
        new Thread(made).start();
        return made.get();
    }

    /** A call with a buffer whose memory may not be touched. */
    private interface BufferCall {
        long on(FileChannel channel, ByteBuffer buffer) throws IOException;
    }

    /** What calls return, and what they leave of buffers, position and file. */
    private List<Object> outcomes(Path path, BufferCall call) throws Exception {
        List<Object> seen = new ArrayList<>();
        for (int bytes : new int[] {0, 100, 65_536}) {
            for (ByteBuffer buffer : List.of(ended(bytes), ofAnotherThread(bytes))) {
                try (FileChannel channel = FileChannel.open(path, READ, WRITE)) {
                    seen.add(Outcome.of(() -> call.on(channel, buffer)));
                    seen.add(buffer.position());
                    seen.add(channel.position());
                }
                seen.add(Files.mismatch(file, Files.write(directory.resolve("same"), content)));
            }
        }
        return seen;
    }

    private void isAsThePlatform(String layers, BufferCall call) throws Exception {
        List<Object> expected = outcomes(file, call);
        try (FileSystem mio = fileSystem(layers)) {
            assertThat(outcomes(mio.getPath(file.toString()), call)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PAGES, THROUGH, PAST, PAST_DIRECT, RECOV, DIRECT})
    void shouldRefuseToReadIntoMemoryThatMayNotBeTouched(String layers) throws Exception {
        isAsThePlatform(layers, (channel, buffer) -> channel.read(buffer));
        isAsThePlatform(layers, (channel, buffer) -> channel.read(buffer, 5000));
    }

    @ParameterizedTest
    @ValueSource(strings = {PAGES, THROUGH, PAST, PAST_DIRECT, RECOV, DIRECT})
    void shouldRefuseToWriteMemoryThatMayNotBeTouched(String layers) throws Exception {
        isAsThePlatform(layers, (channel, buffer) -> channel.write(buffer));
        isAsThePlatform(layers, (channel, buffer) -> channel.write(buffer, 5000));
    }

    @ParameterizedTest
    @ValueSource(strings = {PAGES, THROUGH, PAST, PAST_DIRECT, RECOV, DIRECT})
    void shouldMoveNothingWhereOneOfSeveralBuffersMayNotBeTouched(String layers) throws Exception {
        ByteBuffer[] first = {ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100)};
        for (ByteBuffer before : first) {
            BufferCall read =
                    (channel, buffer) -> channel.read(new ByteBuffer[] {before, buffer, before});
            isAsThePlatform(layers, read);
            BufferCall write =
                    (channel, buffer) -> channel.write(new ByteBuffer[] {before, buffer});
            isAsThePlatform(layers, write);
            assertThat(before.position()).isZero();
        }
    }

    /** The platform's own channel never completes such a request. */
    @ParameterizedTest
    @ValueSource(strings = {PAGES, THROUGH, PAST, PAST_DIRECT, RECOV, DIRECT})
    void shouldFailAsynchronousRequestsWhoseMemoryHasEnded(String layers) throws Exception {
        try (FileSystem mio = fileSystem(layers);
                AsynchronousFileChannel channel =
                        AsynchronousFileChannel.open(mio.getPath(file.toString()), READ, WRITE)) {
            for (int bytes : new int[] {100, 65_536}) {
                ByteBuffer buffer = ended(bytes);
                Future<Integer> read = channel.read(buffer, 0);
                assertThatThrownBy(read::get).hasRootCauseInstanceOf(IllegalStateException.class);
                Future<Integer> written = channel.write(buffer, 0);
                assertThatThrownBy(written::get)
                        .hasRootCauseInstanceOf(IllegalStateException.class);
                assertThat(buffer.position()).isZero();
            }
            ByteBuffer whole = Arenas.bytes(Arenas.arena("ofShared"), content.length);
            assertThat(channel.read(whole, 0).get()).isEqualTo(content.length);
            assertThat(whole.flip()).isEqualTo(ByteBuffer.wrap(content));
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    /** The open has what page requests need, but no pages any more: no cache makes its requests. */
    @Test
    void shouldFailThemOfAnOpenWhoseFileHadPagesByAnother() throws Exception {
        Path link = Files.createLink(directory.resolve("traced"), file);
        try (FileSystem mio =
                FileSystems.newFileSystem(
                        URI.create("mio://arena-buffers/"),
                        Map.of("files", "traced [ trace ] * [ " + PAGES + " ]"))) {
            FileChannel pages = FileChannel.open(mio.getPath(file.toString()), READ, WRITE);
            try (AsynchronousFileChannel channel =
                    AsynchronousFileChannel.open(mio.getPath(link.toString()), READ, WRITE)) {
                pages.close();
                ByteBuffer buffer = ended(65_536);
                Future<Integer> read = channel.read(buffer, 0);
                assertThatThrownBy(read::get).hasRootCauseInstanceOf(IllegalStateException.class);
                Future<Integer> written = channel.write(buffer, 0);
                assertThatThrownBy(written::get)
                        .hasRootCauseInstanceOf(IllegalStateException.class);
            }
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {PAGES, THROUGH, PAST, PAST_DIRECT, RECOV, DIRECT})
    void shouldReadAndWriteMemoryOfAnArena(String layers) throws Exception {
        byte[] written = new byte[600_001];
        new Random(8).nextBytes(written);
        for (String kind : List.of("ofConfined", "ofShared", "ofAuto", "global")) {
            ByteBuffer buffer = Arenas.bytes(Arenas.arena(kind), written.length);
            try (FileSystem mio = fileSystem(layers);
                    FileChannel channel =
                            FileChannel.open(mio.getPath(file.toString()), READ, WRITE)) {
                assertThat(channel.read(buffer, 4001)).isEqualTo(written.length);
                byte[] read = new byte[written.length];
                buffer.flip().get(read);
                assertThat(read).isEqualTo(Arrays.copyOfRange(content, 4001, 4001 + read.length));
                buffer.clear().put(written).flip();
                assertThat(channel.write(buffer, 6007)).isEqualTo(written.length);
                assertThat(buffer.hasRemaining()).isFalse();
                // The file ends before the buffer is full.
                assertThat(channel.read(buffer.clear(), content.length - 1001)).isEqualTo(1001);
                assertThat(buffer.position()).isEqualTo(1001);
                assertThat(channel.read(buffer, content.length)).isEqualTo(-1);
            }
            System.arraycopy(written, 0, content, 6007, written.length);
            assertThat(Files.readAllBytes(file)).isEqualTo(content);
        }
    }
}
