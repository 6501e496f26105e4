package io.mio.info;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.os.FileFindings;
import io.mio.os.NativeHelper;
import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts about this machine's own kernel, and about files on it. */
class FactsTest {
    private static final int PAGE_BYTES = 4096;

    @TempDir Path dir;

    private final SystemFiles system = new SystemFiles(new File("/"));

    @Test
    void shouldTellEveryNameOnceInItsGroup() throws IOException {
        List<Fact> facts = new java.util.ArrayList<>(Facts.of(dir));
        facts.addAll(Facts.ofMachine());

        Set<String> names =
                facts.stream()
                        .map(fact -> fact.group() + "." + fact.name())
                        .collect(Collectors.toSet());
        assertThat(names).hasSameSizeAs(facts);
        assertThat(facts)
                .allSatisfy(fact -> assertThat(fact.isKnown() || fact.note() != null).isTrue());
        assertThat(FakeSystem.told(Facts.ofMachine(), "processors"))
                .isEqualTo(Integer.toString(Runtime.getRuntime().availableProcessors()));
        assertThat(FakeSystem.told(Facts.ofMachine(), "kernel"))
                .isEqualTo("Linux " + System.getProperty("os.version"));
    }

    @Test
    void shouldTellSizeAndPagesOfAFile() throws IOException {
        assumeHelper();
        Path file = Files.write(dir.resolve("file"), new byte[3 * PAGE_BYTES + 1]);

        List<Fact> facts = Facts.of(file);
        assertThat(FakeSystem.told(facts, "kind")).isEqualTo("regular file");
        assertThat(FakeSystem.told(facts, "size_bytes")).isEqualTo("12289");
        assertThat(FakeSystem.told(facts, "resident_share")).isEqualTo("1.0");
        assertThat(Long.parseLong(FakeSystem.told(facts, "resident_bytes")))
                .isGreaterThanOrEqualTo(12289);
    }

    @Test
    void shouldHaveNoShareOfAnEmptyFile() throws IOException {
        Path file = Files.createFile(dir.resolve("empty"));

        assertThat(FakeSystem.told(Facts.of(file), "size_bytes")).isEqualTo("0");
        assertThat(FakeSystem.told(Facts.of(file), "resident_share")).isEqualTo("no fact");
    }

    @Test
    void shouldTellADirectoryAndItsFileSystem() throws IOException {
        List<Fact> facts = Facts.of(dir);

        assertThat(FakeSystem.told(facts, "kind")).isEqualTo("directory");
        assertThat(FakeSystem.told(facts, "type")).isEqualTo(Files.getFileStore(dir).type());
        assertThat(FakeSystem.told(facts, "block_bytes"))
                .isEqualTo(Long.toString(Files.getFileStore(dir).getBlockSize()));
        assertThat(FakeSystem.told(facts, "resident_bytes")).isEqualTo("no fact");
        try (var left = Files.list(dir)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldKnowThatMemoryTakesNoDirectRequests() throws IOException {
        assumeHelper();
        Path shm = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(shm), "no /dev/shm");

        List<Fact> facts = Facts.of(shm);
        assertThat(FakeSystem.told(facts, "direct_io"))
                .isEqualTo("false (the file system is in memory; pf/direct is buffered here)");
        assertThat(FakeSystem.told(facts, "type")).isEqualTo("tmpfs");
        assertThat(FakeSystem.told(facts, "name")).isEqualTo("null (the file system has none)");
    }

    @Test
    void shouldTellABlockDevice() throws IOException {
        Path device;
        try (var list = Files.list(Path.of("/sys/class/block"))) {
            device =
                    list.map(path -> Path.of("/dev").resolve(path.getFileName().toString()))
                            .filter(Files::isReadable)
                            .findFirst()
                            .orElse(null);
        } catch (NoSuchFileException e) {
            device = null;
        }
        assumeTrue(device != null, "no block device that this user may read");

        List<Fact> facts = Facts.of(device);
        assertThat(FakeSystem.told(facts, "kind")).isEqualTo("block device");
        assertThat(FakeSystem.told(facts, "engine")).contains("a block device has no cache");
        assertThat(FakeSystem.told(facts, "name")).startsWith(device.getFileName().toString());
        assertThat(FakeSystem.told(facts, "size_bytes"))
                .isEqualTo(
                        Long.toString(
                                512
                                        * system.number(
                                                "/sys/class/block/"
                                                        + device.getFileName()
                                                        + "/size")));
        assertThat(FakeSystem.told(facts, "extents")).isEqualTo("no fact");
        assertThat(FakeSystem.told(facts, "type")).isEqualTo("no fact");
    }

    @Test
    void shouldNotOpenAPipe() throws Exception {
        Path pipe = dir.resolve("pipe");
        assumeTrue(
                new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo");

        List<Fact> facts = Facts.of(pipe);
        assertThat(FakeSystem.told(facts, "kind")).isEqualTo("neither file nor directory");
        assertThat(FakeSystem.told(facts, "engine"))
                .isEqualTo("null (MIO serves regular files and block devices only)");
    }

    @Test
    void shouldFollowLinksAndKeepStrangeNames() throws IOException {
        Path file = Files.write(dir.resolve("a\u001b[31m\nb"), new byte[10]);
        Path link = Files.createSymbolicLink(dir.resolve("link"), file);

        List<Fact> facts = Facts.of(link);
        assertThat(FakeSystem.told(facts, "path")).isEqualTo(link.toString());
        assertThat(FakeSystem.told(facts, "real_path")).isEqualTo(file.toRealPath().toString());
        assertThat(FakeSystem.told(facts, "size_bytes")).isEqualTo("10");
    }

    @Test
    void shouldRefuseWhatIsNotThere() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));

