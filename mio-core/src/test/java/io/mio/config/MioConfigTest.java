package io.mio.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where settings come from, and which one wins. */
class MioConfigTest {
    @TempDir Path root;

    private final Map<String, String> environment = new HashMap<>();
    private final Properties properties = new Properties();
    private final Map<String, Object> options = new HashMap<>();

    @Test
    void shouldHaveNoRulesWhereNothingIsSet() {
        MioConfig config = load();

        assertThat(config.enabled()).isTrue();
        assertThat(config.match("any")).isNull();
        assertThat(config.text(ConfigKey.FILES)).isEmpty();
        assertThat(config.origin(ConfigKey.FILES)).isEqualTo("MIO_FILES");
        assertThat(config.debug().shown()).isEmpty();
    }

    @Test
    void shouldLetEachSourceWinOverTheOnesBefore() throws IOException {
        write("etc/mio/mio.conf", "files=* [ os/sector=1 ]\nstats=etc.stats\n");
        expectFiles("* [ os/sector=1 ]", "file " + root + "/etc/mio/mio.conf key files");

        environment.put("HOME", root + "/home");
        write("home/.config/mio/mio.conf", "files=* [ os/sector=2 ]\n");
        expectFiles("* [ os/sector=2 ]", "file " + root + "/home/.config/mio/mio.conf key files");

        environment.put("XDG_CONFIG_HOME", root + "/xdg");
        write("xdg/mio/mio.conf", "files=* [ os/sector=3 ]\n");
        expectFiles("* [ os/sector=3 ]", "file " + root + "/xdg/mio/mio.conf key files");

        environment.put("MIO_CONFIG", root + "/named.conf");
        write("named.conf", "files=* [ os/sector=4 ]\n");
        expectFiles("* [ os/sector=4 ]", "file " + root + "/named.conf key files");

        properties.setProperty("mio.config", root + "/other.conf");
        write("other.conf", "files=* [ os/sector=5 ]\n");
        expectFiles("* [ os/sector=5 ]", "file " + root + "/other.conf key files");

        environment.put("MIO_FILES", "* [ os/sector=6 ]");
        expectFiles("* [ os/sector=6 ]", "MIO_FILES");

        properties.setProperty("mio.files", "* [ os/sector=7 ]");
        expectFiles("* [ os/sector=7 ]", "system property mio.files");

        options.put("files", "* [ os/sector=8 ]");
        expectFiles("* [ os/sector=8 ]", "option files");

        assertThat(load().text(ConfigKey.STATS)).isEqualTo("etc.stats");
    }

    @Test
    void shouldTakeAnEmptyVariableForASetting() throws IOException {
        write("etc/mio/mio.conf", "files=* [ trace ]\n");
        environment.put("MIO_FILES", "");

        assertThat(load().match("a")).isNull();
    }

