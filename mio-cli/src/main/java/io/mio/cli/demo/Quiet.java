package io.mio.cli.demo;

import java.io.IOException;
import java.util.List;

/** Runs small helper programs and drops what they print. */
final class Quiet {
    private Quiet() {}

    /**
     * Runs a command to its end; what it prints is dropped.
     *
     * @return its exit status
     * @throws IOException if there is no such program
     */
    static int run(List<String> command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        return process.waitFor();
    }
}
