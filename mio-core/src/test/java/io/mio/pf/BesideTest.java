package io.mio.pf;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import io.mio.layer.PlatformObjects;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What MIO leaves out for a file, depending on who else has the file open. */
class BesideTest {
    private static final String OPTIONS = "cache=64k/page=4k/private";

    @TempDir Path directory;
    private final FileKey key = PfFixture.newKey();
    private final MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[1 << 16]);
    private final Fake descriptors = new Fake();
    private CachedFile file;

    /** Answers with the count that a test sets; keeps what it is told, and counts questions. */
    private static final class Fake implements Descriptors {
        private Count count = new Count(0, 0);
        private Runnable meanwhile = () -> {};
        private final List<PlatformObjects> told = new ArrayList<>();
        private int asked;

        @Override
        public Count count(Iterable<PlatformObjects> others) {
            asked++;
            told.clear();
            others.forEach(told::add);
            meanwhile.run();
            return count;
        }
    }

    @BeforeEach
    void enter() {
        file = CachedFiles.enter(key);
    }

    @AfterEach
    void leave() {
        CachedFiles.leave(file);
    }

    private PfLayer open(int oflags) throws IOException {
        return open(OPTIONS, oflags);
    }

    private PfLayer open(String options, int oflags) throws IOException {
        return PfFixture.open(options, below, key, oflags, descriptors);
    }

    private void check(boolean past, boolean through) {
        assertThat(file.use().isPast()).isEqualTo(past);
        assertThat(file.use().isThrough()).isEqualTo(through);
    }

    private static void write(PfLayer layer, int with) throws IOException {
        assertThat(layer.write(ByteBuffer.wrap(new byte[] {(byte) with}), 100)).isEqualTo(1);
    }

    private static int read(PfLayer layer) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(layer.read(one, 100)).isEqualTo(1);
        return one.get(0);
    }

    @Test
    void shouldLookOnceWhereNobodyElseHasTheFile() throws IOException {
        PfLayer one = open(OpenFlags.RDWR);
        PfLayer two = open(OpenFlags.RDWR);
        file.attached(below::size);
        check(false, false);
        assertThat(descriptors.asked).isEqualTo(1);
        assertThat(one.beside()).isNull();
        PfFixture.close(one, key);
        PfFixture.close(two, key);
    }

    @Test
    void shouldKeepNothingWhereItCannotBeTold() throws IOException {
        descriptors.count = null;
        PfLayer layer = open(OpenFlags.RDONLY);
        check(true, true);
        assertThat(layer.beside()).isEqualTo(Beside.UNTOLD);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldLookForReadersWhenTheFirstJoinsThatHoldsWritesBack() throws IOException {
        descriptors.count = new Descriptors.Count(1, 0);
        PfLayer reader = open(OpenFlags.RDONLY);
        check(false, false);
        PfLayer through = open(OPTIONS + "/through", OpenFlags.RDWR);
        PfLayer appends = open(OpenFlags.WRONLY | OpenFlags.APPEND);
        assertThat(descriptors.asked).isEqualTo(1);
        check(false, false);
        PfLayer writer = open(OpenFlags.RDWR);
        assertThat(descriptors.asked).isEqualTo(2);
        check(false, true);
        write(writer, 7);
        assertThat(below.content()[100]).isEqualTo((byte) 7);
        for (PfLayer layer : new PfLayer[] {reader, through, appends, writer}) {
            PfFixture.close(layer, key);
        }
    }

    @Test
    void shouldBringTheFileUpToDateAndForgetItsPagesWhenAWriterComes() throws IOException {
        PfLayer layer = open(OpenFlags.RDWR);
        write(layer, 7);
        assertThat(below.content()[100]).isZero();
        descriptors.count = new Descriptors.Count(0, 1);
        CachedFiles.openedBeside(key);
        check(true, true);
        assertThat(below.content()[100]).isEqualTo((byte) 7);
        below.write(ByteBuffer.wrap(new byte[] {8}), 100);
        assertThat(read(layer)).isEqualTo(8);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldNotTrustALookThatIsNotOfAnOpen() throws IOException {
        descriptors.count = new Descriptors.Count(0, 1);
        PfLayer layer = open(OpenFlags.RDWR);
        descriptors.count = new Descriptors.Count(0, 0);
        CachedFiles.openedBeside(key);
        check(true, true);
        file.attached(below::size);
        check(false, false);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldComeBackWithTheSizeAndTheBytesThatTheOthersLeft() throws IOException {
        descriptors.count = new Descriptors.Count(0, 1);
        PfLayer layer = open(OpenFlags.RDWR);
        below.truncate(200);
        below.write(ByteBuffer.wrap(new byte[] {9}), 100);
        descriptors.count = new Descriptors.Count(0, 0);
        PfLayer joins = open(OpenFlags.RDONLY);
        check(false, false);
        assertThat(read(joins)).isEqualTo(9);
        assertThat(layer.read(ByteBuffer.allocate(500), 0)).isEqualTo(200);
        PfFixture.close(layer, key);
        PfFixture.close(joins, key);
    }

    @Test
    void shouldStayAsItIsWhereTheSizeCannotBeToldOnTheWayBack() throws IOException {
        descriptors.count = new Descriptors.Count(0, 1);
        PfLayer layer = open(OpenFlags.RDWR);
        descriptors.count = new Descriptors.Count(0, 0);
        file.attached(
                () -> {
                    throw new IOException("no size today");
                });
        check(true, true);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldBeginAnewWithTheNextCache() throws IOException {
        descriptors.count = new Descriptors.Count(0, 1);
        PfFixture.close(open(OpenFlags.RDWR), key);
        descriptors.count = new Descriptors.Count(1, 0);
        PfLayer layer = open(OpenFlags.RDONLY);
        check(false, false);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldGiveUpPagesThatStayedWhereOthersCanWrite() throws IOException {
        String options = "cache=64k/page=4k/global=95/norelease/retain";
        PfLayer first = PfFixture.open(options, below, key, 2, 512, 7, PfFixture.MEMORY);
        assertThat(read(first)).isZero();
        PfFixture.close(first, key);
        assertThat(file.isRetained()).isTrue();
        below.write(ByteBuffer.wrap(new byte[] {9}), 100);
        descriptors.count = new Descriptors.Count(0, 1);
        PfLayer layer = PfFixture.open("global=95", below, key, OpenFlags.RDONLY, descriptors);
        assertThat(read(layer)).isEqualTo(9);
        PfFixture.close(layer, key);
    }

    // ---- opens with layers

    private FileChannel channel() throws IOException {
        Path path = directory.resolve("file");
        Files.write(path, new byte[10]);
        return FileChannel.open(path, READ, WRITE);
    }

    @Test
    void shouldLeaveOutOpensWithLayersAsLongAsTheyHaveTheirDescriptor() throws IOException {
        FileChannel channel = channel();
        PlatformObjects opened = new PlatformObjects(true, channel);
        file.layered(opened);
        descriptors.count = new Descriptors.Count(0, 1);
        PfLayer layer = open(OpenFlags.RDONLY);
        check(false, false);
        PfFixture.close(layer, key);

        channel.close();
        layer = open(OpenFlags.RDONLY);
        check(true, true);
        PfFixture.close(layer, key);
        file.ended(opened);
    }

    /** An open of a file without a known key may be of any file, also of this one. */
    @Test
    void shouldTellOfOpensOfOtherFilesThatAreKnownByAKey() throws IOException {
        CachedFile other = CachedFiles.enter(PfFixture.newKey());
        CachedFile nameless = CachedFiles.enter(null);
        PlatformObjects here = new PlatformObjects(true);
        PlatformObjects there = new PlatformObjects(true);
        PlatformObjects anywhere = new PlatformObjects(true);
        file.layered(here);
        other.layered(there);
        nameless.layered(anywhere);
        PfFixture.close(open(OpenFlags.RDONLY), key);
        assertThat(descriptors.told).contains(there).doesNotContain(here, anywhere);
        other.ended(there);
        PfFixture.close(open(OpenFlags.RDONLY), key);
        assertThat(descriptors.told).doesNotContain(there);
        file.ended(here);
        nameless.ended(anywhere);
        CachedFiles.leave(nameless);
        CachedFiles.leave(other);
    }

    /** Opens that their program has closed or forgotten do not count, even if nobody ended them. */
    @Test
    void shouldNotRemember() throws IOException {
        CachedFile other = CachedFiles.enter(PfFixture.newKey());
        FileChannel channel = channel();
        PlatformObjects closed = new PlatformObjects(true, channel);
        other.layered(closed);
        channel.close();
        PlatformObjects next = new PlatformObjects(true);
        other.layered(next);
        PfFixture.close(open(OpenFlags.RDONLY), key);
        assertThat(descriptors.told).contains(next).doesNotContain(closed);
        other.ended(next);
        CachedFiles.leave(other);
    }

    @Test
    void shouldNotLeaveOutWhatMayNotHaveBeenCounted() throws IOException {
        try (FileChannel early = channel();
                FileChannel late = channel()) {
            file.layered(new PlatformObjects(true, early));
            descriptors.count = new Descriptors.Count(0, 1);
            descriptors.meanwhile =
                    () -> {
                        close(early);
                        file.layered(new PlatformObjects(true, late));
                    };
            PfLayer layer = open(OpenFlags.RDONLY);
            check(true, true);
            descriptors.meanwhile = () -> {};
            file.attached(below::size);
            check(false, false);
            PfFixture.close(layer, key);
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