    @Test
    void shouldReadEveryKeyFromEverySource() throws IOException {
        write("etc/mio/mio.conf", "stats = a b.stats\n");
        environment.put("MIO_DEBUG", " open");
        properties.setProperty("mio.defaults", "trace/kbytes");
        options.put("files", "*.dat:x [ trace ]");
        options.put("enabled", true);

        MioConfig config = load();

        assertThat(config.text(ConfigKey.STATS)).isEqualTo("a b.stats");
        assertThat(config.text(ConfigKey.DEBUG)).isEqualTo(" open");
        assertThat(config.debug().isOn(DebugKeyword.OPEN)).isTrue();
        assertThat(config.text(ConfigKey.DEFAULTS)).isEqualTo("trace/kbytes");
        assertThat(config.origin(ConfigKey.DEFAULTS)).isEqualTo("system property mio.defaults");
        FileRule rule = config.rule("/d/x");
        assertThat(rule.names()).isEqualTo("*.dat:x");
        assertThat(rule.matching("/d/x").template()).isEqualTo("x");
        assertThat(rule.stack().layers().get(1).text(TraceOption.UNIT)).isEqualTo("kbytes");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // what a caller without generics can do
    void shouldRefuseAnOptionWhoseKeyIsNoName() {
        for (Object key : new Object[] {null, 3}) {
            options.clear();
            ((Map) options).put(key, "x");
            assertThatThrownBy(this::load)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("option " + key + ": there is no such setting");
        }
    }

    @Test
    void shouldBeSwitchedOffEvenWithAMistakeInAFile() throws IOException {
        write("etc/mio/mio.conf", "fils=* [ trace ]\n");
        environment.put("MIO_CONFIG", root + "/missing.conf");
        assertThatThrownBy(this::load).isInstanceOf(ConfigException.class);

        environment.put("MIO_ENABLED", "0");
        assertThat(load().enabled()).isFalse();
        environment.remove("MIO_ENABLED");
        properties.setProperty("mio.enabled", "false");
        assertThat(load().enabled()).isFalse();
        options.put("enabled", true);
        assertThatThrownBy(this::load).isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldBeSwitchedOffAsAWholeEvenWithMistakes() {
        for (String off : new String[] {"false", "0", "no", " no "}) {
            environment.put("MIO_FILES", "* [ trace");
            environment.put("MIO_DEBUG", "NONSENSE");
            environment.put("MIO_ENABLED", off);

            MioConfig config = load();

            assertThat(config.enabled()).isFalse();
            assertThat(config.match("a")).isNull();
            assertThat(config.text(ConfigKey.FILES)).isEqualTo("* [ trace");
            config.checkAvailable();
        }
        environment.put("MIO_ENABLED", "maybe");
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("MIO_ENABLED, column 1: 'maybe' is neither true nor false");
    }

    @Test
    void shouldTakeNoOptionsForNull() {
        assertThat(MioConfig.load(null, sources()).match("a")).isNull();
        options.put("files", null);
        assertThat(load().match("a")).isNull();
    }

    @Test
    void shouldNameTheFileThatIsMissing() {
        environment.put("MIO_CONFIG", root + "/missing.conf");
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "MIO_CONFIG: cannot read "
                                + root
                                + "/missing.conf (No such file or directory); name a readable"
                                + " file");

        properties.setProperty("mio.config", root + "/none.conf");
        assertThatThrownBy(this::load)
                .hasMessageStartingWith("system property mio.config: cannot read");
    }

    @Test
    void shouldReadNoFileOfMoreThanFourMegabytes() throws IOException {
        write("fits.conf", "#".repeat(4 << 20));
        environment.put("MIO_CONFIG", root + "/fits.conf");
        assertThat(load().match("a")).isNull();

        write("long.conf", "#".repeat((4 << 20) + 1));
        environment.put("MIO_CONFIG", root + "/long.conf");
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "MIO_CONFIG: cannot read "
                                + root
                                + "/long.conf (File too large); name a readable file");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldNotWaitForWhoWritesToAPipe() throws Exception {
        String pipe = root + "/pipe";
        assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
        environment.put("MIO_CONFIG", pipe);

        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "MIO_CONFIG: cannot read "
                                + pipe
                                + " (a pipe, socket or device); name a readable file");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldReadThePipeOfAShell() throws IOException {
        Process holder = new ProcessBuilder("sleep", "60").start();
        try {
            environment.put("MIO_CONFIG", "/proc/" + holder.pid() + "/fd/0");
            try (OutputStream pipe = holder.getOutputStream()) {
                pipe.write("files = a [ os ]".getBytes(StandardCharsets.UTF_8));
            }

            assertThat(load().match("a")).isNotNull();
        } finally {
            holder.destroy();
        }
    }

    @Test
    void shouldSkipAFileNobodyAskedForIfItCannotBeRead() throws IOException {
        Files.createDirectories(root.resolve("etc/mio/mio.conf"));

        assertThat(load().match("a")).isNull();
    }

    @Test
    void shouldNameTheFileThatIsMalformed() throws IOException {
        write("etc/mio/mio.conf", "files=\\u12\n");
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "file " + root + "/etc/mio/mio.conf: not in Java properties");
    }

    @Test
    void shouldNameTheKeyThatIsUnknown() throws IOException {
        options.put("file", "* [ trace ]");
        assertThatThrownBy(this::load)
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "option file: there is no such setting; did you mean 'files'? (settings:"
                                + " files, stats, debug, defaults, enabled, live, backend)");

