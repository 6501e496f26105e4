package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies where {@code mio run --events} points after a run: events of this run, or nothing. */
class RunEventsTest {
    private static final int READS = 5;

    /** The operation of a call, as the format numbers it. */
    private static final TraceOperation READ = TraceOperation.READ;

    /** Reads one file by NIO and one by java.io, or with an argument only the second one. */
    private static final String PROGRAM =
            """
            import java.nio.ByteBuffer;
            import java.nio.channels.FileChannel;
            import java.nio.file.Path;
            public class Reader {
                public static void main(String[] args) throws Exception {
                    try (var in = new java.io.FileInputStream("io.dat")) {
                        in.read();
                    }
                    try (FileChannel channel = FileChannel.open(Path.of("nio.dat"))) {
                        for (int i = 0; i < 5; i++) {
                            channel.read(ByteBuffer.allocate(2), 2 * i);
                        }
                    }
                }
            }
            """;

    @TempDir Path parent;

    private RunFixture mio;
    private Path events;

    @BeforeEach
    void makeFixture() throws IOException {
        assumeTrue(RunFixture.library() != null, "no preload library: built without a C compiler");
        mio = RunFixture.in(parent);
        events = mio.dir().resolve("e");
        Files.writeString(mio.dir().resolve("nio.dat"), "0123456789");
        Files.writeString(mio.dir().resolve("io.dat"), "io");
        Files.writeString(mio.dir().resolve("Reader.java"), PROGRAM);
    }

    private static String none(Path file) {
        return "mio: no file that is traced was opened: there are no events, and "
                + file
                + " was not made\n";
    }

    /** The number of reads of each file, for example {@code {nio.dat=5}}. */
    private static Map<String, Integer> reads(Path file, int door) throws IOException {
        Map<String, Integer> reads = new TreeMap<>();
        try (EventReader reader = EventReader.open(file)) {
            assertThat(reader.header().door()).isEqualTo(door);
            for (EventFile one : reader.files().values()) {
                reads.put(one.path(), 0);
            }
            for (Event event = reader.next(); event != null; event = reader.next()) {
                if (event.kind() == Event.Kind.CALL && event.operation() == READ) {
                    reads.merge(reader.files().get(event.file()).path(), 1, Integer::sum);
                }
            }
        }
        return reads;
    }

    @Test
    void shouldTakeTheEventsOfAFormerRunAwayAndSayThatThereAreNone() throws IOException {
        assertThat(mio.run("--events", "e", "cat", "io.dat").err()).isEmpty();
        assertThat(reads(events, EventFormat.NATIVE)).containsKey("io.dat");

        RunFixture.Result result = mio.run("--events", "e", "--match", "x", "sh", "-c", "exit 3");
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).isEqualTo(none(events));
        assertThat(events).doesNotExist();

