package io.mio.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mio.stats.MioVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Reads every golden case of the configuration. */
class GoldenConfigTest {

    @TestFactory
    Stream<DynamicTest> shouldReadTheStringsOfThePapersLetterForLetter() {
        return cases("documents.txt", GoldenConfigTest::checkRules);
    }

    @TestFactory
    Stream<DynamicTest> shouldReadRulesAndEchoEveryOption() {
        return cases("grammar.txt", GoldenConfigTest::checkRules);
    }

    @TestFactory
    Stream<DynamicTest> shouldPutDefaultsUnderRules() {
        return cases("defaults.txt", GoldenConfigTest::checkRules);
    }

    @TestFactory
    Stream<DynamicTest> shouldNameTheMistake() {
        return cases("errors.txt", test -> checkError(test, () -> load(test)));
    }

    @TestFactory
    Stream<DynamicTest> shouldNameWhatThisVersionHasNotGot() {
        return cases(
                "available.txt",
                test -> {
                    MioConfig config = load(test);
                    if (test.has("available")) {
                        config.checkAvailable();
                    } else {
                        checkError(test, config::checkAvailable);
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> shouldMatchNames() {
        return cases(
                "matching.txt",
                test -> {
                    MioConfig config = load(test);
                    String name = null;
                    for (GoldenCase.Line line : test.lines()) {
                        if (line.key().equals("name")) {
                            name = line.value();
                        } else if (line.key().equals("stack")) {
                            StackSpec stack = config.match(name);
                            assertThat(stack == null ? "-" : stack.text())
                                    .as("stack of '%s'", name)
                                    .isEqualTo(line.value());
                        }
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> shouldReadSizes() {
        return cases(
                "sizes.txt",
                test -> {
                    String size = null;
                    for (GoldenCase.Line line : test.lines()) {
                        if (line.key().equals("size")) {
                            size = line.value();
                        } else {
                            assertThat(bytes(size)).as(size).isEqualTo(line.value());
                        }
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> shouldReadDebugKeywords() {
        return cases(
                "debug.txt",
                test -> {
                    DebugKeywords keywords = load(test).debug();
                    List<String> on = new ArrayList<>();
                    for (DebugKeyword keyword : DebugKeyword.values()) {
                        if (keywords.isOn(keyword)) {
                            on.add(keyword.name());
                        }
                    }
                    List<String> shown = new ArrayList<>();
                    for (DebugKeyword keyword : keywords.shown()) {
                        shown.add(keyword.name());
                    }
                    assertThat(String.join(" ", shown)).isEqualTo(test.value("on"));
                    assertThat(String.join(" ", on)).isEqualTo(test.value("all"));
                });
    }

    @Test
    void shouldCountTheLettersOfTheModuleListAsThePapersDo() {
        List<GoldenCase> papers = GoldenCase.read("documents.txt");

        assertThat(load(papers.get(0)).match("test.dat").text()).hasSize(18);
        assertThat(load(papers.get(1)).match("test.dat").text()).hasSize(79);
    }

    private static void checkRules(GoldenCase test) {
        List<String> actual = new ArrayList<>();
        for (FileRule rule : load(test).rules()) {
            actual.add("names: " + rule.names());
            actual.add("text: " + rule.stack().text());
            for (LayerSpec layer : rule.stack().layers()) {
                actual.add("echo: " + layer.echo());
            }
        }
        List<String> expected = new ArrayList<>();
        for (GoldenCase.Line line : test.lines()) {
            if (!line.key().equals("files") && !line.key().equals("defaults")) {
                expected.add(line.key() + ": " + line.value());
            }
        }
        assertThat(actual).isEqualTo(expected);
    }

    private static void checkError(GoldenCase test, ThrowingCallable call) {
        ConfigException error = catchThrowableOfType(ConfigException.class, call);

        assertThat(error).as("a mistake").isNotNull();
        String[] lines = error.getMessage().split("\n");
        String where = test.value("origin") + ", column " + test.value("column") + ": ";
        String what = test.value("error").replace("VERSION", MioVersion.NUMBER);
        assertThat(lines[0]).isEqualTo(where + what);
        assertThat(error.origin()).isEqualTo(test.value("origin"));
        assertThat(error.column()).isEqualTo(Integer.parseInt(test.value("column")));
        assertThat(lines).hasSize(3);
        assertThat(lines[2]).isEqualTo(" ".repeat(lines[2].length() - 1) + "^");
    }

    private static String bytes(String size) {
        long bytes = SizeText.parse(size);
        if (bytes == SizeText.BAD) {
            return "bad";
        }
        return bytes == SizeText.TOO_LARGE ? "too large" : Long.toString(bytes);
    }

    private static MioConfig load(GoldenCase test) {
        Map<String, String> environment = new HashMap<>();
        for (ConfigKey key : ConfigKey.values()) {
            if (test.has(key.id())) {
                environment.put(key.variable(), test.value(key.id()));
            }
        }
        return MioConfig.load(
                Map.of(), new ConfigSources(environment, new Properties(), "/nowhere"));
    }

    private static Stream<DynamicTest> cases(String file, Consumer<GoldenCase> check) {
        List<GoldenCase> cases = GoldenCase.read(file);
        assertThat(cases).as("cases of %s", file).isNotEmpty();
        return cases.stream()
                .map(test -> DynamicTest.dynamicTest(test.title(), () -> check.accept(test)));
    }
}
