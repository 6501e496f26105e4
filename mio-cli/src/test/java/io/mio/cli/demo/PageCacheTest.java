package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.cli.demo.PageCache.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageCacheTest {
    private static final long MIB = 1 << 20;
    private static final long SMALL = 256 * MIB;
    private static final long LARGE = 4096 * MIB;
    private static final int RECORD = 102400;

    @TempDir Path dir;

    private FakeHost host;

    @BeforeEach
    void makeHost() throws IOException {
        host = new FakeHost(dir);
    }

    private PageCache choose(String dd, String fileSystem, long fileBytes) throws Exception {
        return PageCache.choose(host.host(dd), dir, fileSystem, fileBytes, RECORD);
    }

    @Test
    void shouldLimitMemoryWhereAFileIsLargeAndCgroupsAreAllowed() throws Exception {
        host.memoryVersion1("4:memory:/", "/");
        PageCache pageCache = choose("true", "ext4", LARGE);
        assertThat(pageCache.method()).isEqualTo(Method.CGROUP);
        assertThat(pageCache.limitBytes()).isEqualTo(384 * MIB + 2 * RECORD);
        assertThat(pageCache.sentence()).contains("memory cgroup of 384 MiB");
        assertThat(pageCache.isDropping()).isFalse();
        assertThat(host.made).hasSize(1).allSatisfy(made -> assertThat(made).doesNotExist());
        try (MemoryGroup group = pageCache.openGroup()) {
            assertThat(group.directory()).isDirectory();
        }
        assertThat(host.made).hasSize(2).allSatisfy(made -> assertThat(made).doesNotExist());
    }

    @Test
    void shouldFailWhereNoGroupCanBeMadeAnyMore() throws Exception {
        host.memoryVersion1("4:memory:/", "/");
        PageCache pageCache = choose("true", "ext4", LARGE);
        host.refuse(host.mount1());
        assertThatThrownBy(pageCache::openGroup)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no memory cgroup");
    }

    @Test
    void shouldDropTheFilesPagesWhereTheFileIsSmall() throws Exception {
        host.memoryVersion1("4:memory:/", "/");
        PageCache pageCache = choose("true", "ext4", SMALL);
        assertThat(pageCache.method()).isEqualTo(Method.DD);
        assertThat(pageCache.sentence()).contains("by dd", "too small for a limit of memory");
        assertThat(pageCache.isDropping()).isTrue();
        assertThat(pageCache.openGroup()).isNull();
        assertThat(host.made).isEmpty();
    }

    @Test
    void shouldDropTheFilesPagesWhereCgroupsAreNotAllowed() throws Exception {
        PageCache pageCache = choose("true", "ext4", LARGE);
        assertThat(pageCache.method()).isEqualTo(Method.DD);
        assertThat(pageCache.sentence()).contains("a memory cgroup is not allowed here");
    }

    @ParameterizedTest
    @CsvSource({"false", "no-such-program-7c1"})
    void shouldDropEverythingWhereDdCannotAndTheUserMay(String dd) throws Exception {
        host.write("proc/sys/vm/drop_caches", "0");
        PageCache pageCache = choose(dd, "ext4", SMALL);
        assertThat(pageCache.method()).isEqualTo(Method.DROP_CACHES);
        assertThat(pageCache.isDropping()).isTrue();
        assertThat(pageCache.sentence()).contains("/proc/sys/vm/drop_caches");
        pageCache.drop(Files.write(dir.resolve("a.dat"), new byte[10]));
        assertThat(host.read("proc/sys/vm/drop_caches")).startsWith("1");
    }

    @Test
    void shouldSayThatReadsMayComeFromMemoryWhereNothingIsAllowed() throws Exception {
        PageCache pageCache = choose("false", "ext4", SMALL);
        assertThat(pageCache.method()).isEqualTo(Method.NONE);
        assertThat(pageCache.sentence()).contains("reads may come from memory");
        assertThat(pageCache.isDropping()).isFalse();
    }

    /** A memory limit would end the program there: the pages of such a file cannot be given up. */
    @ParameterizedTest
    @CsvSource({"tmpfs", "ramfs"})
    void shouldSayThatAFileInMemoryHasNoDisk(String fileSystem) throws Exception {
        host.memoryVersion1("4:memory:/", "/");
        PageCache pageCache = choose("true", fileSystem, LARGE);
        assertThat(pageCache.method()).isEqualTo(Method.NO_DISK);
        assertThat(pageCache.sentence()).contains(fileSystem, "another --dir");
        assertThat(pageCache.openGroup()).isNull();
        assertThat(host.made).isEmpty();
    }

    @Test
    void shouldLeaveNoFileBehindWhenItChooses() throws Exception {
        Path empty = Files.createDirectory(dir.resolve("empty"));
        PageCache.choose(host.host("true"), empty, "ext4", SMALL, RECORD);
        PageCache.choose(host.host("false"), empty, "ext4", SMALL, RECORD);
        try (Stream<Path> files = Files.list(empty)) {
            assertThat(files).isEmpty();
        }
    }

    /** The original had 512 MB of memory for 14336000000 bytes. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 402653184",
        "4294967296, 102400, 402857984",
        "14336000000, 102400, 530962962",
        "1099511627776, 102400, 40722652880"
    })
    void shouldLimitToAPartOfTheFileButLeaveEnoughForAJvm(
            long fileBytes, long recordBytes, long limit) {
        assertThat(PageCache.limitBytes(fileBytes, recordBytes)).isEqualTo(limit);
    }

    @Test
    void shouldLeaveTheFileAsItIsWhenItsPagesAreDropped() throws Exception {
        PageCache pageCache = choose("dd", "ext4", SMALL);
        assumeTrue(pageCache.method() == Method.DD, "no dd that knows nocache");
        byte[] bytes = new byte[300_001];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(dir.resolve("a.dat"), bytes);
        pageCache.drop(file);
        assertThat(file).hasBinaryContent(bytes);
    }

    @Test
    void shouldFailWherePagesCannotBeDroppedAnyMore() throws Exception {
        PageCache pageCache = choose("dd", "ext4", SMALL);
        assumeTrue(pageCache.method() == Method.DD, "no dd that knows nocache");
        assertThatThrownBy(() -> pageCache.drop(dir.resolve("absent/a.dat")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("dd could not drop");
    }
}
