package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.Mio;
import io.mio.events.Event;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events of a whole JVM that runs out of space for them: the program does not notice, lost events
 * are counted, and the events in the file can be read.
 */
@Tag("backends")
class EventsSpaceTest {
    private static final int DISK_BYTES = 4 << 20;
    private static final long CALLS = 2L * EventsSpaceProgram.RECORDS;

    @TempDir private Path directory;
    private Path disk;
    private Process program;

    /** What a file holds, read to its end. */
    private record Told(long calls, long droppedRecords, long lastCall, long dropped) {}

    @AfterEach
    void leave() throws Exception {
        if (program != null) {
            program.destroyForcibly().waitFor();
        }
        if (disk != null) {
            assertThat(run("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Mounts a small file system: tmpfs, or ext4 in a file. */
    private void mount(String type) throws Exception {
        String place = Files.createDirectory(directory.resolve("disk")).toString();
        boolean mounted;
        if (type.equals("tmpfs")) {
            mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "mio", place);
        } else {
            String image = Files.write(directory.resolve("image"), new byte[DISK_BYTES]).toString();
            mounted =
                    run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image)
                            && run("mount", "-o", "loop", image, place);
        }
        assumeTrue(mounted, "a small " + type + " cannot be mounted here: that takes root");
        disk = Path.of(place);
    }

    private void start(String options) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        pathOf(Mio.class) + File.pathSeparator + pathOf(EventsSpaceProgram.class),
                        EventsSpaceProgram.class.getName(),
                        options);
        builder.directory(directory.toFile());
        builder.redirectError(ProcessBuilder.Redirect.to(directory.resolve("errors").toFile()));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("MIO_STATS_OWNER");
        program = builder.start();
        Process started = program;
        started.onExit()
                .orTimeout(120, TimeUnit.SECONDS)
                .exceptionally(late -> started.destroyForcibly());
    }

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }

    /** Runs a round of the program, which itself checks what it reads back. */
    private void round() throws IOException {
        program.getOutputStream().write('g');
        program.getOutputStream().flush();
        assertThat(program.getInputStream().read()).as("%s", errors()).isEqualTo('d');
    }

    private List<String> errors() throws IOException {
        return Files.readAllLines(directory.resolve("errors"));
    }

    private void end(int rounds) throws Exception {
        program.getOutputStream().close();
        assertThat(program.waitFor()).isZero();
        assertThat(errors()).isEmpty();
        ByteBuffer data = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("data")));
        int bytes = EventsSpaceProgram.RECORD_BYTES;
        int records = rounds * EventsSpaceProgram.RECORDS;
        assertThat(data.remaining()).isEqualTo(records * bytes);
        for (int i = 0; i < records; i++) {
            assertThat(data.slice(i * bytes, bytes)).isEqualTo(EventsSpaceProgram.record(i));
        }
    }

    private static Told told(Path file) throws IOException {
        long calls = 0;
        long droppedRecords = 0;
        long lastCall = -1;
        try (EventReader reader = EventReader.open(file)) {
            for (Event event = reader.next(); event != null; event = reader.next()) {
                if (event.kind() == Event.Kind.DROPPED) {
                    droppedRecords += event.requested();
                } else {
                    calls++;
                    assertThat(event.failed()).isFalse();
                    lastCall = Math.max(lastCall, event.offset());
                }
            }
            assertThat(reader.losses().damagedRecords()).isZero();
            assertThat(reader.losses().unknownRecords()).isZero();
            return new Told(calls, droppedRecords, lastCall, reader.losses().dropped());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tmpfs", "ext4"})
    void shouldDropAndCountWhileTheDiskIsFullAndGoOnWhenItIsNot(String type) throws Exception {
        mount(type);
        Path file = disk.resolve("x.events");
        Path ballast = Files.write(disk.resolve("ballast"), new byte[DISK_BYTES / 2]);
        start("events={" + file + "}");
        round();
        Told full = told(file);
        assertThat(full.dropped()).isPositive();
        // The space that was left on the disk is used.
        assertThat(full.calls()).isGreaterThan(DISK_BYTES / 2 / EventFormat.RECORD_BYTES / 2);
        // The open is an event as well.
        assertThat(full.calls() + full.dropped()).isEqualTo(CALLS + 1);

        Files.delete(ballast);
        round();
        Told freed = told(file);
        assertThat(freed.calls()).isGreaterThan(full.calls());
        assertThat(freed.calls() + freed.dropped()).isEqualTo(2 * CALLS + 1);
        assertThat(freed.lastCall())
                .isGreaterThan((long) EventsSpaceProgram.RECORDS * EventsSpaceProgram.RECORD_BYTES);
        assertThat(freed.droppedRecords()).isBetween(full.dropped(), freed.dropped());

        end(2);
        Told ended = told(file);
        assertThat(ended.calls() + ended.dropped()).isEqualTo(2 * CALLS + 2);
    }

    /** No byte of the file may lie beyond the limit. */
    @Test
    void shouldDropAndCountWhatIsOverTheLimit() throws Exception {
        Path file = directory.resolve("x.events");
        start("events={" + file + "}/events_limit=1m");
        round();
        end(1);

        Told told = told(file);
        // One block is the block of the definitions.
        long blocks = ((1 << 20) - EventFormat.HEADER_BYTES) / EventFormat.BLOCK_BYTES - 1;
        assertThat(told.calls()).isEqualTo(blocks * EventFormat.BLOCK_RECORDS);
        assertThat(told.calls() + told.dropped()).isEqualTo(CALLS + 2);
        assertThat(Files.size(file)).isLessThanOrEqualTo(1 << 20);
    }
}
