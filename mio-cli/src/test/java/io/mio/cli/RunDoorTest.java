package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How MIO gets below a program: the provider, the preload library, or a line that says why not. */
class RunDoorTest {
    /** Prints what it was given, and reads one file by NIO and one by java.io. */
    private static final String PROGRAM =
            """
            import java.nio.file.*;
            public class Probe {
                public static void main(String[] args) throws Exception {
                    System.out.println(String.join(",", args) + " "
                            + FileSystems.getDefault().getClass().getSimpleName()
                            + " " + System.getProperty("mine"));
                    Files.readString(Path.of("nio.dat"));
                    new java.io.FileInputStream("io.dat").read();
                }
            }
            """;

    @TempDir Path parent;

    private RunFixture mio;

    @BeforeEach
    void makeFixture() throws IOException {
        assumeTrue(RunFixture.library() != null, "no preload library: built without a C compiler");
        mio = RunFixture.in(parent);
        Files.writeString(mio.dir().resolve("nio.dat"), "nio");
        Files.writeString(mio.dir().resolve("io.dat"), "io");
        Files.writeString(mio.dir().resolve("Probe.java"), PROGRAM);
    }

    private void compile() {
        assertThat(
                        mio.script(
                                        "javac Probe.java && jar cfe probe.jar Probe Probe.class &&"
                                                + " rm Probe.java Probe.class")
                                .status())
                .isZero();
    }

