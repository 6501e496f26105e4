package io.mio.fs.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs whose files have pages: how they end, and how they work under limits. */
class PagesForkTest {
    private static final String SWITCH =
            "-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider";
    private static final String BUFFERED = "file [ pf/cache=2m/page=64k ]";
    private static final String DIRECT = "file [ trace | pf/cache=2m/page=64k/direct | trace ]";
    private static final String NO_HELPER = "-Dmio.native.path=/nowhere";

    /** Room for the stacks of some forty threads, see {@link #withFewThreads}. */
    private static final String FEW_THREADS = "ulimit -v 6000000; ";

    @TempDir static Path temporary;
    @TempDir Path directory;

    private Process start(String shell, List<String> options, String how) throws IOException {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.add("-XX:-UsePerfData");
        java.add("-cp");
        java.add(classPath());
        if (Runtime.version().feature() >= 22) {
            java.add("--enable-native-access=ALL-UNNAMED");
        }
        java.addAll(options);
        java.add(PagesProgram.class.getName());
        java.add(how);
        java.add(directory.toString());
        List<String> command = new ArrayList<>(List.of("bash", "-c", shell + "exec \"$@\"", "x"));
        command.addAll(java);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.onExit()
                .orTimeout(120, TimeUnit.SECONDS)
                .exceptionally(late -> process.destroyForcibly());
        return process;
    }