        options.clear();
        write("etc/mio/mio.conf", "zones=1\nsats=x\nstats=y\n");
        assertThatThrownBy(this::load)
                .hasMessageStartingWith("file " + root + "/etc/mio/mio.conf key sats: there is no")
                .hasMessageContaining("did you mean 'stats'?");
    }

    @Test
    void shouldNameTheSourceOfAMistake() throws IOException {
        write("etc/mio/mio.conf", "files=* [ trase ]\n");
        assertThatThrownBy(this::load)
                .hasMessageStartingWith("file " + root + "/etc/mio/mio.conf key files, column 5: ");

        properties.setProperty("mio.files", "* [ trase ]");
        assertThatThrownBy(this::load)
                .hasMessage(
                        "system property mio.files, column 5: there is no layer 'trase'; did you"
                                + " mean 'trace'? (layers: mio, trace, pf, recov, os, aix, posix,"
                                + " auto)\n"
                                + "  * [ trase ]\n"
                                + "      ^");
    }

    @Test
    void shouldShowWholeCharactersRoundAMistake() {
        String clef = "\ud834\udd1e";
        properties.setProperty(
                "mio.files", clef.repeat(40) + "- [ x" + clef.repeat(9) + "+" + clef.repeat(40));

        assertThatThrownBy(this::load)
                .hasMessageContaining("column 85: there is no layer 'x")
                .hasMessageEndingWith(
                        "\n  "
                                + clef.repeat(23)
                                + "- [ x"
                                + clef.repeat(9)
                                + "+"
                                + clef.repeat(4)
                                + "\n"
                                + " ".repeat(2 + 23 * 2 + 4)
                                + "^");

        // Both ends of the excerpt lie within a character of two chars.
        properties.setProperty("mio.files", clef.repeat(40) + " [ x" + clef.repeat(40));
        assertThatThrownBy(this::load)
                .hasMessageEndingWith(
                        "\n  "
                                + clef.repeat(23)
                                + " [ x"
                                + clef.repeat(13)
                                + "\n"
                                + " ".repeat(2 + 23 * 2 + 3)
                                + "^");
    }

    @Test
    void shouldReadFilesAsUtf8() throws IOException {
        write("etc/mio/mio.conf", "files={\u00e9 \u00fc} [ trace ]\nstats=\\u00e9\n");

        assertThat(load().match("\u00e9 \u00fc")).isNotNull();
        assertThat(load().text(ConfigKey.STATS)).isEqualTo("\u00e9");
    }

    @Test
    void shouldTellWhichSourcesDidNotWin() throws IOException {
        write("etc/mio/mio.conf", "files=* [ os ]\nstats=etc.stats\n");
        environment.put("MIO_FILES", "");
        properties.setProperty("mio.files", "* [ trace ]");
        MioConfig config = load();

        assertThat(config.origin(ConfigKey.FILES)).isEqualTo("system property mio.files");
        assertThat(config.overridden(ConfigKey.FILES))
                .containsExactly("file " + root + "/etc/mio/mio.conf key files", "MIO_FILES");
        assertThat(config.overridden(ConfigKey.STATS)).isEmpty();
        assertThat(config.isSet(ConfigKey.STATS)).isTrue();
        assertThat(config.isSet(ConfigKey.DEBUG)).isFalse();
    }

    @Test
    void shouldTellWhichFilesItLookedFor() throws IOException {
        environment.put("HOME", root + "/home");
        environment.put("MIO_CONFIG", root + "/named.conf");
        write("home/.config/mio/mio.conf/in-the-way", "");
        write("named.conf", "stats=x\n");

        assertThat(load().files())
                .containsExactly(
                        new ConfigFile(root + "/etc/mio/mio.conf", false, false),
                        new ConfigFile(root + "/home/.config/mio/mio.conf", false, false),
                        new ConfigFile(root + "/named.conf", true, true));

        environment.clear();
        environment.put("XDG_CONFIG_HOME", root + "/xdg");
        write("etc/mio/mio.conf", "stats=y\n");
        write("xdg/mio/mio.conf", "#".repeat((4 << 20) + 1));

        assertThat(load().files())
                .containsExactly(
                        new ConfigFile(root + "/etc/mio/mio.conf", true, true),
                        new ConfigFile(root + "/xdg/mio/mio.conf", true, false));
    }

    @Test
    void shouldLoadWhatAProgramWithAnotherEnvironmentGets() {
        MioConfig config =
                MioConfig.load(
                        Map.of("stats", "x"),
                        Map.of("MIO_FILES", "*.dat [ trace ]", "HOME", root.toString()));

        assertThat(config.match("a.dat").text()).isEqualTo("trace");
        assertThat(config.origin(ConfigKey.FILES)).isEqualTo("MIO_FILES");
        assertThat(config.text(ConfigKey.STATS)).isEqualTo("x");
    }

    @Test
    void shouldLoadFromTheProcessItself() {
        MioConfig config = MioConfig.load(Map.of("files", "*.dat [ trace/stats ]"));

        assertThat(config.match("a.dat").text()).isEqualTo("trace/stats");
        assertThat(config.match("a.txt")).isNull();
    }

    private void expectFiles(String text, String origin) {
        MioConfig config = load();
        assertThat(config.text(ConfigKey.FILES)).isEqualTo(text);
        assertThat(config.origin(ConfigKey.FILES)).isEqualTo(origin);
        assertThat("* [ " + config.match("a").text() + " ]").isEqualTo(text);
    }

    private void write(String name, String contents) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, contents);
    }

    private MioConfig load() {
        return MioConfig.load(options, sources());
    }

    private ConfigSources sources() {
        return new ConfigSources(environment, properties, root.toString());
    }
}
