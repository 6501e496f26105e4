package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

/** What options and variables do to rules, reports and the environment. */
class RunSettingsTest {
    private static final String SHOW = "printf '%s|%s' \"$MIO_FILES\" \"$MIO_STATS\"";

    @TempDir Path parent;

    private RunFixture mio;

    @BeforeEach
    void makeFixture() throws IOException {
        assumeTrue(RunFixture.library() != null, "no preload library: built without a C compiler");
        mio = RunFixture.in(parent);
    }

    private String files(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--", "sh", "-c", "printf %s \"$MIO_FILES\""));
        return mio.run(all).out();
    }

    @Test
    void shouldMakeRulesOfOptions() {
        String events = mio.dir() + "/e";
        assertThat(files()).isEqualTo("* [ trace/stats/kbytes ]");
        assertThat(files("--trace=stats/mbytes")).isEqualTo("* [ trace/stats/mbytes ]");
        assertThat(files("--match", "*.dat:{a b}")).isEqualTo("*.dat:{a b} [ trace/stats/kbytes ]");
        assertThat(files("--pf")).isEqualTo("* [ pf/cache=64m/page=1m/direct ]");
        assertThat(files("--pf=cache=1m/page=64k", "--match=*.dat"))
                .isEqualTo("*.dat [ pf/cache=1m/page=64k ]");
        assertThat(files("--trace", "--pf=direct"))
                .isEqualTo("* [ trace/stats/kbytes | pf/direct | trace/stats/kbytes ]");
        assertThat(files("--files", "*.a [ os ] * [ trace ]")).isEqualTo("*.a [ os ] * [ trace ]");
        assertThat(files("--events", "/x/e.mev"))
                .isEqualTo("* [ trace/stats/kbytes/events={/x/e.mev} ]");
        assertThat(files("--events", "e", "--pf"))
                .isEqualTo(
                        "* [ trace/stats/kbytes/events={"
                                + events
                                + "} | pf/cache=64m/page=1m/direct | trace/stats/kbytes/events={"
                                + events
                                + "} ]");
    }

    @Test
    void shouldKeepRulesThatAreThereAndPutOptionsBeforeThem() {
        mio.with("MIO_FILES", "*.x [ trace ]");

        assertThat(files()).isEqualTo("*.x [ trace ]");
        assertThat(files("--pf")).isEqualTo("* [ pf/cache=64m/page=1m/direct ]");
        mio.with("MIO_FILES", "");
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldKeepRulesOfAFileThatIsNamed() throws IOException {
        Path file = Files.writeString(mio.dir().resolve("c"), "files = *.dat [ trace/stats ]\n");
        Files.writeString(mio.dir().resolve("a.dat"), "a");

        mio.with("MIO_CONFIG", file.toString()).run("cat", "a.dat");

        assertThat(report()).contains("*.dat [ trace/stats ]", ": a.dat :");
    }

    @Test
    void shouldKeepRulesOfTheUsersFile() throws IOException {
        Path settings = Files.createDirectories(mio.dir().resolve("config/mio"));
        Path file = settings.resolve("mio.conf");
        Files.writeString(mio.dir().resolve("a.dat"), "a");
        mio.with("XDG_CONFIG_HOME", settings.getParent().toString());

        Files.writeString(file, "stats = r.stats\n#files = none\n");
        assertThat(files()).isEqualTo("* [ trace/stats/kbytes ]");
        Files.writeString(file, "stats = r.stats\n files: *.dat [ trace/stats ]\n");
        assertThat(files()).isEmpty();
        assertThat(files("--pf")).isEqualTo("* [ pf/cache=64m/page=1m/direct ]");
        mio.run("cat", "a.dat");
        assertThat(report()).contains("*.dat [ trace/stats ]", ": a.dat :");
    }

    private String report() throws IOException {
        return mio.report();
    }

    @ParameterizedTest
    @CsvSource({
        "r.stats, DIR/r.stats",
        "sub/%p.jsonl, DIR/sub/%p.jsonl",
        "/x/r.stats, /x/r.stats",
        "+r.stats, +DIR/r.stats",
        "+/x/r, +/x/r",
        "stdout, stdout",
        "stderr, stderr"
    })
    void shouldNameThePlaceOfReportsFromTheRoot(String given, String expected) {
        assertThat(mio.run("--stats", given, "--", "sh", "-c", "printf %s \"$MIO_STATS\"").out())
                .startsWith(expected.replace("DIR", mio.dir().toString()));
    }

    @Test
    void shouldNameTheReportAfterProgramAndProcess() throws Exception {
        Process process =
                mio.prepare(mio.command(List.of("sh", mio.program("show", SHOW).toString())))
                        .start();
        String place = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(place).endsWith("|" + mio.dir() + "/sh." + process.pid() + ".stats");
        assertThat(mio.dir().resolve("sh." + process.pid() + ".stats")).exists();
    }

    @Test
    void shouldReportFromADirectoryWithSignsOfItsOwn() throws IOException {
        Path odd = Files.createDirectories(mio.dir().resolve("50%p off"));
        Files.writeString(odd.resolve("a.dat"), "a");

        RunFixture.Result result = mio.script("cd '50%p off' && \"$MIO\" run cat a.dat");

        assertThat(result.out()).isEqualTo("a");
        try (var reports = Files.newDirectoryStream(odd, "cat.*.stats")) {
            assertThat(reports).hasSize(1);
        }
    }

    @Test
    void shouldReportElsewhereWhereTheDirectoryIsNotWritable() throws IOException {
        Path temporary = Files.createDirectories(mio.dir().resolve("tmp"));
        Path closed = Files.createDirectories(mio.dir().resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        String user = "";
        if (RunFixture.isRoot()) {
            // Root may write everywhere.
            user = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
            assumeTrue(mio.script(user + "true").status() == 0, "no setpriv");
            assertThat(mio.script("chmod 755 " + parent).status()).isZero();
        }
        mio.program("show", SHOW);
        mio.with("TMPDIR", temporary.toString());

        RunFixture.Result result = mio.script("cd closed && " + user + "\"$MIO\" run sh ../show");

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("|" + temporary + "/sh.");
        try (var reports = Files.newDirectoryStream(temporary, "sh.*.stats")) {
            assertThat(reports).hasSize(1);
        }
    }

    /** As root, for whom the directory counts as writable. */
    @Test
    void shouldReportElsewhereWhereNoFileCanBeMade() throws IOException {
        Path temporary = Files.createDirectories(mio.dir().resolve("tmp"));
        mio.program("show", SHOW);
        mio.with("TMPDIR", temporary.toString());

        RunFixture.Result result =
                mio.script("show=$PWD/show; cd /proc && \"$MIO\" run sh \"$show\"");

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("|" + temporary + "/sh.");
        try (var reports = Files.newDirectoryStream(temporary, "sh.*.stats")) {
            assertThat(reports).hasSize(1);
        }
    }

    @Test
    void shouldKeepThePlaceThatIsSet() {
        mio.with("MIO_STATS", "mine.stats");

        assertThat(mio.run("sh", "-c", SHOW).out()).endsWith("|mine.stats");
        assertThat(mio.run("--stats", "/x/y", "--", "sh", "-c", SHOW).out()).endsWith("|/x/y");
    }

    @Test
    void shouldPrintWhatGivesTheSame() throws IOException {
        Files.writeString(mio.dir().resolve("a b.dat"), "abc");
        String match = "--match '*.dat:{it'\\''s \"$x\" `y`}'";
        mio.run("--match", "*.dat:{it's \"$x\" `y`}", "--", "cat", "a b.dat");
        String run = report();

        RunFixture.Result result =
                mio.script(
                        "eval \"$(\"$MIO\" run --print-env "
                                + match
                                + " cat)\"; cat 'a b.dat'; exec env");

        String printed = report();
        assertThat(printed).contains(line(run, "MIO_FILES"));
        assertThat(untimed(line(printed, "  read"))).isEqualTo(untimed(line(run, "  read")));
        assertThat(result.out()).contains("MIO_FILES=*.dat:{it's \"$x\" `y`} [ trace");
    }

    /** A row of a report, without its seconds. */
    private static String untimed(String row) {
        return row.replaceFirst(" [0-9]+\\.[0-9]{2} ", " ");
    }

    private static String line(String text, String begin) {
        return text.lines().filter(line -> line.startsWith(begin)).findFirst().orElseThrow();
    }

    @Test
    void shouldPrintForAJvmWhatIsAddedToWhatIsThere() {
        RunFixture.Result result =
                mio.script(
                        "LD_PRELOAD= JAVA_TOOL_OPTIONS=-Da=b; eval \"$(\"$MIO\" run --print-env"
                                + " --door both)\"; printf '%s\\n%s' \"$JAVA_TOOL_OPTIONS\""
                                + " \"$LD_PRELOAD\"");

        assertThat(result.out())
                .startsWith("-Da=b --enable-native-access=ALL-UNNAMED -Djava.nio.file.spi.")
                .contains("\"-Dmio.stats=" + mio.dir() + "/%x.%p.%p.jvm.stats\"\n")
                .endsWith("lib/libmio_preload.so");
    }

    @ParameterizedTest
    @ValueSource(strings = {">/dev/full", ">&-"})
    void shouldFailInOneLineWhereTheEnvironmentCannotBePrinted(String where) {
        RunFixture.Result result = mio.script("\"$MIO\" run --pf --print-env " + where);

        assertThat(result.status()).isEqualTo(125);
        assertThat(result.err())
                .isEqualTo(
                        "mio run: standard output cannot be written; what was printed is not"
                                + " complete\n");
    }

    @Test
    void shouldLeaveTheRestOfTheEnvironmentAlone() {
        mio.with("a.b", "1\n2=3").with("BASH_FUNC_m%%", "() { echo hi; }").with("X-Y", "'\"$");
        String show = "tr '\\000' '\\n' </proc/self/environ | grep -v '^_=' | sort";

        assertThat(mio.run("--door", "none", "--", "sh", "-c", "cat /proc/$$/environ").out())
                .contains("a.b=1\n2=3\0", "BASH_FUNC_m%%=() { echo hi; }\0", "X-Y='\"$\0");
        assertThat(mio.script("exec \"$MIO\" run --door none sh -c \"" + show + "\"").out())
                .isEqualTo(mio.script("exec sh -c \"" + show + "\"").out());
        assertThat(mio.run("--", "cat", "/proc/self/environ").out())
                .contains("a.b=1\n2=3\0", "LD_PRELOAD=" + mio.home());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nix", "-x", "--door=window", "--files", "--events=", "", "--pfx=1"})
    void shouldRefuseWhatIsNoOption(String option) {
        RunFixture.Result result = option.isEmpty() ? mio.run() : mio.run(option);

        assertThat(result.status()).isEqualTo(125);
        assertThat(result.err()).startsWith("mio run: ").endsWith("See 'mio run --help'.\n");
    }

    /** An empty name comes from a variable that is not set; the report would be nowhere. */
    @Test
    void shouldRefuseAnEmptyNameOfAReport() {
        for (String option : List.of("--stats", "--events")) {
            RunFixture.Result result = mio.run(option, "", "true");
            assertThat(result.status()).isEqualTo(125);
            assertThat(result.err()).contains(option + " needs the name of a file");
        }
    }

    @Test
    void shouldRefuseTwoKindsOfRules() {
        for (String other : List.of("--trace", "--pf", "--match=*", "--events=e")) {
            RunFixture.Result result = mio.run("--files", "* [ os ]", other, "true");
            assertThat(result.status()).isEqualTo(125);
            assertThat(result.err()).contains("--files is all of the rules");
        }
    }

    @Test
    void shouldKnowTheOptionsThatItsHelpShows() {
        assertThat(mio.run("--help").out())
                .startsWith("Usage: mio run")
                .isEqualTo(mio.run("-h").out())
                .contains("Examples:", "Exit status:");
        for (OptionSpec option :
                Main.commandLine().getSubcommands().get("run").getCommandSpec().options()) {
            for (String name : option.names()) {
                List<String> words = new ArrayList<>(List.of(name));
                if (option.arity().min() > 0) {
                    words.add(name.equals("--door") ? "none" : "x");
                }
                words.addAll(List.of("--print-env", "--", "true"));
                assertThat(mio.run(words).err()).as(name).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cat a.dat", "java Read.java", "sh -c \"cat a.dat >>b\""})
    void shouldSayAtTheEndWhereTheReportIs(String program) throws IOException {
        assumeTrue(mio.script("script -qec true /dev/null").status() == 0, "no script(1)");
        Files.writeString(mio.dir().resolve("a.dat"), "a\n");
        Files.writeString(
                mio.dir().resolve("Read.java"),
                "class Read { public static void main(String[] a) throws Exception {"
                        + " System.out.print(java.nio.file.Files.readString("
                        + "java.nio.file.Path.of(\"a.dat\"))); } }");
        String terminal = "script -qec '\"$MIO\" run --match \"*.dat\" %s' /dev/null";

        String said = mio.script(String.format(terminal, program)).out();
        String report = onlyReport().toString();
        assertThat(said)
                .endsWith(
                        "mio: report in "
                                + report
                                + "; look at it with: mio stats "
                                + report
                                + "\r\n");
        assertThat(said.lines().filter(line -> line.startsWith("mio:"))).hasSize(1);
        Files.delete(Path.of(report));

        // No hint: quiet, without a terminal, with no match, and for a program that was killed.
        assertThat(mio.script(String.format(terminal, "-q " + program)).out())
                .doesNotContain("mio:");
        Files.delete(onlyReport());
        assertThat(mio.script("\"$MIO\" run --match '*.dat' " + program).err()).isEmpty();
        Files.delete(onlyReport());
        assertThat(mio.script(String.format(terminal, "--match x " + program)).out())
                .doesNotContain("mio:");
        assertThat(
                        mio.script(
                                        String.format(
                                                terminal, "sh -c \"cat a.dat; kill -KILL \\$\\$\""))
                                .out())
                .doesNotContain("mio:");
    }

    private Path onlyReport() throws IOException {
        try (var reports = Files.newDirectoryStream(mio.dir(), "*.stats")) {
            return reports.iterator().next();
        }
    }
}
