package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.events.EventFormat;
import io.mio.stats.TraceOperation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs whose device fails in the middle, played by a library in front of the C library. */
class FailingInputTest {
    /** Reads of whole blocks fail from an offset on; block headers, read before, do not. */
    private static final String LIBRARY =
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <stdlib.h>
            #include <sys/stat.h>
            #include <unistd.h>

            ssize_t pread64(int fd, void *memory, size_t length, off64_t at)
            {
                ssize_t (*real)(int, void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pread64");
                struct stat one, other;

                if (length > 64 && at >= atoll(getenv("FAIL_FROM")) && fstat(fd, &one) == 0 &&
                    stat(getenv("FAIL_FILE"), &other) == 0 && one.st_ino == other.st_ino &&
                    one.st_dev == other.st_dev) {
                    errno = EIO;
                    return -1;
                }
                return real(fd, memory, length, at);
            }
            """;

    private static final int EVENTS = 3 * EventFormat.BLOCK_RECORDS;

    @TempDir Path dir;
    private Path library;
    private Path input;
    private int status;
    private String out;
    private String err;

    @BeforeEach
    void make() throws Exception {
        library = dir.resolve("failing.so");
        Path source = Files.writeString(dir.resolve("failing.c"), LIBRARY);
        assumeTrue(hasCompiler(), "there is a C compiler");
        assertThat(
                        new ProcessBuilder(
                                        "cc",
                                        "-shared",
                                        "-fPIC",
                                        "-o",
                                        library.toString(),
                                        source.toString(),
                                        "-ldl")
                                .inheritIO()
                                .start()
                                .waitFor())
                .isZero();
        input = dir.resolve("run.events");
        try (MadeEvents made = new MadeEvents(input)) {
            int file = made.file("/data", 1);
            for (int i = 0; i < EVENTS; i++) {
                made.add(MadeEvents.call(TraceOperation.READ, file, i, 1, i, 1));
            }
        }
    }

    private static boolean hasCompiler() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "cc")));
    }

    /** Runs {@code mio events} on an input whose last block cannot be read. */
    private void run(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.mio.cli.Main",
                                "events",
                                input.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LD_PRELOAD", library.toString());
        builder.environment().put("FAIL_FILE", input.toString());
        long from = Files.size(input) - EventFormat.BLOCK_BYTES;
        builder.environment().put("FAIL_FROM", String.valueOf(from));
        Path shown = dir.resolve("shown");
        Path said = dir.resolve("said");
        builder.redirectOutput(shown.toFile()).redirectError(said.toFile());
        status = builder.start().waitFor();
        out = Files.readString(shown);
        err = Files.readString(said);
    }

    @Test
    void shouldLeaveTheOldFileWhereAnInputFailsInTheMiddle() throws Exception {
        for (String form : List.of("csv", "perfetto", "events")) {
            Path output = Files.writeString(dir.resolve("out." + form), "old");
            run("--export", form, "-o", output.toString());
            assertThat(status).as(err).isEqualTo(1);
            assertThat(err)
                    .contains("run.events: Input/output error")
                    .contains("out." + form + ": not made, as an input could not be read to its");
            assertThat(output).hasContent("old");
            assertThat(parts()).isEmpty();
        }
    }

    private List<Path> parts() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.filter(file -> file.toString().endsWith(".part")).toList();
        }
    }

    @Test
    void shouldShowWhatCameBeforeAnInputFailed() throws Exception {
        run("--export", "csv");
        assertThat(status).as(err).isEqualTo(3);
        assertThat(err).contains("mio events: ").contains("run.events: Input/output error");
        // There are the line of names and the events of two blocks.
        assertThat(out.lines().count()).isEqualTo(1 + EVENTS / 3 * 2);
    }
}