        assertThat(mio.run("-q", "--events", "e", "--match", "x", "sh", "-c", ":").err()).isEmpty();
        // Here a process of its own made the file.
        assertThat(mio.run("--events", "e", "sh", "-c", "cat io.dat; :").err()).isEmpty();
        assertThat(reads(events, EventFormat.NATIVE)).containsKey("io.dat");
    }

    @Test
    void shouldSayItForAJvm() throws IOException {
        assertThat(mio.run("--events", "e", "--match", "io.dat", "java", "Reader.java").err())
                .isEqualTo(none(events));
        assertThat(
                        mio.run("--door=both", "--events=e", "--match=none", "java", "Reader.java")
                                .err())
                .isEqualTo(none(events));
        assertThat(mio.run("--events", "e", "--match", "nio.dat", "java", "Reader.java").err())
                .isEmpty();
        assertThat(reads(events, EventFormat.JVM)).containsOnlyKeys("nio.dat");
    }

    @Test
    void shouldLeaveWhatIsNoEventsFileAlone() throws IOException {
        Path real = mio.dir().resolve("real");
        mio.run("--events", "real", "cat", "io.dat");
        byte[] before = Files.readAllBytes(real);
        Files.createSymbolicLink(mio.dir().resolve("link"), real);
        Files.writeString(mio.dir().resolve("text"), "MIOEVENS");
        Files.createDirectory(mio.dir().resolve("place"));

        for (String name : List.of("link", "text", "place")) {
            assertThat(mio.run("--events", name, "cat", "io.dat").err())
                    .startsWith("mio: cannot write events to " + mio.dir().resolve(name) + ": ");
            assertThat(mio.run("--events", name, "--match", "x", "cat", "io.dat").err()).isEmpty();
        }
        assertThat(Files.readAllBytes(real)).isEqualTo(before);
        assertThat(mio.dir().resolve("link")).isSymbolicLink();
        assertThat(mio.dir().resolve("text")).hasContent("MIOEVENS");
        assertThat(mio.dir().resolve("place")).isDirectory();
    }

    /** Nothing is run, so nothing is removed. */
    @ParameterizedTest
    @ValueSource(strings = {"--print-env cat io.dat", "./nowhere", "."})
    void shouldKeepEventsWhereNothingIsRun(String words) throws IOException {
        mio.run("--events", "e", "cat", "io.dat");
        byte[] before = Files.readAllBytes(events);

        assertThat(mio.script("\"$MIO\" run --events e " + words).err())
                .doesNotContain("no file that is traced");
        assertThat(Files.readAllBytes(events)).isEqualTo(before);
    }

    @Test
    void shouldKeepTheEventsOfTheRunThatItIsPartOf() throws IOException {
        mio.run(
                "--events",
                "e",
                "sh",
                "-c",
                "cat io.dat; \"$MIO\" run --events e cat nio.dat; cat io.dat");

        assertThat(reads(events, EventFormat.NATIVE)).containsKeys("io.dat", "nio.dat");
    }

    @Test
    void shouldTakeTheNameAsItIs() throws IOException {
        Path odd = mio.dir().resolve("50%p 'of' it");
        mio.script("\"$MIO\" run --events \"50%%p 'of' it\" cat io.dat");
        assertThat(reads(odd, EventFormat.NATIVE)).containsKey("io.dat");
        assertThat(mio.script("\"$MIO\" run --events \"50%%p 'of' it\" --match x sh -c :").err())
                .isEqualTo(none(odd));
        assertThat(odd).doesNotExist();
        // It is not known beforehand which process it will be.
        assertThat(mio.run("--events", "%p", "--match", "x", "sh", "-c", ":").err()).isEmpty();
    }

    /** What a program does by NIO passes both; each has its own file, and neither records MIO's. */
    @ParameterizedTest
    @ValueSource(strings = {"java Reader.java", "./tool", "--pf=cache=1m/page=64k ./tool"})
    void shouldKeepTheEventsOfTwoDoorsApart(String words) throws IOException {
        mio.program("tool", "#!/bin/sh", "exec java Reader.java");

        mio.script("\"$MIO\" run --door both --events e " + words);

        Map<String, Integer> below = reads(events, EventFormat.NATIVE);
        assertThat(below).containsKeys("io.dat", "nio.dat");
        assertThat(below.keySet())
                .noneMatch(name -> name.contains(mio.home().toString()))
                .noneMatch(name -> name.contains(".jvm") || name.equals(events.toString()))
                .noneMatch(name -> name.contains("libmio") || name.contains("jnidispatch"));
        Map<String, Integer> jvm = reads(mio.dir().resolve("e.jvm"), EventFormat.JVM);
        assertThat(jvm).containsKey("nio.dat").doesNotContainKey("io.dat");
        if (!words.contains("--pf")) {
            assertThat(below.get("nio.dat")).isEqualTo(READS);
            assertThat(jvm.get("nio.dat")).isEqualTo(READS);
        }
    }
}
