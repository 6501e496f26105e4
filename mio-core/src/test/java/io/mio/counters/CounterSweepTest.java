package io.mio.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the removal of old counter files. No process has a number above 4194304. */
class CounterSweepTest {
    private static final String SEEN_BEFORE = "r--------";

    @TempDir private Path directory;

    private static Path make(Path path, String mode, int minutes) throws IOException {
        Files.createFile(path);
        Files.setLastModifiedTime(
                path, FileTime.from(Instant.now().minus(Duration.ofMinutes(minutes))));
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private Path make(String name, String mode, int minutes) throws IOException {
        return make(directory.resolve(name), mode, minutes);
    }

    private void sweep() {
        new CounterSweep(FileSystems.getDefault(), ProcFacts.user()).sweep(directory);
    }

    @Test
    void shouldRemoveOldFilesOfKilledProcessesAlone() throws IOException {
        Path old = make("5000001.jvm.live", SEEN_BEFORE, 65);
        Path young = make("5000002.jvm.live", SEEN_BEFORE, 55);
        Path own = make(ProcFacts.identity("self").pid() + ".jvm.live", SEEN_BEFORE, 65);
        Path ofOtherDoor = make("5000003.live", SEEN_BEFORE, 65);
        Path foreign = make("x5000003.jvm.live", SEEN_BEFORE, 65);
        Path longer = make("5000003.jvm.live2", SEEN_BEFORE, 65);
        Files.createSymbolicLink(directory.resolve("5000004.jvm.live"), young);

        sweep();

        assertThat(old).doesNotExist();
        assertThat(directory.toFile().list())
                .hasSize(6)
                .contains("5000004.jvm.live", young.getFileName().toString());
        assertThat(own).exists();
        assertThat(ofOtherDoor).exists();
        assertThat(foreign).exists();
        assertThat(longer).exists();
    }

    @Test
    void shouldKeepAFileFromWhenItsProcessWasFirstFoundGone() throws IOException {
        Path file = make("5000001.jvm.live", "rw-------", 600);

        sweep();
        sweep();

        assertThat(Files.getLastModifiedTime(file).toInstant())
                .isAfter(Instant.now().minus(Duration.ofMinutes(50)));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(SEEN_BEFORE);
    }

    @Test
    void shouldSweepNoPlaceThatSomebodyChose() throws IOException {
        Path old = make("5000001.jvm.live", SEEN_BEFORE, 65);
        CounterPlace chosen = CounterPlace.of(FileSystems.getDefault(), directory.toString());

        try (FileChannel made = chosen.create(5_000_002)) {
            assertThat(made.isOpen()).isTrue();
        }

        assertThat(old).exists();
    }

    @Test
    void shouldSweepItsOwnPlace() throws IOException {
        long pid = 6_000_000 + ProcFacts.identity("self").pid();
        CounterPlace place = CounterPlace.of(FileSystems.getDefault(), "on");
        Path home = Path.of("/dev/shm/mio-" + ProcFacts.user());
        place.create(pid).close();
        place.remove();
        assumeTrue(Files.isDirectory(home), "no files can be made in /dev/shm");
        Path old = make(home.resolve(pid + 1 + ".jvm.live"), SEEN_BEFORE, 65);
        try {
            place.create(pid).close();
            place.remove();
            assertThat(old).doesNotExist();
        } finally {
            Files.deleteIfExists(old);
        }
    }
}
