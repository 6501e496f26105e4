package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mio.cli.term.Json;
import io.mio.cli.term.Terminal;
import io.mio.info.Fact;
import io.mio.info.Fact.Group;
import io.mio.info.Fact.Unit;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InfoCommandTest {
    private static final List<Fact> FACTS =
            List.of(
                    new Fact(Group.FILE, "size_bytes", "size", Unit.BYTES, 1536L, null),
                    new Fact(Group.FILE, "share", "share", Unit.SHARE, 0.25, null),
                    new Fact(Group.IO, "direct", "direct", Unit.YES_NO, false, "it is\033[1m so"),
                    new Fact(Group.IO, "depth", "depth", Unit.COUNT, 12345L, null),
                    new Fact(Group.MEMORY, "limit_bytes", "limit", Unit.BYTES, "unlimited", null),
                    new Fact(Group.MEMORY, "seen", "seen", Unit.TEXT, null, "hidden"));

    @TempDir Path dir;

    @Test
    void shouldShowGroupsUnitsAndReasons() {
        assertThat(InfoCommand.lines(FACTS, Terminal.NONE).stream().map(String::stripTrailing))
                .containsExactly(
                        "File",
                        "  size                              1.50 KiB",
                        "  share                             25.0 %",
                        "",
                        "I/O there",
                        "  direct                            no (it is\\033[1m so)",
                        "  depth                             12 345",
                        "",
                        "Memory and limits",
                        "  limit                             unlimited",
                        "  seen                              unknown: hidden");
    }

    @Test
    void shouldColourOnlyOnATerminalThatWantsIt() {
        Terminal colours = new Terminal(true, true, 80, true, true);

        assertThat(InfoCommand.lines(FACTS, colours).get(0)).isEqualTo("\033[1mFile\033[0m");
        assertThat(InfoCommand.lines(FACTS, colours).get(1)).doesNotContain("\033");
    }

    @Test
    void shouldGiveProgramsValuesAndNotes() throws Exception {
        JsonNode tree =
                Json.line().readTree(Json.line().writeValueAsString(InfoCommand.tree(FACTS)));

        assertThat(tree.toString())
                .isEqualTo(
                        "{'file':{'size_bytes':1536,'share':0.25},"
                                .concat("'io':{'direct':false,'depth':12345,")
                                .concat("'notes':{'direct':'it is\\u001B[1m so'}},")
                                .concat("'memory':{'limit_bytes':'unlimited','seen':null,")
                                .concat("'notes':{'seen':'hidden'}}}")
                                .replace('\'', '"'));
    }

    @Test
    void shouldTellTheMachineAndTheFileAsJson() throws Exception {
        Path file = Files.write(dir.resolve("file"), new byte[4097]);

        JsonNode tree = Json.line().readTree(run(0, "info", "--json", file.toString()));
        assertThat(tree.at("/file/size_bytes").asLong()).isEqualTo(4097);
        assertThat(tree.at("/file/path").asText()).isEqualTo(file.toString());
        assertThat(tree.at("/machine/kernel").asText()).startsWith("Linux ");
        assertThat(tree.at("/engine/engine").asText()).isIn("io_uring", "threads");
        assertThat(tree.at("/memory/memory_bytes").asLong()).isPositive();

        JsonNode machine = Json.line().readTree(run(0, "info", "--json"));
        assertThat(machine.has("file")).isFalse();
        assertThat(machine.has("machine")).isTrue();
    }

    private static String run(int status, String... arguments) {
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out));
        assertThat(line.execute(arguments)).isEqualTo(status);
        return out.toString();
    }
}
