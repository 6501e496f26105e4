package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.cli.events.EventsOptions.Form;
import io.mio.events.EventFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Inputs that cannot be read, and outputs that cannot be written. */
class InputsTest {
    private static final int FIRST_RECORD =
            EventFormat.HEADER_BYTES + EventFormat.BLOCK_BYTES + EventFormat.BLOCK_HEADER_BYTES;

    @TempDir Path dir;
    private Path golden;

    @BeforeEach
    void write() throws IOException {
        golden = Files.write(dir.resolve("golden.events"), EventSamples.golden());
    }

    private String refused(String input) {
        Cli cli = new Cli();
        assertThat(cli.run(List.of(input))).isEqualTo(1);
        assertThat(cli.out.size()).isZero();
        assertThat(cli.err.toString()).startsWith("mio events: ").hasLineCount(1);
        return cli.err.toString();
    }

    @Test
    @Timeout(60)
    void shouldSayInWordsWhatIsNoEventsFile() throws Exception {
        assertThat(refused("absent")).contains("absent: no such file or directory");
        assertThat(refused(dir.toString())).contains("is a directory; name the events files in it");
        assertThat(refused("-")).contains("standard input: is not read");
        assertThat(refused("/dev/null")).contains("is a pipe or device");
        assertThat(refused("nul\0")).contains("is no name of a file");
        assertThat(refused("")).contains("'' is no name of a file");
        Path empty = Files.createFile(dir.resolve("empty"));
        assertThat(refused(empty.toString())).contains("is empty; trace/events=FILE");
        Path other = Files.writeString(dir.resolve("other"), "a text".repeat(1000));
        assertThat(refused(other.toString())).contains("is no events file; trace/events=FILE");
        Path packed = Files.write(dir.resolve("packed"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
        assertThat(refused(packed.toString())).contains("unpack it first: gzip -d");
        Path fifo = dir.resolve("fifo");
        assumeTrue(
                new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0,
                "mkfifo makes pipes here");
        assertThat(refused(fifo.toString())).contains("is a pipe or device; name a file");
    }

    @Test
    void shouldTellALinkToNothingAndAFileThatWasCutFromWhatIsNoEventsFile() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("link"), Path.of("gone.events"));
        assertThat(refused(link.toString()))
                .contains("link: is a symbolic link to gone.events, which is not there");
        byte[] begin = Arrays.copyOf(EventSamples.golden(), 200);
        Path cut = Files.write(dir.resolve("cut"), begin);
        assertThat(refused(cut.toString()))
                .contains("cut was cut in its header, and nothing of it can be read any more");
        Path fewBytes = Files.write(dir.resolve("few"), Arrays.copyOf(begin, 8));
        assertThat(refused(fewBytes.toString())).contains("was cut in its header");
        Path fewer = Files.write(dir.resolve("fewer"), Arrays.copyOf(begin, 7));
        assertThat(refused(fewer.toString())).contains("is no events file");
    }

    @Test
    void shouldPointToTheCommandForReports() {
        for (String report :
                List.of("stats/demo-pf.jsonl", "stats/demo-trace.stats", "original.stats")) {
            assertThat(refused("src/test/resources/io/mio/cli/" + report))
                    .contains("is a report and has no events; see it with: mio stats");
        }
    }

    @Test
    void shouldNameAFileThatMayNotBeRead() throws IOException {
        Files.setPosixFilePermissions(golden, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(golden), "root may read everything");
        assertThat(refused(golden.toString())).contains("permission denied");
    }

    @Test
    void shouldShowTheOthersWhereOneCannotBeRead() {
        Cli cli = new Cli();
        assertThat(cli.run(List.of("absent", golden.toString()))).isEqualTo(3);
        assertThat(cli.err.toString()).contains("absent: no such file");
        assertThat(cli.lines()).hasSize(22).allMatch(line -> line.startsWith("  2 "));
    }