    private static String java() {
        return RunFixture.javaBin().resolve("java").toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "path", "link"})
    void shouldGiveJavaTheProviderInItsArguments(String how) throws IOException {
        compile();
        String java = how.equals("java") ? "java" : java();
        if (how.equals("link")) {
            java = Files.createSymbolicLink(mio.dir().resolve("jvm"), Path.of(java)).toString();
        }

        RunFixture.Result result =
                mio.run("--match", "*.dat", java, "-Dmine=1", "-jar", "probe.jar", "a b", "*");

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("a b,* MioFileSystem 1\n");
        assertThat(mio.report())
                .contains("nio.dat")
                .doesNotContain(": io.dat :")
                .contains(": nio.dat :");
    }

    /** The program's own class archive does not fit, which the JVM would report on the output. */
    @Test
    void shouldAddNothingToTheOutputOfAProgramWithAnArchive() throws IOException {
        compile();
        mio.script("java -XX:ArchiveClassesAtExit=own.jsa -jar probe.jar");
        assertThat(mio.dir().resolve("own.jsa")).exists();

        RunFixture.Result result =
                mio.run("java", "-XX:SharedArchiveFile=own.jsa", "-jar", "probe.jar", "a");

        assertThat(result.status()).isZero();
        assertThat(result.out().lines()).containsExactly("a MioFileSystem null");
    }

    @Test
    void shouldServeASingleFileOfSourceAndTheToolsOfTheJdk() throws IOException {
        assertThat(mio.run("--match", "*.dat", "java", "Probe.java", "x").out())
                .isEqualTo("x MioFileSystem null\n");
        assertThat(mio.report()).contains(": nio.dat :");

        RunFixture.Result result = mio.run("--match", "*.class", "javac", "Probe.java");
        assertThat(result.status()).isZero();
        assertThat(result.err()).startsWith("Picked up JAVA_TOOL_OPTIONS:");
        assertThat(mio.report()).contains("Probe.class");
    }

    @Test
    void shouldUseTheCacheWithTheNativeHelper() throws IOException {
        compile();

        assertThat(mio.run("--pf", "--match", "*.dat", "java", "-jar", "probe.jar").err())
                .isEmpty();
        assertThat(mio.report()).contains("pf close for nio.dat").doesNotContain("with threads");
    }

    @Test
    void shouldKeepTheReportsOfAllJvmsOfAScriptInTheFileThatWasNamed() throws IOException {
        compile();
        mio.program("twice", "#!/bin/sh", "java -jar probe.jar", "java -jar probe.jar");
        Path report = mio.dir().resolve("two.stats");
        Files.writeString(report, "of an earlier run");

        mio.run("--match", "*.dat", "--stats", "two.stats", "./twice");

        assertThat(Files.readString(report))
                .doesNotContain("of an earlier run")
                .containsPattern("(?s)(Program=.*Trace close.*){2}");
    }

    @Test
    void shouldReachTheJvmOfAWrapperScript() throws IOException {
        compile();
        mio.program("tool", "#!/bin/sh", "exec java -jar probe.jar \"$@\"");
        mio.with("JAVA_TOOL_OPTIONS", "-Dmine=2");

        RunFixture.Result result = mio.run("--match", "*.dat", "./tool", "a b");

        assertThat(result.out()).isEqualTo("a b MioFileSystem 2\n");
        assertThat(result.err())
                .hasLineCount(1)
                .startsWith("Picked up JAVA_TOOL_OPTIONS: -Dmine=2 ");
        assertThat(mio.report()).contains("Program=probe.jar", ": nio.dat :");
    }

    @Test
    void shouldGiveOtherProgramsThePreloadLibrary() throws IOException {
        mio.program("tool", "#!/usr/bin/env sh", "cat nio.dat");

        for (String program : List.of("cat", "./tool")) {
            RunFixture.Result result = mio.run("--match", "*.dat", program, "nio.dat");
            assertThat(result.out()).isEqualTo("nio");
            assertThat(result.err()).isEmpty();
            assertThat(mio.report()).contains("Program=cat", ": nio.dat :");
        }
    }

    @Test
    void shouldPutTheLibraryInFrontOfOthers() throws IOException {
        Path other = otherLibrary();
        mio.with("LD_PRELOAD", other.toString());
        String library = mio.home().resolve("lib").resolve(RunFixture.PRELOAD).toString();
        String print = "printf %s \"$LD_PRELOAD\"";

        assertThat(mio.run("sh", "-c", print).out()).isEqualTo(library + ":" + other);
        // A run within a run does not add the library twice.
        assertThat(mio.run(mio.mio().toString(), "run", "sh", "-c", print).out())
                .isEqualTo(library + ":" + other);
    }

    private static Path otherLibrary() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("/libm.so") || line.contains("/libz.so"))
                .map(line -> Path.of(line.substring(line.indexOf('/'))))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "native, UnixPath, true, true",
        "jvm, MioFileSystem, true, false",
        "both, MioFileSystem, true, true",
        "none, UnixPath, false, false"
    })
    void shouldTakeTheDoorThatIsAskedFor(String door, String system, boolean nio, boolean io)
            throws IOException {
        compile();

        RunFixture.Result result =
                mio.run("--door", door, "--match", "*.dat", "java", "-jar", "probe.jar");

        assertThat(result.err()).isEmpty();
        assertThat(result.out().contains("MioFileSystem")).isEqualTo(system.startsWith("Mio"));
        assertThat(reports().contains(": nio.dat :")).isEqualTo(nio);
        assertThat(reports().contains(": io.dat :")).isEqualTo(io);
    }

    /**
     * A {@code RandomAccessFile} has pages in the preload library, and the channel has layers in
     * the JVM. What the helper did for the channel once went past those pages: the channel read 0
     * bytes of what had been written, and the file did not see what the channel wrote. Another file
     * is used first, so that the helper is there.
     */
    @ParameterizedTest
    @ValueSource(strings = {"pf", "pf/direct", "pf/through", "auto"})
    void shouldHaveBothDoorsAgreeOnAFile(String layers) throws IOException {
        Files.writeString(
                mio.dir().resolve("Agree.java"),
                """
                import java.io.RandomAccessFile;
                import java.nio.*;
                import java.nio.channels.FileChannel;
                import java.nio.file.*;
                import static java.nio.file.StandardOpenOption.*;
                public class Agree {
                    public static void main(String[] args) throws Exception {
                        FileChannel.open(Path.of("nio.dat"), READ, WRITE);
                        RandomAccessFile file = new RandomAccessFile("io.dat", "rw");
                        FileChannel channel = FileChannel.open(Path.of("io.dat"), READ, WRITE);
                        file.write("by java.io".getBytes());
                        ByteBuffer read = ByteBuffer.allocate(20);
                        channel.read(read, 0);
                        System.out.println(channel.size() + " " + new String(read.array()).trim());
                        channel.write(ByteBuffer.wrap("12".getBytes()), 0);
                        channel.truncate(8);
                        file.seek(0);
                        System.out.println(file.length() + " " + file.readLine());
                    }
                }
                """);
        mio.script("javac Agree.java");

        RunFixture.Result result =
                mio.run("--door", "both", "--files", "*.dat [ " + layers + " ]", "java", "Agree");

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines()).containsExactly("10 by java.io", "8 12 java.");
    }

    private String reports() throws IOException {
        StringBuilder all = new StringBuilder();
        try (var files = Files.newDirectoryStream(mio.dir(), "*.stats")) {
            for (Path file : files) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Test
    void shouldWorkFromADirectoryThatTheLoaderCannotTake() throws IOException {
        compile();
        Path odd = parent.toRealPath().resolve("a dir:with $all 'of' \"it\"");
        Files.move(mio.home(), odd);
        Path link = Files.createSymbolicLink(mio.dir().resolve("m"), odd.resolve("bin/mio"));
        mio.program("tool", "#!/bin/sh", "exec java -jar probe.jar");

        for (String words : List.of("cat nio.dat", "java -jar probe.jar", "./tool")) {
            RunFixture.Result result = mio.script(link + " run --match '*.dat' " + words);
            assertThat(result.status()).as(words).isZero();
            assertThat(mio.report()).as(words).contains(": nio.dat :");
        }
    }

    @Test
    void shouldSayThatTheLibraryIsNotThere() throws IOException {
        Files.delete(mio.home().resolve("lib").resolve(RunFixture.PRELOAD));

        RunFixture.Result result = mio.run("true");

        assertThat(result.status()).isEqualTo(125);
        assertThat(result.err()).contains("no libmio_preload.so in", "C compiler", "--door jvm");
        assertThat(mio.run("--door", "none", "true").status()).isZero();
    }

    /** A program's head with some bytes changed; what cannot run is examined all the same. */
    @ParameterizedTest
    @CsvSource({
        "none, ''",
        "machine, is for another kind of machine than MIO's library",
        "class, is for another kind of machine than MIO's library",
        "static, is statically linked",
        "musl, 'uses the C library musl, and MIO''s library glibc'",
        "go, 'is a Go program, which does not use the C library'"
    })
    void shouldSayWhichProgramsCannotBeServed(String change, String reason) throws IOException {
        Path program = mio.program("changed");
        Files.write(program, changed(Files.readAllBytes(Path.of("/bin/true")), change));

        RunFixture.Result result = mio.run("--print-env", "./changed");

        assertThat(result.status()).isZero();
        if (reason.isEmpty()) {
            assertThat(result.err()).isEmpty();
            assertThat(result.out()).contains("LD_PRELOAD=");
        } else {
            assertThat(result.err())
                    .isEqualTo("mio run: ./changed " + reason + "; it runs without MIO\n");
            assertThat(result.out()).isEmpty();
        }
    }

    private static byte[] changed(byte[] bytes, String change) {
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        assumeTrue(bytes[4] == 2 && bytes[5] == 1, "written for 64 bits, least significant first");
        int entry = (int) file.getLong(32);
        while (file.getInt(entry) != 3) {
            entry += file.getShort(54);
        }
        int name = (int) file.getLong(entry + 8);
        switch (change) {
            case "machine" -> file.putShort(18, (short) 243);
            case "class" -> bytes[4] = 1;
            case "static" -> file.putInt(entry, 0);
            case "musl" ->
                    file.put(name, "/lib/ld-musl-any.so.1\0".getBytes(StandardCharsets.US_ASCII));
            case "go" ->
                    file.put(
                            name + 64,
                            new byte[] {4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 'G', 'o', 0, 0});
            default -> assertThat(change).isEqualTo("none");
        }
        return bytes;
    }

    @Test
    void shouldRunAStaticProgramAndAScriptOfIt() throws IOException {
        Path program = Path.of("/sbin/ldconfig");
        assumeTrue(Files.isExecutable(program), "no statically linked program known");
        mio.program("script", "#!" + program + " -p");

        RunFixture.Result result = mio.run(program.toString(), "-p");
        RunFixture.Result script = mio.run("./script");

        assertThat(result.status()).isZero();
        assertThat(result.out()).contains("libc.so");
        assertThat(result.err())
                .isEqualTo("mio run: " + program + " is statically linked; it runs without MIO\n");
        assertThat(script.err())
                .startsWith(
                        "mio run: ./script is a script for /sbin/ldconfig, which is statically"
                                + " linked; it runs without MIO\n");
    }

    @Test
    void shouldRunAProgramWithRightsOfOthers() throws IOException {
        assumeTrue(RunFixture.isRoot(), "only root can make a program of another user");
        Path program = mio.dir().resolve("environment");
        Files.copy(Path.of("/usr/bin/env"), program);
        Files.setAttribute(program, "unix:uid", 65534);
        Files.setAttribute(program, "unix:mode", 04755);

        RunFixture.Result result = mio.run("./environment");

        assertThat(result.status()).isZero();
        assertThat(result.out()).contains("PATH=").doesNotContain("LD_PRELOAD");
        assertThat(result.err())
                .isEqualTo(
                        "mio run: ./environment runs with rights of others (set-user-id,"
                                + " set-group-id or file capabilities); it runs without MIO\n");
        // A set-user-id program of root gives root no rights of others.
        Files.setAttribute(program, "unix:uid", 0);
        Files.setAttribute(program, "unix:mode", 04755);
        assertThat(mio.run("./environment").out()).contains("LD_PRELOAD");
    }

    @Test
    void shouldGiveAnOldJavaThePreloadLibrary() throws IOException {
        Path old = Files.createDirectories(mio.dir().resolve("old/bin"));
        Files.copy(Path.of("/bin/sh").toRealPath(), old.resolve("java"));
        Files.setPosixFilePermissions(
                old.resolve("java"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(mio.dir().resolve("old/release"), "JAVA_VERSION=\"1.8.0_402\"\n");

        assertThat(mio.run("--print-env", "old/bin/java").out())
                .contains("LD_PRELOAD")
                .doesNotContain("JAVA_TOOL_OPTIONS");
        assertThat(mio.run("--door", "jvm", "old/bin/java", "-c", "echo $MIO_FILES").err())
                .contains("is Java 1, and the provider needs 17 or later");
    }
}
