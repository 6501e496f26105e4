package io.mio.cli.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A program of the system that ends soon. */
final class Command {
    private Command() {}

    /**
     * Runs a program.
     *
     * @return what it prints on standard output, without the last line end
     * @throws IOException if it does not exist or fails; the message is its own, in one line
     */
    static String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(command)).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        process.getOutputStream().close();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        if (status != 0) {
            String first = said.lines().findFirst().orElse("status " + status);
            throw new IOException(command[0] + ": " + first);
        }
        return said;
    }

    /**
     * Runs a program that undoes something. An interrupt becomes an {@link IOException}, as undoing
     * throws no other.
     */
    static void undo(String... command) throws IOException {
        try {
            run(command);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(command[0] + ": interrupted", e);
        }
    }
}
