package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.config.StackSpec;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stack.StackBuilder;
import io.mio.stack.Stacks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileOpenerTest {
    @TempDir Path directory;
    private final Recording stacks = new Recording();
    private final FileOpener opener = new FileOpener(stacks);
    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.write(directory.resolve("file.mio"), new byte[1234]);
    }

    /** A rule for names that contain {@code mio}; keeps what it was asked. */
    private static final class Recording implements Stacks {
        String typedName = "aix";
        IOException failure;
        OpenRequest request;
        Layer os;
        final List<Long> seeks = new ArrayList<>();

        @Override
        public StackSpec match(String name) {
            return name.contains("mio") || name.startsWith("/proc") || name.startsWith("/dev")
                    ? StackSpec.parse("test", typedName)
                    : null;
        }

        @Override
        public Layer open(StackSpec spec, OpenRequest asked, Layer last) throws IOException {
            request = asked;
            os = last;
            if (failure != null) {
                throw failure;
            }
            return new ForwardingLayer("record", last) {
                @Override
                public void seek(long offset) {
                    seeks.add(offset);
                }
            };
        }
    }

    @Test
    void shouldGiveThePlatformsOwnObjectsWhereNoRuleMatches() throws IOException {
        Path plain = Files.write(directory.resolve("plain"), new byte[10]);
        checkPlatforms(opener.newFileChannel(plain, Set.of()));
        checkPlatforms(opener.newByteChannel(plain, Set.of()));
        checkPlatforms(opener.newAsynchronousFileChannel(plain, Set.of(READ), null));
        checkPlatforms(opener.newInputStream(plain));
        checkPlatforms(opener.newOutputStream(plain));
    }

    /** Programs that look inside a channel rely on this: docs/Configuration.md, "Rules". */
    @Test
    void shouldGiveThePlatformsOwnObjectsWhereTheRuleAsksForNothing() throws IOException {
        for (String modules : List.of("os", "mio | aix", "mio/nomode | os/trunc/einprogress=1")) {
            FileOpener nothing = opener("* [ " + modules + " ]");
            checkPlatforms(nothing.newFileChannel(file, Set.of()));
            checkPlatforms(nothing.newByteChannel(file, Set.of()));
            checkPlatforms(nothing.newAsynchronousFileChannel(file, Set.of(READ), null));
            checkPlatforms(nothing.newInputStream(file));
            checkPlatforms(nothing.newOutputStream(file));
        }
        checkPlatforms(opener("*.mio [ os ] * [ trace ]").newFileChannel(file, Set.of()));
        for (String modules :
                List.of("os/notrunc", "mio/mode=600", "mio/osync", "mio/noosync", "mio/nodirect")) {
            try (FileChannel channel =
                    opener("* [ " + modules + " ]").newFileChannel(file, Set.of())) {
                assertThat(channel).as(modules).isInstanceOf(MioFileChannel.class);
            }
        }
    }

    private static FileOpener opener(String files) {
        return new FileOpener(StackBuilder.load(Map.of("files", files), FileSystems.getDefault()));
    }

    private static void checkPlatforms(Closeable opened) throws IOException {
        assertThat(opened.getClass().getModule()).isEqualTo(Object.class.getModule());
        opened.close();
    }

    @Test
    void shouldPassThroughWhatIsNotARegularFile() throws IOException {
        Path subdirectory = Files.createDirectory(directory.resolve("mio.directory"));
        checkPlatforms(opener.newFileChannel(subdirectory, Set.of()));
        checkPlatforms(opener.newInputStream(subdirectory));
        checkPlatforms(opener.newFileChannel(Path.of("/dev/null"), Set.of(READ, WRITE)));
        checkPlatforms(opener.newInputStream(Path.of("/proc/self/status")));
        Path link = Files.createSymbolicLink(directory.resolve("mio.link"), Path.of("/dev/null"));
        checkPlatforms(opener.newFileChannel(link, Set.of(WRITE)));
        Files.delete(link);
    }

    @Test
    void shouldPassThroughTheFilesOfTheJvm() throws IOException {
        FileOpener all = TestStack.OS.opener();
        checkPlatforms(
                all.newFileChannel(Path.of(System.getProperty("java.home"), "release"), Set.of()));
        Path library =
                Path.of(
                        FileOpener.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath());
        checkPlatforms(all.newInputStream(library.resolve("io/mio/fs/FileOpener.class")));
    }

    /** Names there are first compared with those of devices. */
    @Test
    void shouldPassThroughItsOwnFilesInSharedMemoryToo() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory), "no shared memory");
        Path classes = Files.createTempDirectory(memory, "classes");
        List<String> names = List.of("PassedThrough.class", "PassedThrough$Kind.class");
        try {
            for (String name : names) {
                try (InputStream in = FileOpener.class.getResourceAsStream(name)) {
                    Path copy = classes.resolve("io/mio/fs").resolve(name);
                    Files.createDirectories(copy.getParent());
                    Files.copy(in, copy);
                }
            }
            try (URLClassLoader loader =
                    new URLClassLoader(new URL[] {classes.toUri().toURL()}, null)) {
                Method of =
                        loader.loadClass(PassedThrough.class.getName())
                                .getDeclaredMethod("of", Path.class);
                of.setAccessible(true);
                Path own = classes.resolve("io/mio/fs/PassedThrough.class");
                assertThat(of.invoke(null, own)).hasToString("PASSED");
                assertThat(of.invoke(null, memory.resolve("another"))).hasToString("FILE");
            }
        } finally {
            for (String name : names) {
                Files.deleteIfExists(classes.resolve("io/mio/fs").resolve(name));
            }
            for (String each : List.of("io/mio/fs", "io/mio", "io", "")) {
                Files.deleteIfExists(classes.resolve(each));
            }
        }
    }

    @Test
    void shouldTellTheLayersWhatWasOpened() throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        long before = System.nanoTime();
        opener.newFileChannel(file, Set.of(READ, WRITE)).close();
        OpenRequest request = stacks.request;
        assertThat(request.name()).isEqualTo(file.toString());
        assertThat(request.oflags()).isEqualTo(2);
        assertThat(request.mode()).isEqualTo(0640);
        assertThat(request.sizeBytes()).isEqualTo(1234);
        assertThat(request.openedNanos()).isBetween(before, System.nanoTime());
        assertThat(request.openNanos()).isNotNegative();
        assertThat(request.place().type()).isEqualTo(Files.getFileStore(file).type());
        assertThat(request.place().sectorBytes())
                .isEqualTo(Files.getFileStore(file).getBlockSize());
        assertThat(stacks.os.name()).isEqualTo("aix");
    }

    @Test
    void shouldNameTheLastLayerOsWhereTheRuleDoesNot() throws IOException {
        stacks.typedName = "trace";
        opener.newFileChannel(file, Set.of()).close();
        assertThat(stacks.os).hasToString("os");
    }

    @Test
    void shouldKnowFilesThatAreGoneByTheirDirectory() throws IOException {
        Path missing = directory.resolve("new.mio");
        opener.newFileChannel(missing, Set.of(WRITE, CREATE, DELETE_ON_CLOSE)).close();
        assertThat(stacks.request.mode()).isEqualTo(-1);
        assertThat(stacks.request.sizeBytes()).isZero();
        assertThat(stacks.request.place().type()).isEqualTo(Files.getFileStore(directory).type());
        opener.newFileChannel(file, Set.of(DELETE_ON_CLOSE)).close();
        assertThat(stacks.request.sizeBytes()).isEqualTo(1234);
    }

    @Test
    void shouldTellTheFlagsOfStreams() throws IOException {
        opener.newInputStream(file).close();
        assertThat(stacks.request.oflags()).isZero();
        opener.newOutputStream(file).close();
        assertThat(stacks.request.oflags()).isEqualTo(0x241);
        assertThat(stacks.request.sizeBytes()).isZero();
    }

    @Test
    void shouldCloseTheFileWhenItsLayersCannotBeMade() throws IOException {
        stacks.failure = new IOException("no layers today");
        long open = openFiles();
        assertThatThrownBy(() -> opener.newFileChannel(file, Set.of())).isSameAs(stacks.failure);
        assertThatThrownBy(() -> opener.newInputStream(file)).isSameAs(stacks.failure);
        assertThatThrownBy(() -> opener.newOutputStream(file, WRITE)).isSameAs(stacks.failure);
        assertThatThrownBy(() -> opener.newAsynchronousFileChannel(file, Set.of(), null))
                .isSameAs(stacks.failure);
        assertThat(openFiles()).isEqualTo(open);
    }

    /** The number of descriptors of this process that name the file. */
    private long openFiles() throws IOException {
        long count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : all) {
                count += pointsToFile(descriptor) ? 1 : 0;
            }
        }
        return count;
    }

    private boolean pointsToFile(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Test
    void shouldOpenBelowASecureDirectory() throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            SecureDirectoryStream<Path> secure = (SecureDirectoryStream<Path>) stream;
            try (SeekableByteChannel channel =
                    opener.newByteChannel(
                            secure,
                            new NameInDirectory(secure, file, file.getFileName()),
                            Set.of(READ))) {
                assertThat(channel).isInstanceOf(MioFileChannel.class);
                assertThat(channel.size()).isEqualTo(1234);
            }
        }
        assertThat(stacks.request.name()).isEqualTo(file.toString());
    }

    @Test
    void shouldTellTheLayersWhereTheProgramGoesOnlyWhenItSaysSo() throws Exception {
        try (FileChannel channel = opener.newFileChannel(file, Set.of(READ, WRITE))) {
            channel.read(ByteBuffer.allocate(10));
            channel.write(ByteBuffer.allocate(10));
            assertThat(stacks.seeks).isEmpty();
            channel.position(7);
            channel.read(ByteBuffer.allocate(10), 30);
            channel.write(ByteBuffer.allocate(10), 5);
            assertThat(stacks.seeks).containsExactly(7L, 30L, 5L);
        }
        stacks.seeks.clear();
        try (AsynchronousFileChannel channel =
                opener.newAsynchronousFileChannel(file, Set.of(READ), null)) {
            channel.read(ByteBuffer.allocate(10), 11).get();
            channel.read(ByteBuffer.allocate(10), 12, null, new Handler());
        }
        try (InputStream in = opener.newInputStream(file)) {
            in.read();
            in.skip(9);
        }
        try (OutputStream out = opener.newOutputStream(file)) {
            out.write(1);
        }
        assertThat(stacks.seeks).containsExactly(11L, 12L, 10L);
    }

    private static final class Handler implements CompletionHandler<Integer, Object> {
        @Override
        public void completed(Integer bytes, Object attachment) {}

        @Override
        public void failed(Throwable error, Object attachment) {}
    }

    @Test
    void shouldApplyTheOptionsOfTheFrontLayer() {
        FrontOptions program = front("trace");
        assertThat(program.options(Set.of(WRITE))).isEqualTo(Set.of(WRITE));
        assertThat(program.attributes()).isEmpty();
        assertThat(program.truncates()).isTrue();
        FrontOptions forced = front("mio/mode=0640/osync | aix/notrunc");
        assertThat(forced.options(Set.of(WRITE))).isEqualTo(Set.of(WRITE, SYNC));
        assertThat(forced.options(Set.of(READ))).isEqualTo(Set.of(READ));
        assertThat(forced.attributes()[0].value())
                .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        assertThat(forced.truncates()).isFalse();
        assertThat(forced.osName()).isEqualTo("aix");
        FrontOptions relaxed = front("mio/noosync/nodirect");
        assertThat(relaxed.options(Set.of(WRITE, SYNC, DSYNC, ByName.DIRECT)))
                .isEqualTo(Set.of(WRITE));
    }

    /** Stands for the JDK's own option, whose module need not be there. */
    private enum ByName implements OpenOption {
        DIRECT
    }

    private static FrontOptions front(String modules) {
        return FrontOptions.of(StackSpec.parse("test", modules));
    }

    @Test
    void shouldMakeFilesOfStreamsWithTheModeOfTheRule() throws IOException {
        FrontOptions front = front("mio/mode=0600");
        for (OpenOption[] options :
                new OpenOption[][] {{}, {CREATE, WRITE}, {CREATE_NEW}, {CREATE, APPEND}}) {
            Path made = directory.resolve("made.mio");
            StreamOpener.openOutput(made, front, options).close();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rw-------");
            Files.delete(made);
        }
        assertThatThrownBy(() -> StreamOpener.openOutput(file, front, CREATE_NEW))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> StreamOpener.openOutput(file, front, READ))
                .isInstanceOf(IllegalArgumentException.class);
        StreamOpener.openOutput(file, front, CREATE, APPEND).close();
        assertThat(Files.size(file)).isEqualTo(1234);
    }
}
