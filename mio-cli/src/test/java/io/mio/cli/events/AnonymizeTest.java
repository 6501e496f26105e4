package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.EventsOptions.Form;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventReader;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No form of an events file has anything that tells whose it is. */
class AnonymizeTest {
    private static final List<String> SECRETS =
            List.of(
                    "secret",
                    "customer",
                    "merger",
                    "payroll",
                    "buildhost",
                    "4242",
                    "9191",
                    "7777",
                    "64769",
                    "1001",
                    "1790000000",
                    "5000000000",
                    "2026");

    @TempDir Path dir;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        List<EventFile> files =
                List.of(
                        EventSamples.file(1, 4242, 1, "/secret/customer.dat", "program", "pf"),
                        EventSamples.pages(2, 4242, "/secret/customer.dat"),
                        EventSamples.file(3, 9191, 1, "merger.x.docx", "program", "secret"));
        List<Event> events =
                List.of(
                        call(1, 1000, 4242, 7777),
                        call(1, 2000, 4242, 4242),
                        call(3, 3000, 9191, 7777),
                        call(3, 4000, 9191, 7777));
        file = dir.resolve("payroll.events");
        EventSamples.write(
                file,
                new Definitions(
                        EventSamples.header("payroll", "buildhost"),
                        List.of(
                                EventSamples.process(4242, "payroll"),
                                EventSamples.process(9191, "payroll")),
                        files),
                events);
    }

    private static Event call(int file, long start, long process, long thread) {
        return new Event(
                Event.Kind.CALL,
                TraceOperation.READ,
                null,
                file,
                start,
                10,
                4096,
                100,
                100,
                false,
                false,
                false,
                0,
                thread,
                0,
                process);
    }

    private byte[] written(Form form, boolean summary, boolean json) throws IOException {
        Cli cli = new Cli();
        cli.form = form;
        cli.summary = summary;
        cli.json = json;
        cli.anonymize = true;
        cli.output = dir.resolve("out." + form);
        assertThat(cli.run(file)).as(cli.err.toString()).isZero();
        return Files.readAllBytes(cli.output);
    }

    @Test
    void shouldLeaveNoSecretInAnyForm() throws IOException {
        for (Form form : Form.values()) {
            assertHarmless(form.toString(), written(form, false, false));
        }
        assertHarmless("summary", written(Form.TEXT, true, false));
        assertHarmless("json", written(Form.TEXT, true, true));
    }

    private static void assertHarmless(String form, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).as(form).isNotEmpty();
        for (String secret : SECRETS) {
            assertThat(text.contains(secret)).as("%s: %s", form, secret).isFalse();
        }
    }

    @Test
    void shouldKeepWhatIsEqualEqual() throws IOException {
        written(Form.EVENTS, false, false);
        Path out = dir.resolve("out.events");
        try (EventReader reader = EventReader.open(out)) {
            EventFile program = reader.files().get(1);
            EventFile pages = reader.files().get(2);
            EventFile other = reader.files().get(3);
            assertThat(program.path()).isEqualTo("f0001").isEqualTo(pages.path());
            assertThat(other.path()).isEqualTo("f0002");
            assertThat(program.device()).isEqualTo(1);
            assertThat(program.inode()).isEqualTo(1);
            assertThat(program.above()).isEqualTo("program");
            assertThat(program.below()).isEqualTo("pf");
            assertThat(other.below()).isEqualTo("layer");
            assertThat(program.sizeBytes()).isEqualTo(4096);
            assertThat(pages.pageBytes()).isEqualTo(65536);
            assertThat(reader.header().realtimeNanos()).isZero();
            assertThat(reader.header().monotonicNanos()).isZero();
            assertThat(reader.header().host()).isEqualTo("host");
            assertThat(reader.header().program()).isEqualTo("program-1");
            assertThat(reader.header().library()).isEqualTo("libmio 0.1.0");
            assertThat(reader.processes())
                    .extracting(process -> process.program())
                    .containsOnly("program-1");
        }
        List<Event> before = EventSamples.read(file);
        List<Event> after = EventSamples.read(out);
        assertThat(after).extracting(Event::startNanos).containsExactly(1000L, 2000L, 3000L, 4000L);
        assertThat(after).extracting(Event::offset).containsOnly(4096L);
        // The same number in another process is a different thread.
        assertThat(after).extracting(Event::thread).containsExactly(1L, 2L, 3L, 3L);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                assertThat(after.get(i).process() == after.get(j).process())
                        .isEqualTo(before.get(i).process() == before.get(j).process());
            }
        }
    }

    @Test
    void shouldKeepPlainExtensionsOnRequest() throws IOException {
        Cli cli = new Cli();
        cli.anonymize = true;
        cli.keepExtensions = true;
        assertThat(cli.run(file)).isZero();
        assertThat(cli.text())
                .contains("f0001.dat")
                .contains("f0002.docx")
                .doesNotContain("merger");
    }

    @Test
    void shouldApplyTheFilterToTheOriginal() {
        Cli cli = new Cli();
        cli.anonymize = true;
        assertThat(cli.run(file, "--files", "*.docx", "--thread", "7777")).isZero();
        assertThat(cli.lines()).hasSize(2).allMatch(line -> line.endsWith("f0001"));
    }
}
