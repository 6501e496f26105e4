package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.pf.CachedFiles;
import io.mio.stack.StackBuilder;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptors of a file that are older than its pages: both sides always agree. */
@Tag("backends")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OlderDescriptorsTest {
    private static final int PAGE = 8192;
    private static final int SIZE = 20 * PAGE;

    @TempDir Path directory;
    private Path file;
    private Path report;
    private FileOpener opener;

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.write(directory.resolve("file.pf"), filled('o', SIZE));
        report = directory.resolve("report.jsonl");
        opener = opener(PageFiles.OF_PROCESS);
    }

    /** Names that end in {@code .pf} get pages; those in {@code .traced}, layers without any. */
    private FileOpener opener(PageFiles pages) {
        String pf = "pf/cache=128k/page=8k/pref=1/private/stats={" + report + "}";
        String files = "*.pf [ " + pf + " ] *.traced [ trace ]";
        return new FileOpener(
                StackBuilder.load(Map.of("files", files), FileSystems.getDefault()), pages);
    }

    private static byte[] filled(char with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private FileChannel cached(OpenOption... options) throws IOException {
        FileChannel channel = opener.newFileChannel(file, Set.of(options));
        assertThat(channel).isInstanceOf(MioFileChannel.class);
        return channel;
    }

    /** Links the same file under a name to which other rules apply. */
    private Path named(String ending) throws IOException {
        return Files.createLink(directory.resolve("other" + ending), file);
    }

    private static void write(FileChannel channel, char with, long at, int length)
            throws IOException {
        assertThat(channel.write(ByteBuffer.wrap(filled(with, length)), at)).isEqualTo(length);
    }

    private static void reads(FileChannel channel, char with, long at, int length)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {}
        assertThat(bytes.array()).isEqualTo(filled(with, length));
    }

    private static void write(RandomAccessFile older, char with, long at, int length)
            throws IOException {
        older.seek(at);
        older.write(filled(with, length));
    }

    private static void reads(RandomAccessFile older, char with, long at, int length)
            throws IOException {
        byte[] bytes = new byte[length];
        older.seek(at);
        older.readFully(bytes);
        assertThat(bytes).isEqualTo(filled(with, length));
    }

    /** A counter in the report of the file's last close. */
    private long reported(String member) throws IOException {
        String last = "";
        for (String line : Files.readAllLines(report)) {
            last = line.contains("\"of\":\"file\"") ? line : last;
        }
        Matcher found = Pattern.compile("\"" + member + "\":(\\d+)").matcher(last);
        assertThat(found.find()).as("%s in %s", member, last).isTrue();
        return Long.parseLong(found.group(1));
    }

    /** Reads some bytes of each page twice, the second time from pages if the file has any. */
    private void checkServedFromPages(FileChannel channel) throws IOException {
        for (int round = 0; round < 2; round++) {
            for (int page = 0; page < 8; page++) {
                reads(channel, 'o', page * PAGE + 10, 100);
            }
        }
        channel.close();
        assertThat(reported("hits")).isGreaterThanOrEqualTo(8);
        assertThat(reported("started_prefetches")).isPositive();
    }

    private static void agree(RandomAccessFile older, FileChannel channel) throws IOException {
        reads(channel, 'o', 0, 3 * PAGE);
        write(older, 'r', PAGE + 100, 200);
        reads(channel, 'r', PAGE + 100, 200);
        reads(channel, 'o', PAGE + 300, 100);
        write(channel, 'c', PAGE + 200, 2 * PAGE);
        reads(older, 'r', PAGE + 100, 100);
        reads(older, 'c', PAGE + 200, 2 * PAGE);
        write(older, 'e', SIZE, 10);
        assertThat(channel.size()).isEqualTo(SIZE + 10);
        reads(channel, 'e', SIZE, 10);
        write(channel, 'f', SIZE + 10, 10);
        assertThat(older.length()).isEqualTo(SIZE + 20);
        older.setLength(PAGE);
        assertThat(channel.size()).isEqualTo(PAGE);
        assertThat(channel.read(ByteBuffer.allocate(10), PAGE)).isEqualTo(-1);
        channel.truncate(100);
        assertThat(older.length()).isEqualTo(100);
    }

    // ---- others that can write

    @Test
    void shouldAgreeWithAnOlderRandomAccessFile() throws IOException {
        try (RandomAccessFile older = new RandomAccessFile(file.toFile(), "rw");
                FileChannel channel = cached(READ, WRITE)) {
            agree(older, channel);
        }
        assertThat(reported("started_prefetches")).isZero();
    }

    @Test
    void shouldAgreeWithAnOlderRandomAccessFileUnderAnotherName() throws IOException {
        try (RandomAccessFile older = new RandomAccessFile(named(".link").toFile(), "rw");
                FileChannel channel = cached(READ, WRITE)) {
            agree(older, channel);
        }
    }

    @Test
    void shouldAgreeWithAnOlderRandomAccessFileWhereverAnOpenComesFrom() throws Exception {
        try (RandomAccessFile older = new RandomAccessFile(file.toFile(), "rw");
                InputStream in = opener.newInputStream(file);
                AsynchronousFileChannel channel =
                        opener.newAsynchronousFileChannel(file, Set.of(READ), null)) {
            assertThat(in.readNBytes(10)).isEqualTo(filled('o', 10));
            write(older, 'r', 10, 10);
            assertThat(in.readNBytes(10)).isEqualTo(filled('r', 10));
            for (char with : new char[] {'s', 't'}) {
                write(older, with, 10, 10);
                ByteBuffer bytes = ByteBuffer.allocate(10);
                assertThat(channel.read(bytes, 10).get()).isEqualTo(10);
                assertThat(bytes.array()).isEqualTo(filled(with, 10));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAgreeWithAnOlderChannelWithoutARule(boolean keepsPagesByOthers) throws IOException {
        Path other = named(".plain");
        Path busy = Files.write(directory.resolve("busy.pf"), filled('b', PAGE));
        try (FileChannel any =
                        keepsPagesByOthers ? opener.newFileChannel(busy, Set.of(READ)) : null;
                FileChannel older = opener.newFileChannel(other, Set.of(READ, WRITE));
                FileChannel channel = cached(READ, WRITE)) {
            assertThat(older).isNotInstanceOf(MioFileChannel.class);
            assertThat(any == null).isNotEqualTo(keepsPagesByOthers);
            reads(channel, 'o', 0, PAGE);
            write(older, 'p', 100, 50);
            reads(channel, 'p', 100, 50);
            write(channel, 'c', 120, 50);
            reads(older, 'c', 120, 50);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".pf", ".traced", ".plain"})
    void shouldKeepPagesAgainOnceTheOtherIsGoneAndOneMoreOpenComes(String ending)
            throws IOException {
        Path name = named(ending);
        FileChannel channel = cachedBeside(new RandomAccessFile(file.toFile(), "rw"));
        FileChannel more = opener.newFileChannel(name, Set.of(READ));
        reads(more, 'e', SIZE, 100);
        reads(channel, 'e', SIZE, 100);
        more.close();
        checkServedFromPages(channel);
    }

    /** Opens a file that an older descriptor then changes, and closes that descriptor. */
    private FileChannel cachedBeside(RandomAccessFile older) throws IOException {
        FileChannel channel = cached(READ, WRITE);
        reads(channel, 'o', 0, 100);
        write(older, 'e', SIZE, 100);
        older.close();
        return channel;
    }

    // ---- others that read

    @Test
    void shouldHandWritesDownAtOnceToAnOlderInputStreamAndStillReadFromPages() throws IOException {
        try (InputStream older = new FileInputStream(file.toFile())) {
            FileChannel channel = cached(READ, WRITE);
            write(channel, 'c', 50, 100);
            assertThat(older.readNBytes(50)).isEqualTo(filled('o', 50));
            assertThat(older.readNBytes(100)).isEqualTo(filled('c', 100));
            write(channel, 'd', SIZE, 100);
            assertThat(older.available()).isEqualTo(SIZE + 100 - 150);
            write(channel, 'o', 50, 100);
            checkServedFromPages(channel);
        }
    }

    @Test
    void shouldHandWritesDownAtOnceWhenTheFirstWriterJoinsReaders() throws IOException {
        try (RandomAccessFile older = new RandomAccessFile(file.toFile(), "r");
                FileChannel reader = cached(READ)) {
            reads(reader, 'o', 0, PAGE);
            try (FileChannel writer = cached(WRITE)) {
                write(writer, 'w', 100, 50);
                reads(older, 'w', 100, 50);
                reads(reader, 'w', 100, 50);
            }
        }
    }

    @Test
    void shouldKeepPagesWhereBothSidesOnlyRead() throws IOException {
        try (RandomAccessFile older = new RandomAccessFile(file.toFile(), "r");
                FileChannel plain = FileChannel.open(file, READ)) {
            checkServedFromPages(cached(READ));
            reads(older, 'o', 0, 10);
            reads(plain, 'o', 0, 10);
        }
    }

    @Test
    void shouldKeepPagesWhereTheOtherWasClosedBefore() throws IOException {
        new RandomAccessFile(file.toFile(), "rw").close();
        opener.newFileChannel(named(".plain"), Set.of(WRITE)).close();
        FileChannel channel = cached(READ, WRITE);
        write(channel, 'w', 9 * PAGE, 10);
        assertThat(kernel(9 * PAGE, 10)).as("held back").isEqualTo(filled('o', 10));
        checkServedFromPages(channel);
        assertThat(kernel(9 * PAGE, 10)).isEqualTo(filled('w', 10));
    }

    /** What a descriptor sees that was opened after the file got pages. */
    private byte[] kernel(int from, int length) throws IOException {
        return Arrays.copyOfRange(Files.readAllBytes(file), from, from + length);
    }

    // ---- opens that have layers

    @Test
    void shouldNotTakeOlderOpensWithLayersForOthers() throws Exception {
        Path traced = named(".traced");
        List<Closeable> older = new ArrayList<>();
        older.add(opener.newFileChannel(traced, Set.of(READ, WRITE)));
        older.add(opener.newByteChannel(traced, Set.of(WRITE)));
        older.add(opener.newOutputStream(traced, WRITE));
        older.add(opener.newOutputStream(traced, APPEND));
        older.add(opener.newInputStream(traced));
        older.add(opener.newAsynchronousFileChannel(traced, Set.of(READ, WRITE), null));
        FileChannel channel = cached(READ, WRITE);
        older.add(opener.newOutputStream(traced, APPEND));
        older.add(opener.newInputStream(traced));
        older.add(opener.newFileChannel(directory.resolve("other.traced"), Set.of(READ, WRITE)));
        write(channel, 'w', 9 * PAGE, 10);
        // Some of the older opens may have written as the file got its pages.
        assertThat(kernel(9 * PAGE, 10)).as("handed on").isEqualTo(filled('w', 10));
        reads(channel, 'w', 9 * PAGE, 10);
        reads((FileChannel) older.get(0), 'w', 9 * PAGE, 10);
        write((FileChannel) older.get(0), 't', 9 * PAGE, 10);
        reads(channel, 't', 9 * PAGE, 10);
        for (Closeable open : older) {
            open.close();
        }
        FileChannel more = cached(READ, WRITE);
        write(more, 'x', 9 * PAGE, 10);
        assertThat(kernel(9 * PAGE, 10)).isEqualTo(filled('t', 10));
        more.close();
        checkServedFromPages(channel);
    }

    @Test
    void shouldFindAnotherBesideOpensWithLayers() throws IOException {
        try (FileChannel traced = opener.newFileChannel(named(".traced"), Set.of(READ, WRITE));
                RandomAccessFile older = new RandomAccessFile(file.toFile(), "rw");
                FileChannel channel = cached(READ, WRITE)) {
            assertThat(traced).isInstanceOf(MioFileChannel.class);
            agree(older, channel);
        }
    }

    @Test
    void shouldCountAnOpenWithLayersNoMoreOnceItIsClosed() throws IOException {
        opener.newFileChannel(named(".traced"), Set.of(READ, WRITE)).close();
        opener.newOutputStream(directory.resolve("other.traced"), WRITE).close();
        try (FileChannel keepsTheFile =
                opener.newFileChannel(directory.resolve("other.traced"), Set.of(READ))) {
            opener.newFileChannel(directory.resolve("other.traced"), Set.of(WRITE)).close();
            opener.newOutputStream(directory.resolve("other.traced"), WRITE).close();
            assertThat(keepsTheFile.isOpen()).isTrue();
            try (RandomAccessFile older = new RandomAccessFile(file.toFile(), "rw");
                    FileChannel channel = cached(READ, WRITE)) {
                agree(older, channel);
            }
        }
    }

    @Test
    void shouldKeepPagesAfterManyThreadsOpenedAndClosedTheFile() throws Exception {
        Path traced = named(".traced");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (FileChannel channel = cached(READ, WRITE)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Path name = thread % 2 == 0 ? file : traced;
                done.add(threads.submit(() -> openAndClose(name)));
            }
            waitFor(done);
            write(channel, 'w', 9 * PAGE, 10);
            assertThat(kernel(9 * PAGE, 10)).as("held back").isEqualTo(filled('o', 10));
        } finally {
            threads.shutdown();
        }
        assertThat(CachedFiles.find(FileFacts.key(file))).isNull();
        checkServedFromPages(cached(READ, WRITE));
    }

    private Void openAndClose(Path name) throws IOException {
        for (int i = 0; i < 50; i++) {
            try (FileChannel channel = opener.newFileChannel(name, Set.of(READ, WRITE));
                    OutputStream out = opener.newOutputStream(name, WRITE)) {
                reads(channel, 'o', 5 * PAGE, 10);
                out.write('o');
            }
        }
        return null;
    }

    private static void waitFor(List<Future<?>> all)
            throws InterruptedException, ExecutionException {
        for (Future<?> each : all) {
            each.get();
        }
    }

    // ---- opens while the file gets its pages

    /** Gives the file its pages right after the opener asked whether any file has some. */
    private final class JustBefore extends PageFiles implements AutoCloseable {
        private FileChannel channel;

        @Override
        boolean any() {
            if (channel != null) {
                return super.any();
            }
            try {
                channel = cached(READ, WRITE);
                reads(channel, 'o', 0, PAGE);
                write(channel, 'c', 200, 10);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return false;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Test
    void shouldAgreeWithAnOpenThatComesWhileTheFileGetsItsPages() throws IOException {
        Path plain = named(".plain");
        for (boolean deletes : new boolean[] {false, true}) {
            Set<OpenOption> options =
                    deletes ? Set.of(READ, WRITE, DELETE_ON_CLOSE) : Set.of(READ, WRITE);
            try (JustBefore pages = new JustBefore();
                    FileChannel other = opener(pages).newFileChannel(plain, options)) {
                assertThat(other).isNotInstanceOf(MioFileChannel.class);
                reads(other, 'c', 200, 10);
                write(other, 'p', 100, 50);
                reads(pages.channel, 'p', 100, 50);
                write(pages.channel, 'o', 100, 150);
                reads(other, 'o', 100, 150);
            }
        }
        assertThat(plain).doesNotExist();
    }

    @Test
    void shouldHandWritesDownToAStreamThatComesWhileTheFileGetsItsPages() throws IOException {
        Path plain = named(".plain");
        try (JustBefore pages = new JustBefore();
                InputStream other = opener(pages).newInputStream(plain)) {
            assertThat(other).isNotInstanceOf(MioInputStream.class);
            assertThat(other.skip(200)).isEqualTo(200);
            assertThat(other.readNBytes(10)).isEqualTo(filled('c', 10));
            write(pages.channel, 'd', 210, 10);
            assertThat(other.readNBytes(10)).isEqualTo(filled('d', 10));
        }
    }
}
