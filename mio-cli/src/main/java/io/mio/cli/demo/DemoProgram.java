package io.mio.cli.demo;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The program that a {@link DemoRun} runs, and how MIO gets below it. All programs take the same
 * arguments and print the same lines: those of {@link AlotBuf}.
 */
public interface DemoProgram extends AutoCloseable {
    /**
     * Returns the command, without the program's own arguments.
     *
     * @param settings settings of MIO, by their keys, for example {@code files}
     */
    List<String> command(Map<String, String> settings, int recordBytes);

    /**
     * Adds to the environment of the command.
     *
     * @param settings as for {@link #command}
     * @param environment without variables of MIO's
     */
    void prepare(Map<String, String> settings, Map<String, String> environment);

    /** Removes what was unpacked; no program may run any more. */
    @Override
    void close() throws IOException;
}
