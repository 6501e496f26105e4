package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.Mio;
import io.mio.events.Event;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import io.mio.stats.TraceOperation;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of whole JVMs: killed, one after another, and where no file can be had. */
class EventsForkTest {
    @TempDir private Path directory;

    private Process start(String owner, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(pathOf(Mio.class) + File.pathSeparator + pathOf(EventsProgram.class));
        command.add(EventsProgram.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("MIO_STATS_OWNER");
        if (owner != null) {
            builder.environment().put("MIO_STATS_OWNER", owner);
        }
        Process process = builder.start();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).exceptionally(late -> end(process));
        return process;
    }

    private static Process end(Process process) {
        return process.destroyForcibly();
    }

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }

    private long writes(String name, List<EventProcess> processes) throws IOException {
        long writes = 0;
        try (EventReader reader = EventReader.open(directory.resolve(name))) {
            processes.addAll(reader.processes());
            for (Event event = reader.next(); event != null; event = reader.next()) {
                writes += event.operation() == TraceOperation.WRITE ? 1 : 0;
            }
            assertThat(reader.losses().damagedRecords()).isZero();
            assertThat(reader.losses().unknownRecords()).isZero();
            assertThat(reader.losses().dropped()).isZero();
        }
        return writes;
    }

    @Test
    void shouldHaveAllEventsOfCallsThatWereOverBeforeAKill() throws Exception {
        Process program = start(null, "x.events");
        byte[] told = program.getInputStream().readNBytes(3000);
        assertThat(told).hasSize(3000);
        // Process.destroyForcibly would close the stream as well.
        String pid = Long.toString(program.pid());
        assertThat(new ProcessBuilder("kill", "-9", pid).start().waitFor()).isZero();
        long more = program.getInputStream().readAllBytes().length;
        assertThat(program.waitFor()).isEqualTo(128 + 9);

        // Each thread may have finished a write that it had not reported yet.
        assertThat(writes("x.events", new ArrayList<>()))
                .isBetween(3000 + more, 3000 + more + EventsProgram.THREADS);
    }

    @Test
    void shouldShareTheFileInATreeAndReplaceItOtherwise() throws Exception {
        for (String owner : new String[] {"1:2:3:4:5", "1:2:3:4:5", null}) {
            assertThat(start(owner, "x.events", "end").waitFor()).isZero();
            List<EventProcess> processes = new ArrayList<>();
            long writes = writes("x.events", processes);
            assertThat(writes).isEqualTo(processes.size() * 10L);
            Files.writeString(
                    directory.resolve("sizes"),
                    processes.size() + " ",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        assertThat(directory.resolve("sizes")).hasContent("1 2 1 ");
    }

    @Test
    void shouldSayOnceThatTheFileCannotBeHadAndRunOn() throws Exception {
        Files.writeString(directory.resolve("let\nter"), "a letter");
        Process program = start(null, "let\nter", "end");
        String error = new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).isZero();

        assertThat(error.lines())
                .singleElement()
                .asString()
                .startsWith("mio: cannot write events to ")
                .contains("let\\012ter: what is there is no events file; the program runs on");
        assertThat(directory.resolve("let\nter")).hasContent("a letter");
        assertThat(directory.resolve("data")).hasSize(100);
    }

    @Test
    void shouldLeaveAloneWhatBeginsWithZerosAsAnImageOfADiskDoes() throws Exception {
        byte[] image = new byte[1 << 20];
        image[image.length - 1] = 1;
        Files.write(directory.resolve("image"), image);
        Process program = start(null, "image", "end");
        String error = new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).isZero();

        assertThat(error).contains("image: what is there is no events file; the program runs on");
        assertThat(directory.resolve("image")).hasBinaryContent(image);
    }
}
