package io.mio.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Configuration;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the flight recorder records of a whole program, and what the recorder costs the program. */
class FlightForkTest {
    private static final String DEFAULT =
            "-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider";
    private static final String STACK = "[ trace | pf/cache=1m/page=64k/pref=2/replace=lru ]";
    private static final long FILE_BYTES = (long) FlightProgram.PAGES * FlightProgram.PAGE_BYTES;
    private static final long CALLS = FILE_BYTES / FlightProgram.CALL_BYTES;

    @TempDir private Path directory;
    private Path settings;

    @BeforeEach
    void copySettings() throws Exception {
        settings = directory.resolve("mio.jfc");
        try (InputStream in = Flight.class.getResourceAsStream("mio.jfc")) {
            Files.copy(in, settings);
        }
    }

    private List<String> options(String files, String... more) {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("-Dmio.files=" + files);
        return options;
    }

    private String recording() {
        return "-XX:StartFlightRecording:filename="
                + directory.resolve("out.jfr")
                + ",settings="
                + settings;
    }

    private List<RecordedEvent> events(String name) throws Exception {
        List<RecordedEvent> found = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(directory.resolve("out.jfr"))) {
            if (event.getEventType().getName().equals(name)) {
                found.add(event);
            }
        }
        return found;
    }

    private static Map<String, Long> kinds(List<RecordedEvent> events) {
        Map<String, Long> kinds = new HashMap<>();
        events.forEach(event -> kinds.merge(event.getString("kind"), 1L, Long::sum));
        return kinds;
    }

    @ParameterizedTest
    @ValueSource(strings = {"known", "uri"})
    void shouldRecordWhatAKnownProgramDoes(String door) throws Exception {
        List<String> options = options("*.dat " + STACK, recording());
        if (door.equals("known")) {
            options.add(DEFAULT);
        }
        ForkedJvm program = new ForkedJvm(directory, options, FlightProgram.class, door);
        assertThat(program.end()).isZero();

        String path = directory.resolve("known.dat").toAbsolutePath().toString();
        List<RecordedEvent> opens = events("mio.FileOpen");
        assertThat(opens).extracting(event -> event.getString("path")).containsExactly(path, path);
        assertThat(opens)
                .extracting(event -> event.getString("layers"))
                .containsOnly("trace|pf|os");
        assertThat(opens)
                .extracting(event -> event.getString("flags").split(" ")[0])
                .containsExactly("WRONLY", "RDONLY");
        assertThat(opens)
                .extracting(event -> event.getLong("fileSize"))
                .containsExactly(0L, FILE_BYTES);
        assertThat(opens).allSatisfy(event -> assertThat(event.getStackTrace()).isNotNull());

        List<RecordedEvent> closes = events("mio.FileClose");
        assertThat(closes).hasSize(2);
        RecordedEvent written = closes.get(0);
        assertThat(written.getString("path")).isEqualTo(path);
        assertThat(written.getLong("writes")).isEqualTo(FlightProgram.PAGES);
        assertThat(written.getLong("writeBytes")).isEqualTo(FILE_BYTES);
        assertThat(written.getDuration("writeTime")).isPositive();
        assertThat(written.getLong("reads")).isZero();
        assertThat(written.getLong("pageWrites")).isEqualTo(FlightProgram.PAGES);
        assertThat(written.getLong("pageWriteBytes")).isEqualTo(FILE_BYTES);
        RecordedEvent read = closes.get(1);
        // The last call finds the end of the file.
        assertThat(read.getLong("reads")).isEqualTo(CALLS + 1);
        assertThat(read.getLong("readBytes")).isEqualTo(FILE_BYTES);
        assertThat(read.getDuration("readTime")).isPositive();
        assertThat(read.getDuration("openTime")).isGreaterThan(read.getDuration("readTime"));
        assertThat(read.getLong("pageReads")).isEqualTo(FlightProgram.PAGES);
        assertThat(read.getLong("pageReadBytes")).isEqualTo(FILE_BYTES);
        assertThat(read.getLong("hits")).isEqualTo(CALLS + 1 - read.getLong("misses"));
        assertThat(read.getLong("prefetchesUnused")).isZero();

        List<RecordedEvent> pages = events("mio.PageEvent");
        assertThat(pages).extracting(event -> event.getString("path")).containsOnly(path);
        Map<String, Long> kinds = kinds(pages);
        assertThat(kinds.get("write-behind") + kinds.getOrDefault("write", 0L))
                .isEqualTo(FlightProgram.PAGES);
        assertThat(kinds.get("prefetch")).isEqualTo(read.getLong("prefetches"));
        assertThat(kinds.get("demand read")).isEqualTo(read.getLong("misses"));
        assertThat(kinds.getOrDefault("wait", 0L)).isEqualTo(read.getLong("waits"));
        // There are 16 frames; two more pages are prepared in vain beyond the end that is written.
        assertThat(kinds.get("evict"))
                .isEqualTo(FlightProgram.PAGES + 2 - 16 + FlightProgram.PAGES - 16);
        assertThat(kinds.get("prefetch unused")).isEqualTo(2);
        assertThat(written.getLong("prefetchesUnused")).isEqualTo(2);
        assertThat(pages)
                .filteredOn(event -> event.getString("kind").equals("prefetch"))
                .allSatisfy(
                        event ->
                                assertThat(event.getLong("bytes"))
                                        .isEqualTo(FlightProgram.PAGE_BYTES));
        assertThat(pages)
                .filteredOn(event -> event.getString("kind").matches("prefetch|demand read"))
                .extracting(event -> event.getLong("pageIndex"))
                .doesNotHaveDuplicates()
                .contains(0L, FlightProgram.PAGES - 1L);
    }

    @Test
    void shouldSayWhatNobodyCountsIsNotKnown() throws Exception {
        List<String> options = options("*.dat [ recov ]", recording(), DEFAULT);
        ForkedJvm program = new ForkedJvm(directory, options, FlightProgram.class, "known");
        assertThat(program.end()).isZero();

        assertThat(events("mio.FileClose"))
                .hasSize(2)
                .allSatisfy(
                        event -> {
                            assertThat(event.getString("layers")).isEqualTo("recov|os");
                            assertThat(event.getLong("reads")).isEqualTo(Long.MIN_VALUE);
                            assertThat(event.getLong("readTime")).isEqualTo(Long.MIN_VALUE);
                            assertThat(event.getLong("pageReads")).isZero();
                        });
    }

    @Test
    void shouldRecordNothingUnlessAskedTo() throws Exception {
        List<String> options =
                options(
                        "*.dat " + STACK,
                        "-XX:StartFlightRecording:filename=" + directory.resolve("out.jfr"),
                        DEFAULT);
        ForkedJvm program = new ForkedJvm(directory, options, FlightProgram.class, "known");
        assertThat(program.end()).isZero();

        assertThat(events("jdk.JVMInformation")).isNotEmpty();
        for (String name : List.of("FileOpen", "FileClose", "SlowCall", "PageEvent")) {
            assertThat(events("mio." + name)).isEmpty();
        }
    }

    @Test
    void shouldLoadNoClassOfTheRecorderAndMakeNoServerWhileNobodyUsesThem() throws Exception {
        Path log = directory.resolve("classes.txt");
        List<String> options = options("* " + STACK, "-Xlog:class+load:file=" + log, DEFAULT);
        ForkedJvm program = new ForkedJvm(directory, options, FlightProgram.class, "known");
        assertThat(program.end()).isZero();

        List<String> classes =
                Files.readAllLines(log).stream()
                        .map(line -> line.replaceFirst("^\\[.*?\\]\\[.*?\\]\\[.*?\\] *", ""))
                        .toList();
        assertThat(classes).anyMatch(line -> line.startsWith("io.mio.jfr.Flight "));
        assertThat(classes)
                .noneMatch(line -> line.startsWith("jdk.jfr."))
                .noneMatch(line -> line.startsWith("io.mio.jfr.Events"))
                .noneMatch(line -> line.startsWith("io.mio.jfr.PageEvent"))
                // After a second MIO looks for a JMX server, and makes none.
                .noneMatch(line -> line.startsWith("com.sun.jmx."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[ trace ]", "[ pf/cache=1m/page=64k/pref=2/replace=lru ]", "[ recov ]"})
    void shouldRecordAnOpenFileFromWhenJcmdStartsTheRecorder(String stack) throws Exception {
        List<String> options = options("*.dat " + stack, DEFAULT);
        ForkedJvm program = new ForkedJvm(directory, options, FlightProgram.class, "later");
        assertThat(program.line()).isEqualTo("done");
        assertThat(program.line()).isEqualTo("false");
        program.jcmd(
                directory, "JFR.start", "name=mio", "settings=" + settings, "mio-slow-calls=0ms");
        program.tell("");
        assertThat(program.line()).isEqualTo("closed");
        program.jcmd(directory, "JFR.stop", "name=mio", "filename=" + directory.resolve("out.jfr"));
        program.tell("");
        assertThat(program.end()).isZero();

        assertThat(events("mio.FileOpen")).isEmpty();
        assertThat(events("mio.FileClose")).hasSize(1);
        // The threshold in the settings is taken from the command line of jcmd.
        assertThat(events("mio.SlowCall"))
                .filteredOn(event -> event.getString("operation").equals("read"))
                .hasSizeGreaterThanOrEqualTo((int) CALLS)
                .extracting(event -> event.getLong("offset"))
                .contains(0L, FILE_BYTES - FlightProgram.CALL_BYTES, FILE_BYTES);
        if (stack.contains("pf")) {
            Map<String, Long> kinds = kinds(events("mio.PageEvent"));
            assertThat(kinds.getOrDefault("demand read", 0L) + kinds.getOrDefault("prefetch", 0L))
                    .isGreaterThanOrEqualTo(FlightProgram.PAGES - 16);
        }
    }

    @Test
    void shouldLiveWithARecorderThatUsesFilesWithLayers() throws Exception {
        Path out = directory.resolve("out.jfr");
        List<String> options = options("* " + STACK, DEFAULT);
        ForkedJvm program = new ForkedJvm(directory, options, FlightProgram.class, "later");
        assertThat(program.line()).isEqualTo("done");
        assertThat(program.line()).isEqualTo("false");
        program.jcmd(directory, "JFR.start", "name=mio", "settings=" + settings);
        program.tell("");
        assertThat(program.line()).isEqualTo("closed");
        Path first = directory.resolve("first.jfr");
        program.jcmd(directory, "JFR.dump", "name=mio", "filename=" + first);
        program.jcmd(directory, "JFR.stop", "name=mio", "filename=" + out);
        program.tell("");
        assertThat(program.end()).isZero();

        String path = directory.resolve("known.dat").toAbsolutePath().toString();
        assertThat(RecordingFile.readAllEvents(first)).isNotEmpty();
        assertThat(events("mio.FileClose"))
                .extracting(event -> event.getString("path"))
                .contains(path, first.toString());
    }

    @Test
    void shouldRunWithoutTheModules() throws Exception {
        List<String> options =
                options(
                        "*.dat " + STACK,
                        "--limit-modules=java.base",
                        "-Dmio.jfr=true",
                        "-Dmio.jmx=true",
                        DEFAULT);
        ForkedJvm program = new ForkedJvm(directory, options, FlightProgram.class, "unmanaged");
        assertThat(program.line()).isEqualTo("done");
        assertThat(program.line()).contains("java.management");
        assertThat(program.line()).isEqualTo("false");
        assertThat(program.end()).isZero();
        assertThat(directory.resolve("stderr.txt")).isEmptyFile();
    }

    @Test
    void shouldShipSettingsForAllEvents() throws Exception {
        try (InputStreamReader in =
                new InputStreamReader(Files.newInputStream(settings), StandardCharsets.UTF_8)) {
            Map<String, String> set = Configuration.create(in).getSettings();
            assertThat(set)
                    .containsEntry("mio.FileOpen#enabled", "true")
                    .containsEntry("mio.FileClose#enabled", "true")
                    .containsEntry("mio.SlowCall#enabled", "true")
                    .containsEntry("mio.SlowCall#threshold", "10 ms")
                    .containsEntry("mio.PageEvent#enabled", "true");
        }
    }
}
