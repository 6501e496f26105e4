package io.mio.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs a {@code mio} command for tests of other packages. */
public final class MioCommand {
    private MioCommand() {}

    /** Returns what the command printed; fails if its status is not 0. */
    public static String run(String... words) {
        StringWriter said = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(said, true));
        command.setErr(new PrintWriter(said, true));
        int status = command.execute(words);
        if (status != 0) {
            throw new AssertionError(String.join(" ", words) + ": status " + status + "\n" + said);
        }
        return said.toString();
    }
}
