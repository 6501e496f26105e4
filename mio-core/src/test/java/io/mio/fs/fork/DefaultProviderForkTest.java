package io.mio.fs.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs in JVMs of their own, with and without the switch: same output, same exit status. */
class DefaultProviderForkTest {
    private static final String SWITCH =
            "-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider";
    private static final String PROGRAM = SwitchProgram.class.getName();

    @TempDir static Path temporary;

    /** This JDK, those in the same directory, and those that the property names. */
    static Stream<Path> jdks() throws IOException {
        Set<Path> jdks = new TreeSet<>();
        Path running = Path.of(System.getProperty("java.home")).toRealPath();
        jdks.add(running);
        List<Path> candidates = new ArrayList<>();
        String named = System.getProperty("mio.test.jdks");
        if (named != null) {
            for (String each : named.split(File.pathSeparator)) {
                candidates.add(Path.of(each));
            }
        } else {
            try (Stream<Path> beside = Files.list(running.getParent())) {
                beside.forEach(candidates::add);
            }
        }
        for (Path candidate : candidates) {
            if (Files.isExecutable(candidate.resolve("bin/java")) && release(candidate) >= 17) {
                jdks.add(candidate.toRealPath());
            }
        }
        if (jdks.size() == 1) {
            System.out.println(
                    "default-provider switch tested on "
                            + running
                            + " only: no other JDK beside it, none in -Dmio.test.jdks");
        }
        return jdks.stream();
    }