    /** MIO's classes in a jar, so that loading one takes no descriptor. */
    private static String classPath() throws IOException {
        Path jar = temporary.resolve("mio-core.jar");
        String all = System.getProperty("java.class.path");
        try {
            var source = io.mio.Mio.class.getProtectionDomain().getCodeSource().getLocation();
            Path classes = Path.of(source.toURI());
            if (!Files.exists(jar) && Files.isDirectory(classes)) {
                ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(System.out, System.err, "cf", jar.toString(), "-C", "" + classes, ".");
            }
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
        return jar + File.pathSeparator + all;
    }

    private Process start(String rule, String how) throws IOException {
        return start("", List.of(SWITCH, "-Dmio.files=" + rule), how);
    }

    /** Returns what the program printed, and checks that it ended well. */
    private String run(String shell, List<String> options, String how) throws Exception {
        Process process = start(shell, options, how);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private byte[] file() throws IOException {
        return Files.readAllBytes(directory.resolve("file"));
    }

    @ParameterizedTest
    @CsvSource({"return, 0", "exit, 3"})
    void shouldWriteAtExitWhatWasNeverClosed(String how, int status) throws Exception {
        for (String rule : List.of(BUFFERED, DIRECT)) {
            Files.deleteIfExists(directory.resolve("file"));
            assertThat(start(rule, how).waitFor()).isEqualTo(status);
            assertThat(file()).isEqualTo(PagesProgram.contents());
        }
    }

    private static List<String> withFewThreads(String rule, String helper) {
        return List.of(
                SWITCH, helper, "-Xmx64m", "-XX:+UseSerialGC", "-Xss128m", "-Dmio.files=" + rule);
    }

    @ParameterizedTest
    @CsvSource({"threadless, 0", "threadless-exit, 3"})
    void shouldWriteAtExitWhereNoThreadCanBegin(String how, int status) throws Exception {
        byte[] written = Arrays.copyOf(PagesProgram.contents(), PagesProgram.THREADLESS_BYTES);
        for (String rule : List.of(BUFFERED, "file [ pf/cache=2m/page=1m ]")) {
            Files.deleteIfExists(directory.resolve("file"));
            // The helper's library has a hook, too. If that one is started first, and fails, the
            // JVM starts no other.
            Process process = start(FEW_THREADS, withFewThreads(rule, NO_HELPER), how);
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isEqualTo(status);
            assertThat(file()).as(rule).isEqualTo(written);
        }
    }

    /** One of the program's requests waits in each thread; further ones find none. */
    @ParameterizedTest
    @ValueSource(strings = {BUFFERED, DIRECT})
    void shouldDoAsynchronousRequestsWithFewThreads(String rule) throws Exception {
        run(FEW_THREADS, withFewThreads(rule, "-Dmio.native.path="), "asynchronous");
        assertThat(file()).isEqualTo(PagesProgram.contents());
    }

    @ParameterizedTest
    @ValueSource(strings = {BUFFERED, DIRECT})
    void shouldLoseOfAKilledProgramOnlyWhatWasNotForced(String rule) throws Exception {
        Process process = start(rule, "wait");
        assertThat(line(process)).isEqualTo("written");
        process.destroyForcibly().waitFor();
        int half = PagesProgram.BYTES / 2;
        byte[] expected = PagesProgram.contents();
        byte[] found = file();
        assertThat(Arrays.copyOf(found, half)).isEqualTo(Arrays.copyOf(expected, half));
        // What was not forced is there, or a hole, or missing at the end, but never anything else.
        for (int i = half; i < found.length; i++) {
            assertThat(found[i] == expected[i] || found[i] == 0).as("byte %d", i).isTrue();
        }
    }

    private static String line(Process process) throws IOException {
        BufferedReader output = process.inputReader();
        return output.readLine();
    }

    @Test
    void shouldWriteWhatAForgottenChannelLeft() throws Exception {
        for (String rule : List.of(BUFFERED, DIRECT)) {
            Files.deleteIfExists(directory.resolve("file"));
            List<String> options = List.of(SWITCH, "-Dmio.files=" + rule);
            assertThat(run("", options, "forget")).isEqualTo("there\n");
        }
    }

    @Test
    void shouldLeaveTheProgramsPropertiesAsTheyWere() throws Exception {
        List<String> options = List.of(SWITCH, "-Dmio.files=" + BUFFERED);
        assertThat(run("", options, "properties")).isEqualTo("[]\n");
    }

    @Test
    void shouldKeepTheProgramsLockWhateverPagesDo() throws Exception {
        for (String rule : List.of(BUFFERED, DIRECT)) {
            Process process = start(rule, "lock");
            assertThat(line(process)).isEqualTo("locked true");
            try (FileChannel channel =
                    FileChannel.open(directory.resolve("file"), StandardOpenOption.WRITE)) {
                assertThat(channel.tryLock(50, 1, false)).isNull();
                try (FileLock behind = channel.tryLock(100, 1, false)) {
                    assertThat(behind).isNotNull();
                }
                process.getOutputStream().close();
                assertThat(process.waitFor()).isZero();
                assertThat(channel.tryLock(50, 1, false)).isNotNull();
                channel.write(ByteBuffer.allocate(1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ulimit -l 64; ", "ulimit -l 0; ", "ulimit -f 300; "})
    void shouldDoUnderALimitWhatAProgramWithoutMioDoes(String limit) throws Exception {
        String plain = run(limit, List.of(), "limits");
        for (String rule : List.of(BUFFERED, DIRECT)) {
            for (String way : List.of("-Dmio.backend=uring", "-Dmio.backend=threads", NO_HELPER)) {
                Files.delete(directory.resolve("file"));
                List<String> options = List.of(SWITCH, way, "-Dmio.files=" + rule);
                assertThat(run(limit, options, "limits")).as(rule + way).isEqualTo(plain);
            }
        }
        assertThat(plain).contains(limit.contains("-f") ? "File too large" : "all");
    }

    @Test
    void shouldOpenFilesUntilNoDescriptorIsLeftAndLoseNothing() throws Exception {
        String limit = "ulimit -n 64; ";
        String plain = run(limit, List.of(), "many");
        assertThat(plain).contains("true\n5000");
        for (String way : List.of("-Dmio.backend=uring", "-Dmio.backend=threads", NO_HELPER)) {
            List<String> options =
                    List.of(SWITCH, way, "-Dmio.files=" + DIRECT.replace("file", "*"));
            assertThat(run(limit, options, "many")).as(way).isEqualTo(plain);
        }
    }

    @Test
    void shouldReportThatNothingTunesItselfWithoutTheHelper() throws Exception {
        Path stats = directory.resolve("stats");
        List<String> options =
                List.of(SWITCH, NO_HELPER, "-Dmio.files=file [ auto ]", "-Dmio.stats=" + stats);
        run("", options, "return");
        assertThat(Files.readString(stats))
                .containsOnlyOnce("auto exit for ")
                .contains("0 requests looked at : now kernel\n")
                .containsPattern(
                        " kernel +MIO's helper library is not there: no file /nowhere; see"
                                + " mio.native.path\n");
    }

    /** A message about a file that took the last descriptor waits until there is another one. */
    @Test
    void shouldReportLaterWhatFindsNoDescriptor() throws Exception {
        Path stats = directory.resolve("stats");
        List<String> options =
                List.of(
                        SWITCH,
                        "-Dmio.files=file [ trace/stats ]",
                        "-Dmio.debug=OPEN",
                        "-Dmio.stats=" + stats);
        assertThat(run("ulimit -n 64; exec 2>&1; ", options, "last")).isEmpty();
        String report = Files.readString(stats);
        assertThat(report)
                .startsWith("MIO statistics file")
                .containsOnlyOnce("MIO statistics file")
                .matches("(?s)(.*\nOpening file .*\nTrace close : ){2}.*");
    }

    /** 56 files of one MiB each are open at once. */
    @Test
    void shouldKeepMemoryWithinTheCache() throws Exception {
        assumeTrue(new File("/proc/self/status").exists(), "no /proc");
        List<String> options =
                List.of(
                        SWITCH,
                        "-Xmx32m",
                        "-Xms32m",
                        "-XX:+AlwaysPreTouch",
                        "-Dmio.files=m* [ pf/cache=8m/page=64k ]");
        // The program may have as much of the JVM's own buffers as it needs beside the cache.
        List<String> helped = new ArrayList<>(options);
        helped.add("-XX:MaxDirectMemorySize=4m");
        List<String> without = new ArrayList<>(options);
        without.add("-XX:MaxDirectMemorySize=12m");
        without.add(NO_HELPER);
        for (List<String> each : List.of(helped, without)) {
            int kilobytes = Integer.parseInt(run("", each, "memory").strip());
            // The limit is the cache and 32 MiB beside it; 56 MiB were written in all.
            assertThat(kilobytes).as("KiB resident").isLessThan(40 << 10);
        }
    }
}
