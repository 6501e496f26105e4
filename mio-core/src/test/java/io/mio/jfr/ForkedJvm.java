package io.mio.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mio.Mio;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, of the kind that runs the test, and jcmd's access to it. */
public final class ForkedJvm {
    private final Process process;
    private final BufferedReader out;

    /**
     * Starts a program.
     *
     * @param directory the directory in which it runs
     * @param options options of the JVM; the class path has the library and the tests
     * @param main the program's class
     */
    public ForkedJvm(Path directory, List<String> options, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(tool("java"));
        command.add("-cp");
        command.add(pathOf(Mio.class) + File.pathSeparator + pathOf(main));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        this.process = start(directory, command);
        this.out = process.inputReader(UTF_8);
    }

    private static Process start(Path directory, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectError(directory.resolve("stderr.txt").toFile());
        // A JVM writes a line to stderr when this variable is set.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process started = builder.start();
        started.onExit()
                .orTimeout(120, TimeUnit.SECONDS)
                .exceptionally(late -> started.destroyForcibly());
        return started;
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** Returns the next line that the program prints; null at the end of its output. */
    public String line() throws IOException {
        return out.readLine();
    }

    /** Sends the program a line. */
    public void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits for the end of the program and returns its exit status. */
    public int end() throws InterruptedException {
        return process.waitFor();
    }

    /** Sends the program a diagnostic command and returns the answer. */
    public String jcmd(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(tool("jcmd"));
        command.add(Long.toString(process.pid()));
        command.addAll(List.of(arguments));
        Process jcmd = start(directory, command);
        String answer = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd " + arguments[0] + ": " + answer);
        }
        return answer;
    }

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }
}
