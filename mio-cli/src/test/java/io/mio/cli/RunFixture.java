package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.Mio;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/**
 * Lays out in a directory the parts of the distribution that {@code mio run} needs, from the
 * sources and from what was built so far, and runs the real script. The preload library is missing
 * where there is no C compiler.
 */
final class RunFixture {
    static final String PRELOAD = "libmio_preload.so";

    private static final long LIMIT_SECONDS = 300;
    private static final Path SOURCES = Path.of("src/main/dist").toAbsolutePath();
    private static final Path NATIVES = Path.of("../mio-native/target/natives").toAbsolutePath();

    /** The variables with which a program is run, besides PATH. */
    private final Map<String, String> environment = new HashMap<>();

    private final Path home;
    private final Path dir;
    private List<String> shell = List.of();

    private RunFixture(Path home, Path dir) {
        this.home = home;
        this.dir = dir;
    }

    /** The result of a run. */
    record Result(int status, String out, String err) {}

    /**
     * Lays the distribution out.
     *
     * @param home the directory for it, which must not exist yet
     * @param dir the directory in which programs run
     */
    static RunFixture make(Path home, Path dir) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Path lib = Files.createDirectories(home.resolve("lib"));
        Path launcher = Files.copy(SOURCES.resolve("bin/mio"), home.resolve("bin/mio"));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> parts = Files.list(SOURCES.resolve("lib"))) {
            for (Path part : parts.toList()) {
                Files.copy(part, lib.resolve(part.getFileName()));
            }
        }
        Files.writeString(
                lib.resolve("run.help"),
                Main.commandLine().getSubcommands().get("run").getUsageMessage(Ansi.OFF));
        pack(Mio.class, lib.resolve("mio-core.jar"));
        packNamed("com.sun.jna.Native", lib.resolve("jna.jar"));
        Path built = library();
        if (built != null) {
            Files.copy(built, lib.resolve(PRELOAD));
        }
        return new RunFixture(home, dir);
    }

    /** The preload library for this machine, or null if there is none. */
    static Path library() {
        String cpu = System.getProperty("os.arch");
        Path file = NATIVES.resolve("linux-" + (cpu.equals("amd64") ? "x86-64" : cpu));
        return Files.exists(file.resolve(PRELOAD)) ? file.resolve(PRELOAD) : null;
    }

    private static void packNamed(String type, Path jar) throws IOException {
        try {
            pack(Class.forName(type), jar);
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    /** Packs a module into a jar: in a build up to the tests it is a directory of classes. */
    private static void pack(Class<?> type, Path jar) throws IOException {
        Path from;
        try {
            from = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
        if (!Files.isDirectory(from)) {
            Files.copy(from, jar);
            return;
        }
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        int status =
                tool.run(System.out, System.err, "-cf", jar.toString(), "-C", from.toString(), ".");
        assertThat(status).isZero();
    }

    /** Has the script run by this shell instead of {@code /bin/sh}. */
    RunFixture by(String... words) {
        shell = List.of(words);
        return this;
    }

    RunFixture with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Path home() {
        return home;
    }

    Path dir() {
        return dir;
    }

    Path mio() {
        return home.resolve("bin/mio");
    }

    /** Runs {@code mio run WORDS}. */
    Result run(String... words) {
        return run(List.of(words));
    }

    Result run(List<String> words) {
        return call(command(words), null);
    }

    List<String> command(List<String> words) {
        List<String> command = new ArrayList<>(shell);
        command.add(mio().toString());
        command.add("run");
        command.addAll(words);
        return command;
    }

    /** Runs a script of {@code sh}, in which {@code $MIO} is the launcher. */
    Result script(String text) {
        return call(List.of("sh", "-c", text), null);
    }

    ProcessBuilder prepare(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
        Map<String, String> all = builder.environment();
        all.keySet()
                .removeIf(
                        name ->
                                name.startsWith("MIO_")
                                        || name.startsWith("JAVA_")
                                        || name.startsWith("JDK_")
                                        || name.equals("LD_PRELOAD"));
        all.put("XDG_CACHE_HOME", dir.resolveSibling("cache").toString());
        all.put("LC_ALL", "C.UTF-8");
        all.put("MIO", mio().toString());
        all.put("PATH", javaBin() + ":" + all.get("PATH"));
        all.putAll(environment);
        return builder;
    }

    static Path javaBin() {
        return Path.of(System.getProperty("java.home"), "bin");
    }

    /** Runs a command to its end; without {@code input} its input is empty. */
    Result call(List<String> command, byte[] input) {
        try {
            Path out = Files.createTempFile(dir.resolveSibling("output"), "out", null);
            Path err = Files.createTempFile(dir.resolveSibling("output"), "err", null);
            Path in = Files.createTempFile(dir.resolveSibling("output"), "in", null);
            Files.write(in, input == null ? new byte[0] : input);
            Process process =
                    prepare(command)
                            .redirectInput(in.toFile())
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile())
                            .start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running: " + command);
            }
            return new Result(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.ISO_8859_1),
                    Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes an executable script in the directory of the programs. */
    Path program(String name, String... lines) throws IOException {
        Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }

    /** Returns the only report in the directory of the programs, and removes it. */
    String report() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            List<Path> reports = files.filter(file -> file.toString().endsWith(".stats")).toList();
            assertThat(reports).hasSize(1);
            String text = Files.readString(reports.get(0));
            Files.delete(reports.get(0));
            return text;
        }
    }

    /** Makes a new fixture below a directory, which gets {@code home} and {@code dir}. */
    static RunFixture in(Path parent) throws IOException {
        Path real = parent.toRealPath();
        Files.createDirectories(real.resolve("output"));
        Path dir = Files.createDirectories(real.resolve("dir"));
        return make(real.resolve("mio"), dir);
    }

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid", LinkOption.NOFOLLOW_LINKS)
                .equals(0);
    }
}
