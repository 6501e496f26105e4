package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.os.OsLayer;
import io.mio.os.PlatformFile;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams compared with the platform's, and what an interrupt must not do to them. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class StreamContractTest {
    private static final OpenOption[] OPTIONS = {
        READ, WRITE, APPEND, TRUNCATE_EXISTING, CREATE, CREATE_NEW, SYNC, DELETE_ON_CLOSE
    };

    @Parameter TestStack stack;
    @TempDir Path directory;
    private FileOpener opener;
    private TwinFiles files;
    private FileSystemProvider platform;

    @BeforeEach
    void makeFiles() throws IOException {
        opener = stack.opener();
        files = new TwinFiles(directory, "file", stack).holding(20_000);
        platform = directory.getFileSystem().provider();
    }

    @AfterEach
    void closeFiles() throws IOException {
        Thread.interrupted();
        files.close();
    }

    private interface InputCall {
        Object on(InputStream in) throws IOException;
    }

    private interface OutputCall {
        Object on(OutputStream out) throws IOException;
    }

    private void bothInputs(String what, InputCall call, OpenOption... options) {
        Outcome expected =
                Outcome.of(
                        () -> {
                            try (InputStream in = platform.newInputStream(files.oracle, options)) {
                                return call.on(in);
                            }
                        });
        Outcome got =
                Outcome.of(
                        () -> {
                            InputStream in = opener.newInputStream(files.subject, options);
                            assertThat(in).isInstanceOf(MioInputStream.class);
                            return closedElsewhere(in, () -> call.on(in));
                        });
        assertThat(got).as(what).isEqualTo(expected);
    }

    private void bothOutputs(String what, OutputCall call, OpenOption... options) {
        Outcome expected =
                Outcome.of(
                        () -> {
                            try (OutputStream out =
                                    platform.newOutputStream(files.oracle, options)) {
                                return call.on(out);
                            }
                        });
        Outcome got =
                Outcome.of(
                        () -> {
                            OutputStream out = opener.newOutputStream(files.subject, options);
                            assertThat(out).isInstanceOf(MioOutputStream.class);
                            return closedElsewhere(out, () -> call.on(out));
                        });
        assertThat(got).as(what).isEqualTo(expected);
        files.checkContents();
    }

    private static Object closedElsewhere(Closeable stream, Callable<Object> call)
            throws Exception {
        try {
            return call.call();
        } finally {
            Threads.elsewhere(
                    () -> {
                        stream.close();
                        return null;
                    });
        }
    }

    @Test
    void shouldOpenWithEveryOptionAsThePlatformDoes() throws IOException {
        for (OpenOption first : OPTIONS) {
            for (OpenOption second : OPTIONS) {
                String what = first + " " + second;
                files.holding(500);
                bothInputs(
                        "input " + what, in -> ByteBuffer.wrap(in.readAllBytes()), first, second);
                files.holding(500);
                bothOutputs("output " + what, out -> written(out, 30), first, second);
                bothOutputs("output again " + what, out -> written(out, 30), first, second);
            }
            files.holding(500);
            bothOutputs("output " + first, out -> written(out, 30), first);
        }
        bothOutputs("output", out -> written(out, 30));
        bothInputs("no option", in -> in.read(), (OpenOption) null);
    }

    private static Object written(OutputStream out, int bytes) throws IOException {
        out.write(TwinFiles.bytes(bytes, bytes));
        return "written";
    }

    @Test
    void shouldReadAsThePlatformDoesInAnyOrder() {
        long seed = Long.getLong("mio.test.seed", System.nanoTime());
        bothInputs(
                "random reads, -Dmio.test.seed=" + seed,
                in -> {
                    Random random = new Random(seed);
                    List<Object> all = new ArrayList<>();
                    for (int i = 0; i < 400; i++) {
                        all.add(step(in, random.nextInt(9), random.nextInt(2500)));
                    }
                    return all;
                });
    }

    private static Object step(InputStream in, int kind, int count) throws IOException {
        byte[] bytes = new byte[count + 10];
        return switch (kind) {
            case 0 -> in.read();
            case 1 -> List.of(in.read(bytes, 3, count), ByteBuffer.wrap(bytes));
            case 2 -> in.skip(count);
            case 3 -> in.skip(-3L * count);
            case 4 -> in.available();
            case 5 -> ByteBuffer.wrap(in.readNBytes(count));
            case 6 -> count > 2000 ? ByteBuffer.wrap(in.readAllBytes()) : "";
            case 7 -> count > 2000 ? transferred(in) : "";
            default -> count > 2000 ? in.skip(Long.MAX_VALUE) : in.markSupported();
        };
    }

    private static Object transferred(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        return List.of(in.transferTo(out), ByteBuffer.wrap(out.toByteArray()));
    }

    @Test
    void shouldRefuseBadArgumentsAndAClosedStreamAsThePlatformDoes() {
        byte[] ten = new byte[10];
        bothInputs("bounds", in -> in.read(ten, 5, 6));
        bothInputs("null", in -> in.read(null, 0, 1));
        bothInputs("nothing at the end", in -> in.skip(1 << 20) + in.read(ten, 0, 0));
        bothInputs("end", in -> in.skip(1 << 20) + in.read(ten));
        bothInputs("closed", in -> closed(in).read());
        bothInputs("closed, nothing", in -> closed(in).read(ten, 0, 0));
        bothInputs("closed available", in -> closed(in).available());
        bothInputs("closed skip", in -> closed(in).skip(1));
        bothInputs("closed all", in -> closed(in).readAllBytes());
        bothOutputs(
                "closed",
                out -> {
                    out.close();
                    return written(out, 5);
                });
        bothOutputs(
                "bounds",
                out -> {
                    out.write(ten, 5, 6);
                    return "";
                });
        bothOutputs(
                "closed, one",
                out -> {
                    out.close();
                    out.write(1);
                    return "";
                });
    }

    private static InputStream closed(InputStream in) throws IOException {
        in.close();
        return in;
    }

    @Test
    void shouldReadAllWhateverSizeTheFileSeemedToHave() throws IOException {
        byte[] expected = Files.readAllBytes(files.oracle);
        for (long size : new long[] {0, 1, 19_999, 20_000, 20_001, 1L << 40}) {
            Layer os = OsLayer.ofInput(platform.newInputStream(files.oracle), "os");
            Layer seeming =
                    new ForwardingLayer("seeming", os) {
                        @Override
                        public long size() {
                            return size;
                        }
                    };
            try (InputStream in = new MioInputStream(os::close, seeming)) {
                assertThat(in.readAllBytes()).as("%d", size).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldWriteAsThePlatformDoesInAnyOrder() {
        long seed = Long.getLong("mio.test.seed", System.nanoTime());
        OutputCall call =
                out -> {
                    Random random = new Random(seed);
                    for (int i = 0; i < 200; i++) {
                        out.write(i);
                        out.write(new byte[0]);
                        out.write(TwinFiles.bytes(5000, i), i, random.nextInt(4000));
                        out.flush();
                    }
                    return "";
                };
        bothOutputs("from the start, seed " + seed, call);
        bothOutputs("over what is there, seed " + seed, call, WRITE);
        bothOutputs("at the end, seed " + seed, call, APPEND);
    }

    @Test
    void shouldTransferBetweenStreamsWithLayers() throws IOException {
        Path copy = directory.resolve("copy");
        try (InputStream in = opener.newInputStream(files.subject);
                OutputStream out = opener.newOutputStream(copy)) {
            assertThat(in.transferTo(out)).isEqualTo(20_000);
        }
        assertThat(copy).hasSameBinaryContentAs(files.oracle);
    }

    @Test
    void shouldReadOnWhenTheThreadIsInterrupted() throws IOException {
        byte[] expected = Files.readAllBytes(files.oracle);
        Thread.currentThread().interrupt();
        try (InputStream in = opener.newInputStream(files.subject)) {
            assertThat(in.available()).isEqualTo(20_000);
            assertThat(in.read()).isEqualTo(expected[0] & 0xff);
            assertThat(in.skip(9)).isEqualTo(9);
            assertThat(in.readAllBytes()).hasSize(19_990);
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    /** The file is large enough for hints to the kernel. */
    @Test
    void shouldGoOnWhenTheThreadIsInterruptedInAFileThatIsDeletedAtClose() throws IOException {
        files.holding(1_000_000);
        bothInputs("read", in -> interrupted(() -> in.readAllBytes().length), DELETE_ON_CLOSE);
        for (OpenOption how : new OpenOption[] {WRITE, APPEND, CREATE_NEW}) {
            if (how != CREATE_NEW) {
                files.holding(1_000_000);
            }
            bothOutputs(
                    "write " + how,
                    out -> interrupted(() -> written(out, 30)),
                    how,
                    DELETE_ON_CLOSE);
        }
    }

    private static Object interrupted(Callable<Object> call) {
        Thread.currentThread().interrupt();
        try {
            return Outcome.of(call);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void shouldNotLoseTheFileWhenTheThreadIsInterrupted() throws IOException {
        Thread.currentThread().interrupt();
        try (OutputStream out = opener.newOutputStream(files.subject)) {
            out.write(new byte[] {1, 2, 3});
        }
        try (OutputStream out = opener.newOutputStream(files.subject, APPEND)) {
            out.write(4);
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(files.subject).hasBinaryContent(new byte[] {1, 2, 3, 4});
    }

    private interface ChannelCall {
        Object on(SeekableByteChannel channel) throws IOException;
    }

    @Test
    void shouldBeToReadAllBytesAChannelLikeThePlatforms() throws Exception {
        ByteBuffer ten = ByteBuffer.allocate(10);
        List<ChannelCall> calls =
                List.of(
                        SeekableByteChannel::position,
                        c -> List.of(c.read(ten.clear()), ten.flip(), c.position()),
                        c -> c.position(19_995).position(),
                        c -> List.of(c.read(ten.clear()), ten.flip(), c.position()),
                        c -> c.position(0).read(ten.clear()),
                        c -> List.of(c.position(30_000).read(ten.clear()), c.position()),
                        c -> c.position(-1),
                        c -> c.read(ten.asReadOnlyBuffer()),
                        c -> c.write(ten),
                        c -> c.truncate(5),
                        SeekableByteChannel::size,
                        SeekableByteChannel::isOpen);
        Layer os = OsLayer.ofChannel(new PlatformFile(FileChannel.open(files.oracle)), "os", true);
        SeekableByteChannel mio = new MioReadChannel(os::close, os);
        SeekableByteChannel plain = Files.newByteChannel(files.oracle);
        for (int closed = 0; closed < 2; closed++) {
            for (ChannelCall call : calls) {
                Outcome expected = Outcome.of(() -> call.on(plain));
                assertThat(Outcome.of(() -> call.on(mio))).isEqualTo(expected);
            }
            plain.close();
            closedElsewhere(mio, () -> "");
        }
    }

    @Test
    void shouldGiveOnlyReadAllBytesAChannelThatNoInterruptCloses() throws IOException {
        try (SeekableByteChannel channel = opener.newByteChannel(files.subject, Set.of())) {
            assertThat(channel).isInstanceOf(MioFileChannel.class);
        }
        OpenerProvider provider = new OpenerProvider(opener, files.subject);
        Path path = provider.path();
        Thread.currentThread().interrupt();
        byte[] all = Files.readAllBytes(path);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(all).isEqualTo(Files.readAllBytes(files.oracle));
        assertThat(provider.last()).isInstanceOf(MioReadChannel.class);
        assertThat(provider.last().isOpen()).isFalse();
    }
}
