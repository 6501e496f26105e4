package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "x ! Missing required option: '--config=RULE'",
                "--config none ! Missing required parameter: 'EVENTS'",
                "x --config trace ! has no cache, so that there is nothing to simulate",
                "x --config pf|pf ! --config, column 4: pf can be there only once",
                "x --config pf/cash=1m ! --config, column 4",
                "x --config none --device fast ! 'fast' is no figure of a device",
                "x --config none --device latency=1ms,bandwidth=1g --measure y ! exclude each"
                        + " other",
                "x --config none --json --csv ! --json and --csv exclude each other",
                "x --config none --json=yes ! it takes no value",
            })
    void shouldRefuseArgumentsThatMakeNoSense(String args, String message) {
        assertThat(run(("simulate " + args).split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message, "mio simulate --help");
        assertThat(out.toString()).isEmpty();
    }
}