    /** The feature number in the file that every JDK carries; 0 if there is none. */
    private static int release(Path jdk) throws IOException {
        Path file = jdk.resolve("release");
        if (Files.isReadable(file)) {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("JAVA_VERSION=\"")) {
                    String[] numbers = line.substring(14).split("[.\"+-]");
                    return Integer.parseInt(numbers[0]);
                }
            }
        }
        return 0;
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldRunFromTheClassPath(Path jdk) throws Exception {
        String both = core() + File.pathSeparator + tests();
        assertSame(jdk, List.of("-cp", both, PROGRAM), List.of(SWITCH, "-cp", both, PROGRAM));
        String jars = coreJar() + File.pathSeparator + tests();
        assertSame(jdk, List.of("-cp", jars, PROGRAM), List.of(SWITCH, "-cp", jars, PROGRAM));
    }

    /** Every file has pages, both with the helper and without it. */
    @ParameterizedTest
    @MethodSource("jdks")
    void shouldRunWithACacheForEveryFile(Path jdk) throws Exception {
        String both = core() + File.pathSeparator + tests();
        String withJna = both + File.pathSeparator + classes(com.sun.jna.Native.class);
        List<String> plain = List.of("-cp", both, PROGRAM);
        for (String rule : List.of("* [ pf ]", "* [ trace | pf/direct | trace ]")) {
            for (String path : List.of(both, withJna)) {
                List<String> switched =
                        new ArrayList<>(List.of(SWITCH, "-Dmio.files=" + rule, "-cp", path));
                if (release(jdk) >= 22) {
                    switched.add("--enable-native-access=ALL-UNNAMED");
                }
                switched.add(PROGRAM);
                assertSame(jdk, plain, switched);
            }
        }
    }

    /** With every file cached, the tools write the same, byte for byte. */
    @ParameterizedTest
    @MethodSource("jdks")
    void shouldCompileAndPackWithACacheForEveryFile(Path jdk) throws Exception {
        assumeTrue(Files.isExecutable(jdk.resolve("bin/javac")), "no compiler: " + jdk);
        Path sources = Files.createTempDirectory(temporary, "sources");
        Path source =
                Files.writeString(
                        sources.resolve("Hello.java"),
                        "class Hello { int one() { return 1; } record R(int a) {} }");
        List<byte[]> classes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (List<String> options :
                List.of(
                        List.<String>of(),
                        List.of(
                                "-J-Xbootclasspath/a:" + coreJar(),
                                "-J" + SWITCH,
                                "-J-Dmio.files=* [ pf/cache=1m/page=16k ]"))) {
            Path out = Files.createTempDirectory(temporary, "classes");
            tool(jdk, "javac", options, "-d", out.toString(), source.toString());
            classes.add(Files.readAllBytes(out.resolve("Hello$R.class")));
            String jar = out.resolve("hello.jar").toString();
            tool(jdk, "jar", options, "cf", jar, "-C", out.toString(), "Hello.class");
            names.add(tool(jdk, "jar", List.of(), "tf", jar));
        }
        assertThat(classes.get(1)).isEqualTo(classes.get(0));
        assertThat(names.get(1)).isEqualTo(names.get(0)).contains("Hello.class");
    }

    /** Runs a tool of the JDK, which must succeed; returns what it printed. */
    private static String tool(Path jdk, String name, List<String> options, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin").resolve(name).toString());
        command.addAll(options);
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(temporary, "tool", ".out");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("still running: " + command);
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
        return text;
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldRunAnApplicationsJarFromTheBootClassPath(Path jdk) throws Exception {
        String jar = programJar();
        assertSame(
                jdk,
                List.of("-jar", jar),
                List.of("-Xbootclasspath/a:" + coreJar(), SWITCH, "-jar", jar));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldRunAnApplicationsJarWithTheAgent(Path jdk) throws Exception {
        String jar = programJar();
        assertSame(
                jdk, List.of("-jar", jar), List.of("-javaagent:" + coreJar(), SWITCH, "-jar", jar));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldRunFromTheModulePath(Path jdk) throws Exception {
        String jar = programJar();
        assertSame(
                jdk,
                List.of("-jar", jar),
                List.of("-p", coreJar(), "--add-modules", "io.mio", SWITCH, "-jar", jar));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldBeSwitchedOnByAVariable(Path jdk) throws Exception {
        String jar = programJar();
        Run plain = run(jdk, Map.of(), List.of("-jar", jar));
        for (String way : List.of("-Xbootclasspath/a:", "-javaagent:")) {
            Map<String, String> variable =
                    Map.of("JAVA_TOOL_OPTIONS", way + coreJar() + " " + SWITCH);
            Run ours = run(jdk, variable, List.of("-jar", jar));
            assertThat(ours.errors()).startsWith("Picked up JAVA_TOOL_OPTIONS");
            assertThat(ours.errors().lines()).hasSize(plain.errors().lines().toList().size() + 1);
            assertThat(ours.output()).isEqualTo(plain.output());
            assertThat(ours.status()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldBeSwitchedOffByAProperty(Path jdk) throws Exception {
        String both = core() + File.pathSeparator + tests();
        String program = LimitsProgram.class.getName();
        Run plain = run(jdk, Map.of(), List.of("-cp", both, program));
        Run off = run(jdk, Map.of(), List.of(SWITCH, "-Dmio.enabled=false", "-cp", both, program));
        assertThat(off).isEqualTo(plain);
        assertThat(plain.output()).doesNotContain("throws");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldHaveTheLimitsThatAreDocumented(Path jdk) throws Exception {
        String both = core() + File.pathSeparator + tests();
        Run ours = run(jdk, Map.of(), List.of(SWITCH, "-cp", both, LimitsProgram.class.getName()));
        int release = release(jdk);
        assumeTrue(release == 17 || release == 25, "the limits are written down for 17 and 25");
        assertThat(ours.output())
                .isEqualTo(
                        release == 17
                                ? """
                                probeContentType: throws java.lang.ExceptionInInitializerError
                                UnixDomainSocketAddress.of: throws java.lang.IllegalArgumentException
                                ServerSocketChannel.bind(null): throws java.lang.ExceptionInInitializerError
                                """
                                : """
                                probeContentType: text/plain
                                UnixDomainSocketAddress.of: throws java.lang.IllegalArgumentException
                                ServerSocketChannel.bind(null): throws java.lang.UnsupportedOperationException
                                """);
    }

    private static void assertSame(Path jdk, List<String> plain, List<String> switched)
            throws Exception {
        Run expected = run(jdk, Map.of(), plain);
        Run actual = run(jdk, Map.of(), switched);
        assertThat(actual).isEqualTo(expected);
        assertThat(actual.status()).isZero();
        assertThat(actual.output()).contains("security: ").doesNotContain("throws");
    }

    /** What a program left: its exit status and texts, without the name of its directory. */
    private record Run(int status, String output, String errors) {}

    private static Run run(Path jdk, Map<String, String> variables, List<String> arguments)
            throws Exception {
        Path directory = Files.createTempDirectory(temporary, "run").toRealPath();
        Path output = directory.resolveSibling(directory.getFileName() + ".out");
        Path errors = directory.resolveSibling(directory.getFileName() + ".err");
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin/java").toString());
        command.addAll(arguments);
        command.add(directory.toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(variables);
        Process process =
                builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("still running: " + command);
        }
        String name = directory.toString();
        return new Run(
                process.exitValue(),
                Files.readString(output).replace(name, "<dir>"),
                Files.readString(errors).replace(name, "<dir>"));
    }

    private static String core() throws URISyntaxException {
        return classes(io.mio.fs.DefaultMioProvider.class);
    }

    private static String tests() throws URISyntaxException {
        return classes(SwitchProgram.class);
    }

    private static String classes(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    private static String coreJar() throws Exception {
        Manifest manifest = manifest();
        manifest.getMainAttributes().putValue("Premain-Class", "io.mio.fs.MioAgent");
        return jar("mio-core.jar", manifest, Path.of(core()), "");
    }

    private static String programJar() throws Exception {
        Manifest manifest = manifest();
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, PROGRAM);
        return jar("program.jar", manifest, Path.of(tests()), "io/mio/fs/fork/SwitchProgram");
    }

    private static Manifest manifest() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        return manifest;
    }

    /** Packs the files below {@code root} whose names begin with {@code prefix}, once. */
    private static String jar(String name, Manifest manifest, Path root, String prefix)
            throws IOException {
        Path jar = temporary.resolve(name);
        if (Files.exists(jar)) {
            return jar.toString();
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                String entry = root.relativize(file).toString();
                if (entry.startsWith(prefix) && !entry.startsWith("META-INF/MANIFEST")) {
                    entries.putNextEntry(new JarEntry(entry));
                    Files.copy(file, entries);
                    entries.closeEntry();
                }
            }
        }
        return jar.toString();
    }
}
