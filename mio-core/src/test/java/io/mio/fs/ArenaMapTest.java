package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mappings into arenas and the pages of their files. While a file is mapped it has no pages, so
 * what others write is seen at once; a file with pages does not show it at once.
 */
class ArenaMapTest {
    @TempDir Path directory;
    private Path plain;

    @BeforeEach
    void makeFile() throws IOException {
        Arenas.assumeThatThereAreSome();
        plain = Files.write(directory.resolve("mapped"), new byte[4096]);
    }

    private Object map(FileSystem mio, MapMode mode, Object arena) throws Exception {
        try (FileChannel channel = FileChannel.open(mio.getPath(plain.toString()), READ, WRITE)) {
            return Arenas.map(channel, mode, 0, 4096, arena);
        }
    }

    private static FileSystem fileSystem(String name, String layers) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("mio://" + name + "/"), Map.of("files", "* [ " + layers + " ]"));
    }

    private static FileSystem pages() throws IOException {
        return fileSystem("arena-pages", "pf/cache=64k/page=4k/synchronous");
    }

    private boolean seesWhatOthersWrite(FileSystem mio, char written) throws IOException {
        try (FileChannel channel = FileChannel.open(mio.getPath(plain.toString()), READ)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, 0);
            Files.write(plain, new byte[] {(byte) written}, WRITE);
            channel.read(one.clear(), 0);
            return one.get(0) == written;
        }
    }

    @Test
    void shouldTakePagesAgainOnceTheArenaIsClosed() throws Exception {
        try (FileSystem mio = pages()) {
            for (String kind : new String[] {"ofConfined", "ofShared"}) {
                Object arena = Arenas.arena(kind);
                map(mio, MapMode.READ_WRITE, arena);
                assertThat(seesWhatOthersWrite(mio, 'a')).as(kind).isTrue();

                Arenas.close(arena);
                assertThat(seesWhatOthersWrite(mio, 'b')).as(kind).isFalse();
            }
        }
    }

    @Test
    void shouldHaveNoPagesWhileAnAutomaticArenaLives() throws Exception {
        try (FileSystem mio = pages()) {
            Object segment = map(mio, MapMode.READ_WRITE, Arenas.arena("ofAuto"));

            assertThat(seesWhatOthersWrite(mio, 'a')).isTrue();
            assertThat(segment).isNotNull();
        }
    }

    /** Opens other than the one that mapped the file write; the mapping shows what they wrote. */
    @Test
    void shouldReadThroughTheMappingWhatIsWrittenByAnotherRule() throws Exception {
        Object arena = Arenas.arena("ofShared");
        try (FileSystem traced = fileSystem("arena-traced", "trace/stats={/dev/null}");
                FileSystem behind = fileSystem("arena-behind", "pf/cache=64k/page=4k/behind")) {
            Object segment = map(traced, MapMode.READ_ONLY, arena);
            ByteBuffer bytes = Arenas.bytes(segment);
            try (FileChannel channel =
                    FileChannel.open(behind.getPath(plain.toString()), READ, WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {'w'}), 7);
                assertThat(bytes.get(7)).isEqualTo((byte) 'w');
            }
        } finally {
            Arenas.close(arena);
        }
    }
}
