package io.mio.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the scripts do before they measure: nothing here measures. */
class ScriptsTest {
    @TempDir Path parent;

    private Path dir;
    private int status;

    @BeforeEach
    void makeDirectory() throws Exception {
        dir = Files.createDirectory(parent.resolve("a place"));
    }

    private static List<Path> scripts() throws Exception {
        try (Stream<Path> one = Files.list(Path.of("."));
                Stream<Path> other = Files.list(Path.of("native"))) {
            return Stream.concat(one, other)
                    .filter(Files::isExecutable)
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }

    private String call(List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        builder.environment().put("DIR", dir.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        status = process.waitFor();
        return said;
    }

    /** Runs a script after common.sh; returns what it prints. */
    private String common(String script) throws Exception {
        String before = "set -eu; here=native; directory=$DIR; . native/common.sh\n";
        return call(List.of("sh", "-c", before + script, "some.sh"));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void shouldShowTheHeader(Path script) throws Exception {
        String name = script.getFileName().toString();

        String said = call(List.of("sh", script.toString(), "--help"));

        assertThat(status).as(said).isZero();
        assertThat(said)
                .startsWith(name + " [DIRECTORY]")
                .contains("benchmarks/")
                .doesNotContain("set -eu");
        assertThat(call(List.of("sh", script.toString(), "-h"))).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    matrix.sh          | absent.csv      | no directory 'absent.csv'
                    matrix.sh          | DIR native some | RUNS is a whole number from 1 on, not 'some'
                    matrix.sh          | DIR both        | no door 'both'; one of native, jvm
                    small.sh           | DIR native abc  | RUNS is a whole number from 1 on, not 'abc'
                    small.sh           | DIR both        | no door 'both'; one of native, jvm, jvm-default
                    start.sh           | DIR 0           | RUNS is a whole number from 1 on, not '0'
                    synced.sh          | DIR bogus       | no door 'bogus'; one of native, jvm
                    native/advise.sh   | DIR 4 1 other   | no program 'other'; one of sort, scan, merge, extract, index
                    native/events.sh   | DIR x           | ROUNDS is a whole number from 1 on, not 'x'
                    native/events.sh   | DIR 1 1000      | CALLS is a whole number from 5000 on, not '1000'
                    native/fio.sh      | DIR 32m         | MEBIBYTES is a whole number from 1 on, not '32m'
                    native/latency.sh  | DIR 4 1 1ms     | MICROSECONDS is a whole number from 0 on, not '1ms'
                    native/patterns.sh | DIR 032         | MEBIBYTES is a whole number from 1 on, not '032'
                    native/plan.sh     | DIR 4 -1        | ROUNDS is a whole number from 1 on, not '-1'
                    native/simulate.sh | DIR 4 1 index   | no program 'index'; one of sort, scan, merge, extract, random, strided, backward
                    """)
    void shouldRefuseBeforeAnythingIsMeasured(String script, String words, String message)
            throws Exception {
        List<String> command =
                Stream.concat(Stream.of("sh", script), Arrays.stream(words.split(" ")))
                        .map(word -> word.equals("DIR") ? dir.toString() : word)
                        .toList();

        assertThat(call(command)).isEqualTo(Path.of(script).getFileName() + ": " + message + "\n");
        assertThat(status).isEqualTo(2);
        assertThat(dir).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "7, 7 7 7",
        "1 10 2, 2 1 10",
        "4 1 3 10, 3.5 1 10",
        "12345678901 12345678902, 12345678901.5 12345678901 12345678902"
    })
    void shouldTakeTheMeanOfTheTwoInTheMiddle(String numbers, String expected) throws Exception {
        Files.write(parent.resolve("numbers"), List.of(numbers.split(" ")));

        assertThat(common("spread \"$DIR/../numbers\" 1")).isEqualTo(expected + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 4096",
        "64k, 65536",
        "64K, 65536",
        "2m, 2097152",
        "1M, 1048576",
        "1g, 1073741824"
    })
    void shouldReadSizesInBothCases(String size, String bytes) throws Exception {
        assertThat(common("bytes_of SIZE " + size)).isEqualTo(bytes + "\n");
    }

    @ParameterizedTest
    @CsvSource({"1t", "m", "1mb", "-1k", "0", "''"})
    void shouldRefuseOtherSizes(String size) throws Exception {
        assertThat(common("bytes=$(bytes_of SIZE '" + size + "'); echo $bytes"))
                .isEqualTo("some.sh: SIZE is a size as 4096, 64k, 2m or 1g, not '" + size + "'\n");
        assertThat(status).isEqualTo(2);
    }

    @Test
    void shouldGiveTheLoaderANameThatItTakes() throws Exception {
        String find =
                "find_library; [ \"$library\" -ef \"$MIO_LIBRARY\" ]; echo \"${library##*/}\"; !"
                        + " unsafe \"$library\"";
        for (String name : List.of("simple.so", "with:colon.so", "it's.so")) {
            Files.createFile(dir.resolve(name));
            assertThat(common("MIO_LIBRARY=$DIR/" + name.replace("'", "\\'") + "; " + find))
                    .isEqualTo("libmio_preload.so\n");
            assertThat(status).isZero();
        }
        Path plain = Files.createFile(parent.resolve("simple.so"));
        assertThat(common("MIO_LIBRARY=" + plain + "; " + find)).isEqualTo("simple.so\n");
    }

    @Test
    void shouldEndAtASignalAndLeaveNothing() throws Exception {
        assertThat(common("echo $work $tools >\"$DIR/../made\"; kill $$; echo goes on")).isEmpty();
        assertThat(status).isEqualTo(1);
        assertThat(dir).isEmptyDirectory();
        assertThat(Path.of(Files.readString(parent.resolve("made")).strip().replaceAll(".* ", "")))
                .doesNotExist();
    }
}
