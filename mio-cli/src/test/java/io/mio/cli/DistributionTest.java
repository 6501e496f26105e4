package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive as users get it: unpacked, called through a link, with and without a cache. */
@Tag("distribution")
class DistributionTest {
    /** A link to another file of the project. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:|#)([^)#\\s]+)");

    @TempDir static Path parent;

    private static Path home;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeAll
    static void unpack() throws Exception {
        Path archive = Path.of(System.getProperty("mio.test.archive"));
        Path dir = Files.createDirectories(parent.resolve("place"));
        Process tar =
                new ProcessBuilder("tar", "-xzf", archive.toString())
                        .directory(dir.toFile())
                        .inheritIO()
                        .start();
        assertThat(tar.waitFor()).isZero();
        try (var all = Files.newDirectoryStream(dir)) {
            home = all.iterator().next();
        }
    }

    private String call(String script) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-euc", script)
                        .directory(parent.toFile())
                        .redirectErrorStream(true);
        Map<String, String> all = builder.environment();
        all.keySet().removeIf(name -> name.startsWith("MIO_") || name.equals("LD_PRELOAD"));
        all.put("JAVA_HOME", System.getProperty("java.home"));
        all.put("XDG_CACHE_HOME", parent.resolve("cache").toString());
        all.put("HOME_OF_MIO", home.toString());
        all.putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void shouldHoldWhatAnInstallationNeeds() {
        for (String name :
                List.of(
                        "bin/mio",
                        "lib/mio.jar",
                        "lib/mio-core.jar",
                        "lib/jna.jar",
                        "lib/run.sh",
                        "lib/THIRD-PARTY.txt",
                        "lib/mio.jfc",
                        "man/man1/mio.1",
                        "man/man1/mio-run.1",
                        "man/man1/mio-preload.1",
                        "man/man5/mio-config.5",
                        "man/man3/mio.3",
                        "completion/mio.bash",
                        "LICENSE",
                        "README.md",
                        "docs/GettingStarted.md")) {
            assertThat(home.resolve(name)).isRegularFile();
        }
        assertThat(home.resolve("bin/mio")).isExecutable();
        if (RunFixture.library() != null) {
            for (String name : List.of("libmio_preload.so", "libmio_jvm.so", "libmio.so")) {
                assertThat(home.resolve("lib").resolve(name)).exists();
            }
        }
    }

    @Test
    void shouldHoldWhatItsDocumentsLinkTo() throws IOException {
        List<Path> documents;
        try (Stream<Path> files = Files.walk(home)) {
            documents = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        assertThat(documents).hasSizeGreaterThan(20);
        for (Path document : documents) {
            // Code holds no links.
            String text = Files.readString(document).replaceAll("(?s)```.*?```|`[^`\n]*`", "");
            Matcher link = LINK.matcher(text);
            while (link.find()) {
                assertThat(document.resolveSibling(link.group(1))).as(document.toString()).exists();
            }
        }
    }

    @Test
    void shouldUnpackProgramsWhereTheUserHasTemporaryFiles() throws Exception {
        assumeTrue(RunFixture.library() != null, "no preload library: built without a C compiler");
        Path strange = Files.createDirectory(parent.resolve("temporary:files"));
        String bench =
                "mkdir -p 'a b'; \"$HOME_OF_MIO/bin/mio\" bench 'a b' --door native --warm -s 64k"
                        + " -r 4k -i read --runs 1 --trace";

        environment.put("TMPDIR", strange.toString());
        assertThat(call(bench + " || echo $?"))
                .contains(strange + "/mio-bench-")
                .contains(": the loader cannot take that name; set TMPDIR to")
                .endsWith("1\n");
        environment.put("TMPDIR", "/nowhere");
        assertThat(call(bench)).contains("medians");
        assertThat(call("ls -A 'a b' temporary*")).isEqualTo("a b:\n\ntemporary:files:\n");
    }

    @Test
    void shouldRunCommandsWithAnArchiveOfClassesThatIsMadeOnce() throws Exception {
        Path link = parent.resolve("m");
        Files.createSymbolicLink(parent.resolve("through"), home.resolve("bin/mio"));
        Files.createSymbolicLink(link, Path.of("through"));
        environment.put("JAVA_TOOL_OPTIONS", "-Dnot.heard=1");

        String first = call(link + " --version");
        assertThat(first).matches("mio [0-9.]+\\S*\n");
        List<Path> archives = archives();
        assertThat(archives).hasSize(1);
        Object made = Files.getLastModifiedTime(archives.get(0));
        assertThat(call("cd /; exec " + link + " --version")).isEqualTo(first);
        assertThat(archives()).isEqualTo(archives);
        assertThat(Files.getLastModifiedTime(archives.get(0))).isEqualTo(made);
        assertThat(
                        call(
                                "exec \"$JAVA_HOME/bin/java\" -XX:+UseSerialGC -Xlog:class+load"
                                        + " -XX:SharedArchiveFile="
                                        + archives.get(0)
                                        + " -jar \"$HOME_OF_MIO/lib/mio.jar\" --version"))
                .containsPattern("picocli.CommandLine source: shared objects file");

        // JDK 17 uses no archive for a jar whose directory has a blank; the command runs anyway.
        assertThat(call("cp -a \"$HOME_OF_MIO\" 'a place'; 'a place/bin/mio' --version"))
                .isEqualTo(first);

        // A file that is no archive is not used, and no message says so.
        Files.delete(archives.get(0));
        Files.writeString(archives.get(0), "no archive");
        assertThat(call(link + " --version")).isEqualTo(first);
    }

    private static List<Path> archives() throws IOException {
        try (var files = Files.newDirectoryStream(parent.resolve("cache/mio"), "*.jsa")) {
            return java.util.stream.StreamSupport.stream(files.spliterator(), false).toList();
        }
    }

    @Test
    void shouldMakeTheArchiveOnceForManyAtTheSameTime() throws Exception {
        environment.put("XDG_CACHE_HOME", parent.resolve("race").toString());

        String all =
                call(
                        "for i in 1 2 3 4; do \"$HOME_OF_MIO/bin/mio\" --version & done; wait; ls"
                                + " \"$XDG_CACHE_HOME/mio\"");

        assertThat(all.lines().filter(line -> line.startsWith("mio "))).hasSize(4);
        assertThat(all.lines().filter(line -> line.endsWith(".jsa"))).hasSize(1);
        assertThat(all.lines()).hasSize(5);
    }

    @Test
    void shouldRunWithoutAPlaceForTheArchive() throws Exception {
        for (String place : List.of("/proc/none", "")) {
            environment.put("XDG_CACHE_HOME", place);
            environment.put("HOME", "/proc/none");
            assertThat(call("\"$HOME_OF_MIO/bin/mio\" --version")).matches("mio [0-9.]+\\S*\n");
        }
    }

    @Test
    void shouldGiveTheJvmTheOptionsOfTheUser() throws Exception {
        environment.put("MIO_JAVA_OPTIONS", "-Xmx40m  -Dname=* -XX:+PrintFlagsFinal");

        assertThat(call("\"$HOME_OF_MIO/bin/mio\" --version"))
                .containsPattern("MaxHeapSize += 41943040 ")
                .containsPattern("\nmio [0-9.]+");
        environment.put("MIO_JAVA_OPTIONS", "-Xmx0q");
        assertThat(call("\"$HOME_OF_MIO/bin/mio\" --version || echo $?"))
                .contains("Invalid maximum heap size: -Xmx0q")
                .endsWith("\n1\n");
    }

    @Test
    void shouldSayWhichJavaIsMissing() throws Exception {
        Path old = Files.createDirectories(parent.resolve("old/bin"));
        Files.writeString(parent.resolve("old/release"), "JAVA_VERSION=\"11.0.2\"\n");
        Files.copy(Path.of("/bin/sh").toRealPath(), old.resolve("java"));
        environment.put("JAVA_HOME", parent.resolve("old").toString());

        assertThat(call("\"$HOME_OF_MIO/bin/mio\" --version || echo $?"))
                .endsWith("is Java 11; 17 or later is needed, see JAVA_HOME\n1\n");
        environment.put("JAVA_HOME", "/nowhere");
        assertThat(call("\"$HOME_OF_MIO/bin/mio\" --version || echo $?"))
                .contains("no java in JAVA_HOME=/nowhere");
    }

    @Test
    void shouldRunAProgramAndShowTheSameHelpByBothWays() throws Exception {
        assumeTrue(RunFixture.library() != null, "no preload library: built without a C compiler");

        assertThat(call("cd \"$(mktemp -d)\"; \"$HOME_OF_MIO/bin/mio\" run cat /proc/version; ls"))
                .containsPattern("Linux version")
                .doesNotContain("mio:");
        assertThat(call("\"$HOME_OF_MIO/bin/mio\" run --help"))
                .isEqualTo(call("\"$HOME_OF_MIO/bin/mio\" help run"));
    }

    @Test
    void shouldHaveManualPagesThatManReads() throws Exception {
        assumeTrue(
                new ProcessBuilder("sh", "-c", "command -v groff").start().waitFor() == 0,
                "no groff");

        assertThat(
                        call(
                                "for page in \"$HOME_OF_MIO\"/man/man1/*.1; do groff -man -ww"
                                        + " -Tutf8 \"$page\" >/dev/null; done"))
                .isEmpty();
    }

    @Test
    void shouldCompleteInBash() throws Exception {
        assumeTrue(
                new ProcessBuilder("sh", "-c", "command -v bash").start().waitFor() == 0,
                "no bash");

        assertThat(
                        call(
                                "bash -c '. \"$HOME_OF_MIO/completion/mio.bash\"; COMP_WORDS=(mio"
                                        + " run --d); COMP_CWORD=2; _complete_mio 2>/dev/null; echo"
                                        + " ${COMPREPLY[@]}'"))
                .isEqualTo("--door\n");
    }
}