        assertThatThrownBy(() -> Facts.of(dir.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Facts.of(file.resolve("below")))
                .isInstanceOf(FileSystemException.class);
    }

    @Test
    void shouldTellWhatThereIsOfAFileThatMayNotBeRead() throws IOException {
        Path file = Files.write(dir.resolve("file"), new byte[10]);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(file), "this user may read everything");
        assumeHelper();

        List<Fact> facts = Facts.of(file);
        assertThat(FakeSystem.told(facts, "size_bytes")).isEqualTo("10");
        assertThat(FakeSystem.told(facts, "resident_bytes")).isEqualTo("null (Permission denied)");
        Path closed = Files.createDirectory(dir.resolve("closed"));
        Files.createFile(closed.resolve("file"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        assertThatThrownBy(() -> Facts.of(closed.resolve("file")))
                .isInstanceOf(AccessDeniedException.class);
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldSayWhyNumbersAreMissing() throws IOException {
        Path file = Files.write(dir.resolve("file"), new byte[10]);
        FakeSystem fake = new FakeSystem(dir);

        fake.finding(new FileFindings(0, -61, -61, -13, -13, -95));
        List<Fact> facts = PathFacts.read(system, fake, file, file);
        assertThat(FakeSystem.told(facts, "resident_bytes")).isEqualTo("null (error 13)");
        assertThat(FakeSystem.told(facts, "extents")).isEqualTo("null (error 95)");
        assertThat(FakeSystem.told(facts, "resident_share")).isEqualTo("no fact");
        assertThat(FakeSystem.told(facts, "direct_io"))
                .isEqualTo("null (the file system does not tell; found by trying, at an open)");

        fake.without("why");
        facts = PathFacts.read(system, fake, file, file);
        assertThat(FakeSystem.told(facts, "size_bytes")).isEqualTo("10");
        assertThat(FakeSystem.told(facts, "engine")).isEqualTo("threads (no native helper (why))");
        for (String name : List.of("direct_io", "extents", "resident_bytes", "dirty_bytes")) {
            assertThat(FakeSystem.told(facts, name)).isEqualTo("null (no native helper (why))");
        }
    }

    @Test
    void shouldChooseTheEngineByThePlace() throws IOException {
        FakeSystem fake = new FakeSystem(dir);

        List<Fact> facts = PathFacts.read(system, fake, dir, dir);
        assertThat(FakeSystem.told(facts, "engine")).isEqualTo("io_uring");
        assertThat(FakeSystem.told(facts, "direct_io")).isEqualTo("true");
        assertThat(FakeSystem.told(facts, "direct_memory_align_bytes")).isEqualTo("4");
        assertThat(FakeSystem.told(facts, "direct_offset_align_bytes")).isEqualTo("512");

        fake.finding(new FileFindings(FileFindings.REMOTE, 4, 512, 0, 0, 0));
        facts = PathFacts.read(system, fake, dir, dir);
        String remote = "the file system is another machine's or a program's";
        assertThat(FakeSystem.told(facts, "engine")).isEqualTo("threads (" + remote + ")");
        assertThat(FakeSystem.told(facts, "direct_io"))
                .isEqualTo("false (" + remote + "; pf/direct is buffered here)");

        fake.finding(new FileFindings(FileFindings.SHARED, 4, 512, 0, 0, 0));
        facts = PathFacts.read(system, fake, dir, dir);
        assertThat(FakeSystem.told(facts, "engine"))
                .isEqualTo("threads (the file system is shared with other machines)");
        assertThat(FakeSystem.told(facts, "direct_io")).isEqualTo("true");

        fake.finding(new FileFindings(0, 0, 0, 0, 0, 0));
        assertThat(FakeSystem.told(PathFacts.read(system, fake, dir, dir), "direct_io"))
                .isEqualTo("false (the file system says so; pf/direct is buffered here)");
    }

    private static void assumeHelper() {
        NativeHelper helper = NativeHelper.load();
        assumeTrue(helper.isAvailable(), "no native helper: " + helper.whyNot());
    }
}
