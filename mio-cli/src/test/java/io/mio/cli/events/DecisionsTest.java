package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.demo.DemoProgram;
import io.mio.cli.demo.JavaProgram;
import io.mio.cli.demo.NativeProgram;
import io.mio.cli.events.EventsOptions.Form;
import io.mio.events.EventDecision;
import io.mio.events.EventFile;
import io.mio.events.EventReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions of {@code pf/auto} in events files, from programs of both doors to what people see. */
class DecisionsTest {
    private static final int RECORD_BYTES = 10_000;

    @TempDir Path dir;

    private String text(Form form, Path file) {
        Cli cli = new Cli();
        cli.form = form;
        assertThat(cli.run(List.of(file.toString()))).isZero();
        assertThat(cli.err.toString()).isEmpty();
        return cli.text();
    }

    @Test
    void shouldShowDecisionsAmongTheEvents() throws Exception {
        Path golden = Files.write(dir.resolve("golden.events"), EventSamples.golden());
        List<String> lines = text(Form.TEXT, golden).lines().toList();

        String cached =
                "# decision -0.000000005 4711 18446744 cached: it_is_there :"
                        + " /a/path/that/takes/more/than/one/record/because/it/is/longer/than/"
                        + "fifty-six/bytes/ä/ö/ü";
        String pages =
                "# decision 0.000355000 4711 4712 pages: 63_of_64_requests_were_small_(at_most_100"
                        + "_bytes)_and_near_each_other : /scratch/data.file";
        assertThat(lines).contains(cached, pages);
        int at = lines.indexOf(pages);
        assertThat(lines.get(at - 1)).contains("0.000343001");
        assertThat(lines.get(at + 1)).contains("0.000343000");

        JsonNode heading =
                new ObjectMapper().readTree(text(Form.JSONL, golden).lines().findFirst().get());
        assertThat(heading.at("/decisions")).hasSize(2);
        assertThat(heading.at("/decisions/0/ns").asLong()).isEqualTo(-5);
        assertThat(heading.at("/decisions/1/file").asInt()).isEqualTo(3);
        assertThat(heading.at("/decisions/1/what").asText()).isEqualTo("pages");
    }

    @Test
    void shouldRecordWhatANativeProgramLeadsTo() throws Exception {
        assumeTrue(NativeProgram.isBuilt(), "built without a C compiler");
        try (NativeProgram program = NativeProgram.unpack(dir)) {
            expectDecisions(program);
        }
    }

    @Test
    void shouldRecordWhatAJvmLeadsTo() throws Exception {
        assumeTrue(NativeProgram.isBuilt(), "built without a C compiler");
        expectDecisions(new JavaProgram());
    }

    private void expectDecisions(DemoProgram program) throws Exception {
        String type = Files.getFileStore(dir).type();
        assumeTrue(
                List.of("ext4", "xfs", "btrfs").contains(type),
                "nothing is told of files on " + type);
        Path events = dir.resolve("e.mio");
        Map<String, String> settings =
                Map.of(
                        "files",
                        "x.dat [ trace/events={" + events + "} | pf/auto | trace ]",
                        "live",
                        "off");
        List<String> command = new ArrayList<>(program.command(settings, RECORD_BYTES));
        command.addAll(List.of("x.dat", "" + RECORD_BYTES, "300"));
        ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
        builder.environment().keySet().removeIf(key -> key.startsWith("MIO_"));
        program.prepare(settings, builder.environment());
        Process process =
                builder.redirectErrorStream(true)
                        .redirectOutput(dir.resolve("output").toFile())
                        .start();
        assertThat(process.waitFor()).isZero();

        try (EventReader reader = EventReader.open(events)) {
            assertThat(reader.losses().damagedRecords()).isZero();
            assertThat(reader.losses().unknownRecords()).isZero();
            EventDecision choice =
                    reader.decisions().stream()
                            .filter(one -> one.what().equals("no-pages"))
                            .findFirst()
                            .orElseThrow();
            // The first 64 are writes.
            assertThat(choice.reason())
                    .isEqualTo("only 0 of 64 requests were small and near each other");
            EventFile file = reader.files().get(choice.file());
            assertThat(file.path()).endsWith("x.dat");
            assertThat(file.above()).isEqualTo("program");
            assertThat(choice.process()).isEqualTo(process.pid());
            assertThat(choice.nanos()).isGreaterThan(file.openedNanos());
            // What comes of the reads depends on the kernel.
            assertThat(reader.decisions()).hasSizeGreaterThan(1);
        }
    }
}
