package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class EventsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @ParameterizedTest
    @CsvSource({
        "'', Missing required parameter",
        "x --op nothing, 'nothing' is no operation",
        "x --op reads;nothing, is no operation",
        "x --layer nothing, 'nothing' is no layer; there are trace; pf; program; system; cache",
        "x --from nothing, 'nothing' is no time",
        "x --from 5s --to 2s, --from: must be before --to",
        "x --slower 1x, is no time",
        "x --thread one, --thread' (N): 'one' is no whole number",
        "x --thread 1;one, --thread' (N): 'one' is no whole number",
        "x --process 1.5, '1.5' is no whole number",
        "x --process 99999999999999999999, '99999999999999999999' is too large",
        "x --limit ten, 'ten' is no whole number",
        "x --top ten, 'ten' is no whole number",
        "x --width wide, 'wide' is no whole number",
        "x --max-names all, 'all' is no whole number",
        "x --json=yes, --json': it takes no value; leave '=yes' away",
        "x --failed=2, --failed': it takes no value; leave '=2' away",
        "x --export nothing, 'nothing' is no form; there are text; csv; jsonl; perfetto; chrome;"
                + " fio; events",
        "x --limit 0, --limit: at least 1",
        "x --top 0, --top: at least 1",
        "x --width 10, --width: at least 40",
        "x --max-names 0, --max-names: at least 1",
        "x --summary --export csv, --summary and --export",
        "x --keep-extensions, only with --anonymize",
        "x y --summary, one FILE at a time",
        "x y --export perfetto, one FILE at a time",
        "x y --export events -o z, one FILE at a time",
        "x --export events, needs -o FILE",
        "x --export events -o -, needs -o FILE",
        "x -o /, is no name of a file",
    })
    void shouldRefuseArgumentsThatMakeNoSense(String args, String message) {
        String words = ("events " + args.replace(';', ',')).trim();
        assertThat(run(words.split(" "))).isEqualTo(2);
        // A comma would end the text in the table above.
        assertThat(err.toString().replace(',', ';'))
                .contains(message.replace(',', ';'), "mio events --help")
                .doesNotContainPattern("\\b(int|long|boolean|TRACE|SYSTEM|JSONL)\\b");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldSendPeopleWithAnEventsFileToTheRightCommand() throws Exception {
        java.nio.file.Path file = java.nio.file.Files.createTempFile("mio-test", ".events");
        try {
            java.nio.file.Files.writeString(file, "MIOEVENT and more");
            assertThat(run("stats", file.toString())).isEqualTo(1);
            assertThat(err.toString()).contains("events and no report: see mio events");
        } finally {
            java.nio.file.Files.delete(file);
        }
    }
}