    /** A missing input is reported even if others fill the limit, and before all output. */
    @Test
    void shouldSayWhatCannotBeReadAlsoWhereTheLimitIsFilledBefore() throws IOException {
        Path empty = Files.createFile(dir.resolve("empty"));
        String whole = golden.toString();
        Cli cli = new Cli();
        cli.limit = 5;
        assertThat(cli.run(List.of(whole, "absent", empty.toString(), whole))).isEqualTo(3);
        assertThat(cli.lines()).hasSize(5).allMatch(line -> line.startsWith("  1 "));
        assertThat(cli.err.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).endsWith("absent: no such file or directory"),
                        line -> assertThat(line).contains("empty: is empty"),
                        line ->
                                assertThat(line)
                                        .endsWith(
                                                ": not looked into, as what is before fills"
                                                        + " --limit: "
                                                        + golden));
    }

    @Test
    void shouldSayWhichFilesTheLimitDidNotReach() {
        String whole = golden.toString();
        Cli cli = new Cli();
        cli.limit = 30;
        assertThat(cli.run(List.of(whole, whole, whole, whole))).isZero();
        assertThat(cli.lines()).hasSize(30);
        assertThat(cli.err.toString()).contains("fills --limit: " + whole + ", " + whole + "\n");

        Cli exact = new Cli();
        exact.limit = 44;
        assertThat(exact.run(List.of(whole, whole))).isZero();
        assertThat(exact.lines()).hasSize(44);
        assertThat(exact.err.toString()).isEmpty();
    }

    @Test
    void shouldShowWhatIsThereOfAFileCutAtAnyBlockOrAnywhere() throws IOException {
        byte[] whole = EventSamples.golden();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] lengths = random.ints(40, 0, whole.length).toArray();
        lengths[0] = EventFormat.HEADER_BYTES;
        lengths[1] = EventFormat.HEADER_BYTES + EventFormat.BLOCK_BYTES;
        lengths[2] = FIRST_RECORD;
        for (int i = 0; i < 23; i++) {
            lengths[3 + i] = FIRST_RECORD + 64 * i;
        }
        for (int length : lengths) {
            Path cut = Files.write(dir.resolve("cut"), Arrays.copyOf(whole, length));
            Cli cli = new Cli();
            int status = cli.run(cut);
            String as = "seed " + seed + ", cut at " + length;
            if (length < EventFormat.AT_LIBRARY + EventFormat.HEADER_TEXT_BYTES) {
                assertThat(status).as(as).isEqualTo(1);
                continue;
            }
            assertThat(status).as(as).isEqualTo(3);
            int events = Math.min(22, Math.max(0, (length - FIRST_RECORD) / 64));
            assertThat(cli.lines()).as(as).hasSize(events);
            boolean atBlock = length <= EventFormat.HEADER_BYTES || length % 65536 == 0;
            if (!atBlock) {
                assertThat(cli.err.toString()).as(as).contains("of the last block are missing");
                assertThat(cli.text()).as(as).contains("# cut: ");
            }
            int missing = 2 - (Math.max(0, length - EventFormat.HEADER_BYTES) + 65535) / 65536;
            if (missing > 0) {
                String words = missing + (missing == 1 ? " block" : " blocks") + " of up to 1 023";
                assertThat(cli.err.toString()).as(as).contains(": missing: " + words);
                assertThat(cli.text()).as(as).contains("# missing: " + words);
            }
        }
    }

    @Test
    void shouldSummarizeAFileCutBetweenTwoBlocks() throws IOException {
        int length = EventFormat.HEADER_BYTES + EventFormat.BLOCK_BYTES;
        Path cut = Files.write(dir.resolve("cut"), Arrays.copyOf(EventSamples.golden(), length));
        Cli cli = new Cli();
        cli.summary = true;
        assertThat(cli.run(cut)).isEqualTo(3);
        assertThat(cli.text()).contains("\nmissing: 1 block of up to 1 023 events, as the file");
    }

    @Test
    void shouldSayWhatItDoesNotKnow() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(EventSamples.golden()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(FIRST_RECORD, (short) 900);
        bytes.putLong(FIRST_RECORD + 64 + 16, -1);
        bytes.putLong(EventFormat.AT_DROPPED, 5);
        Files.write(golden, bytes.array());
        Cli cli = new Cli();
        assertThat(cli.run(golden)).isEqualTo(3);
        assertThat(cli.lines()).hasSize(20);
        assertThat(cli.text())
                .contains("# missing: 5 events could not be recorded, for lack of space")
                .contains("# left out, records that make no sense: 1")
                .contains("# left out, records of a newer version: 1");
        assertThat(cli.err.toString()).contains("newer version").doesNotContain("missing: 5");
    }

    @Test
    void shouldSayThatTheLimitWasReached() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(EventSamples.golden()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(EventFormat.AT_DROPPED, 1).putLong(64, 3 * 65536 + 100);
        Files.write(golden, bytes.array());
        Cli cli = new Cli();
        assertThat(cli.run(golden)).isZero();
        assertThat(cli.text())
                .contains("1 event could not be recorded, as the file has reached its limit of");
    }

    // ---- output

    @Test
    void shouldWriteAFileThatOnlyItsOwnerReads() throws IOException {
        Cli cli = new Cli();
        cli.output = dir.resolve("out.csv");
        Files.writeString(cli.output, "old");
        Files.setPosixFilePermissions(cli.output, PosixFilePermissions.fromString("rw-r--r--"));
        cli.form = Form.CSV;
        assertThat(cli.run(golden)).isZero();
        assertThat(Files.readAllLines(cli.output)).hasSize(23);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cli.output)))
                .isEqualTo("rw-------");
        assertThat(cli.out.size()).isZero();
        assertNothingLeft();
    }

    private void assertNothingLeft() throws IOException {
        try (java.util.stream.Stream<Path> files = Files.list(dir)) {
            assertThat(files.filter(file -> file.toString().endsWith(".part"))).isEmpty();
        }
    }

    @Test
    void shouldLeaveTheOldFileWhereNothingCanBeRead() throws IOException {
        Cli cli = new Cli();
        cli.output = Files.writeString(dir.resolve("out"), "old");
        assertThat(cli.run(List.of("absent"))).isEqualTo(1);
        assertThat(cli.output).hasContent("old");
        assertNothingLeft();
    }

    @Test
    void shouldNotWriteThroughALinkOrOverADirectory() throws IOException {
        Path target = Files.writeString(dir.resolve("target"), "old");
        Cli cli = new Cli();
        cli.output = Files.createSymbolicLink(dir.resolve("link"), target);
        assertThat(cli.run(golden)).isEqualTo(1);
        assertThat(cli.err.toString()).contains("is a symbolic link");
        assertThat(target).hasContent("old");
        assertThat(cli.output).isSymbolicLink();

        Cli other = new Cli();
        other.output = dir;
        assertThat(other.run(golden)).isEqualTo(1);
        assertThat(other.err.toString()).contains("is a directory; name a file");

        Cli absent = new Cli();
        absent.output = dir.resolve("no/such/place");
        assertThat(absent.run(golden)).isEqualTo(1);
        assertThat(absent.err.toString()).contains("cannot be written: no such file or directory");
    }

    @Test
    void shouldFailWhereTheDiskIsFull() {
        assumeTrue(Files.exists(Path.of("/dev/full")), "there is /dev/full");
        for (Form form : Form.values()) {
            Cli cli = new Cli();
            cli.form = form;
            cli.output = Path.of("/dev/full");
            assertThat(cli.run(golden)).as(form.toString()).isEqualTo(1);
            assertThat(cli.err.toString())
                    .as(form.toString())
                    .contains(form == Form.EVENTS ? "is no file" : "No space left on device");
        }
        Cli summary = new Cli();
        summary.summary = true;
        summary.output = Path.of("/dev/full");
        assertThat(summary.run(golden)).isEqualTo(1);
        assertThat(summary.err.toString()).contains("No space left on device");
    }

    @Test
    void shouldReadAndReplaceTheSameFile() throws IOException {
        Cli cli = new Cli();
        cli.form = Form.EVENTS;
        cli.output = golden;
        assertThat(cli.run(golden, "--op", "reads")).isZero();
        assertThat(EventSamples.read(golden)).hasSize(5);
    }
}
