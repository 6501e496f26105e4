package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.stats.StatsOutput.Entry;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where reports go, and that they arrive (reference 2.4, design sections 3 and 10). */
class StatsOutputTest {
    @TempDir private Path directory;

    private StatsOutput output(String stats, boolean timestamps) {
        return new StatsOutput(
                FileSystems.getDefault(),
                stats,
                timestamps,
                () -> StatsHeader.now("sync", stats, "", "* [ trace ]", "", List.of()));
    }

    private static void write(StatsOutput output, String target, String file) {
        output.write(List.of(new Entry(target, TestBlocks.of(Event.CLOSE, file))));
    }

    @Test
    void shouldBeginWithTheHeaderOnceAndEndEachFileWithASeparator() throws IOException {
        Path file = directory.resolve("a.stats");
        StatsOutput output = output(file.toString(), false);
        write(output, StatsOutput.MIOOUT, "one");
        write(output, StatsOutput.MIOOUT, "two");

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).element(0).asString().startsWith("MIO statistics file : ");
        assertThat(lines).filteredOn(line -> line.startsWith("MIO statistics")).hasSize(1);
        assertThat(lines).filteredOn(line -> line.equals("=".repeat(76))).hasSize(3);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("Trace close"))
                .satisfiesExactly(
                        line -> assertThat(line).contains(" : one : "),
                        line -> assertThat(line).contains(" : two : "));
    }

    @Test
    void shouldPutTheDebugLinesOfAnOpenBeforeTheFirstSeparator() throws IOException {
        Path file = directory.resolve("a.stats");
        StatsOutput output = output(file.toString(), true);
        output.debug("Opening file test.dat\n", true);
        write(output, StatsOutput.MIOOUT, "test.dat");

        assertThat(Files.readString(file))
                .containsPattern(
                        "(?s)MIO_DEFAULTS    =\n\n\n"
                                + "\\d\\d:\\d\\d:\\d\\d\n"
                                + "Opening file test.dat\n"
                                + "={76}\n"
                                + "\n"
                                + "\\d\\d:\\d\\d:\\d\\d\n"
                                + "Trace close : .*\n"
                                + "={76}\n"
                                + "$");
    }

    /** The cases of the native twin's test, stats_time_test.c. */
    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00.000Z",
        "951827696789, 2000-02-29T12:34:56.789Z",
        "951827696780, 2000-02-29T12:34:56.780Z",
        "951827696009, 2000-02-29T12:34:56.009Z",
        "951827696000, 2000-02-29T12:34:56.000Z",
        "-1, 1969-12-31T23:59:59.999Z",
    })
    void shouldStampWithMilliseconds(long millis, String expected) {
        assertThat(StatsOutput.stamp(Instant.ofEpochMilli(millis).plusNanos(1)))
                .isEqualTo(expected);
    }

    @Test
    void shouldCreateFilesForTheOwnerOnly() throws IOException {
        Path file = directory.resolve("a.stats");
        write(output(file.toString(), false), StatsOutput.MIOOUT, "x");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldOverwriteUnlessToldToAppend() throws IOException {
        Path fresh = Files.writeString(directory.resolve("fresh"), "old text\n");
        Path kept = Files.writeString(directory.resolve("kept"), "old text\n");
        write(output(fresh.toString(), false), StatsOutput.MIOOUT, "x");
        write(output("+" + kept, false), StatsOutput.MIOOUT, "x");

        assertThat(Files.readString(fresh)).startsWith("MIO statistics file");
        assertThat(Files.readString(kept)).startsWith("old text\nMIO statistics file");
    }

    @Test
    void shouldSendABlockToTheTargetItNames() throws IOException {
        Path common = directory.resolve("common");
        Path own = directory.resolve("own");
        StatsOutput output = output(common.toString(), false);
        output.write(
                List.of(
                        new Entry(own.toString(), TestBlocks.of(Event.CLOSE, "first")),
                        new Entry(StatsOutput.MIOOUT, TestBlocks.of(Event.CLOSE, "second"))));

        assertThat(Files.readString(own)).contains(" : first : ").doesNotContain("second");
        assertThat(Files.readString(common)).contains(" : second : ").doesNotContain("first");
    }

    @Test
    void shouldWriteWhatWasKeptAtTheEnd() throws IOException {
        Path file = directory.resolve("later").resolve("a.stats");
        output(file.toString(), false)
                .recovered(
                        StatsOutput.MIOOUT,
                        List.of(new RecovMessage("f", "write", "ENOSPC", 28, "", 1, 1, 0)));
        Files.createDirectory(file.getParent());
        StatsFile.writeKept();
        StatsFile.writeKept();

        assertThat(Files.readString(file))
                .startsWith("MIO statistics file")
                .containsOnlyOnce("recov : command= file=f errno=28 try=1\n");
    }

    @Test
    void shouldRunOnWhereTheStatsFileHasANameNoFileCanHave() {
        StatsOutput output = output("no\0name", false);
        assertThatCode(
                        () -> {
                            output.debug("lines\n", true);
                            write(output, StatsOutput.MIOOUT, "x");
                        })
                .doesNotThrowAnyException();
    }

    @Test
    void shouldKeepANameWithLineEndsOnItsLine() throws IOException {
        Path file = directory.resolve("a.stats");
        write(
                output(file.toString(), false),
                StatsOutput.MIOOUT,
                "a\nTrace close : b\t\u007f\u00e9");

        assertThat(Files.readString(file)).contains(" : a\\012Trace close : b\\011\\177\u00e9 : (");
    }

    @Test
    void shouldReportInATimeZoneTheJdkCannotExpress() throws IOException {
        Path file = directory.resolve("a.stats");
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(new SimpleTimeZone(20 * 3_600_000, "odd"));
        try {
            write(output(file.toString(), true), StatsOutput.MIOOUT, "x");
        } finally {
            TimeZone.setDefault(before);
        }

        assertThat(Files.readString(file)).contains("Trace close : program <-> os : x : ");
    }

    @Test
    void shouldWriteNothingWhereNoFileWasAskedFor() throws IOException {
        StatsOutput output = output("", false);
        output.debug("lines\n", true);
        write(output, StatsOutput.MIOOUT, "x");

        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void shouldFillInPlaceholders() throws IOException {
        String command = System.getProperty("sun.java.command", "");
        System.setProperty("sun.java.command", "/opt/tool.jar --key secret /tmp/x");
        try {
            write(
                    output(directory.resolve("s-%p-%x-%h-%%-%q%").toString(), false),
                    StatsOutput.MIOOUT,
                    "x");
        } finally {
            System.setProperty("sun.java.command", command);
        }

        String name =
                "s-%d-tool.jar-%s-%%-%%q%%"
                        .formatted(
                                ProcessHandle.current().pid(),
                                Files.readString(Path.of("/proc/sys/kernel/hostname")).trim());
        assertThat(Files.readAllLines(directory.resolve(name)))
                .contains("Program=/opt/tool.jar")
                .element(3)
                .asString()
                .matches(
                        "MIO library mio-core \\S+  Linux \\d\\d bit addressing built"
                                + " [A-Z][a-z]{2} \\d{1,2} \\d{4} \\d\\d:\\d\\d:\\d\\d");
    }

    @Test
    void shouldWriteOneJsonObjectALine() throws IOException {
        Path file = directory.resolve("a.jsonl");
        StatsOutput output = output(file.toString(), true);
        output.debug("Opening file x\n", true);
        write(output, StatsOutput.MIOOUT, "x");
        write(output, StatsOutput.MIOOUT, "y");

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(4).allMatch(line -> line.startsWith("{\"type\":\""));
        assertThat(lines.get(0)).contains("\"type\":\"header\"", "\"MIO_FILES\":\"* [ trace ]\"");
        assertThat(lines.get(1)).contains("\"text\":\"Opening file x\\u000a\"");
        assertThat(lines.get(3)).contains("\"event\":\"close\"", "\"file\":\"y\"");
    }

    @Test
    void shouldNotFollowASymbolicLinkInADirectoryOthersMayWriteTo() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Path link = Files.createSymbolicLink(shared.resolve("stats"), victim);
        write(output(link.toString(), false), StatsOutput.MIOOUT, "x");
        write(output("+" + link, false), StatsOutput.MIOOUT, "x");

        assertThat(Files.readString(victim)).isEqualTo("precious");
    }

    /** Another user may have put the file there in order to read the report. */
    @Test
    void shouldNotWriteToAFileOfAnotherUserWhereEverybodyMayPutOne() throws IOException {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path theirs = Files.writeString(open.resolve("stats"), "theirs");
        assumeTrue(Files.getAttribute(theirs, "unix:uid").equals(0), "for root alone");
        Files.setAttribute(theirs, "unix:uid", 12345);
        write(output(theirs.toString(), false), StatsOutput.MIOOUT, "x");
        write(output("+" + theirs, false), StatsOutput.MIOOUT, "x");

        assertThat(Files.readString(theirs)).isEqualTo("theirs");
    }

    @Test
    void shouldFollowTheUsersOwnSymbolicLink() throws IOException {
        Path target = directory.resolve("target");
        Files.writeString(target, "old");
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        write(output(link.toString(), false), StatsOutput.MIOOUT, "x");

        assertThat(Files.readString(target)).startsWith("MIO statistics file");
    }

    @Test
    void shouldWriteWhatAnInterruptedThreadReports() throws IOException {
        Path file = directory.resolve("a.stats");
        StatsOutput output = output(file.toString(), false);
        Thread.currentThread().interrupt();
        try {
            write(output, StatsOutput.MIOOUT, "one");
            write(output, StatsOutput.MIOOUT, "two");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(Files.readString(file, StandardCharsets.UTF_8))
                .contains(" : one : ", " : two : ");
    }

    @Test
    void shouldNotDestroyWhatIsNoRegularFile() {
        write(output("/dev/null", false), StatsOutput.MIOOUT, "x");

        assertThat(Path.of("/dev/null")).exists().isNotEqualTo(directory);
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    }
}
