package io.mio.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** That the benchmark measures what it says: the requests, the bytes, the figures. */
class PatternsTest {
    @TempDir Path dir;

    @ParameterizedTest
    @EnumSource
    void shouldStayInTheFile(AccessPattern pattern) {
        assertThat(Arrays.stream(requests(pattern, 1000)))
                .allMatch(request -> request >= 0 && request < 1000);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RANDOM")
    void shouldVisitNoRequestTwice(AccessPattern pattern) {
        assertThat(requests(pattern, 1000)).doesNotHaveDuplicates();
    }

    @Test
    void shouldGoBackwardFromTheEnd() {
        assertThat(requests(AccessPattern.BACKWARD, 4)).containsExactly(3, 2, 1, 0);
    }

    @Test
    void shouldSkipTheSameNumberOfRequestsEachTime() {
        assertThat(requests(AccessPattern.STRIDED, 40)).containsExactly(0, 16, 32);
    }

    @Test
    void shouldCheckEveryByteThroughEveryContender() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Path csv = dir.resolve("runs.csv");
        PatternOptions options =
                PatternOptions.of(
                        new String[] {
                            "--size=1m",
                            "--requests=100,8k",
                            "--threads=1,2",
                            "--cache=warm",
                            "--rule=pf/cache=256k/page=16k",
                            "--rounds=2",
                            "--check",
                            "--dir=" + dir,
                            "--csv=" + csv
                        });

        new Patterns(options, new PrintStream(printed, true, StandardCharsets.UTF_8)).run();

        int cases = 6 * 2 * 2;
        assertThat(Files.readAllLines(csv)).hasSize(1 + cases * 2 * 2);
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.contains("pf/cache=256k/page=16k"))
                .hasSize(cases);
        try (var left = Files.list(dir)) {
            assertThat(left).containsExactly(csv);
        }
    }

    @Test
    void shouldFailOnAWrongByte() throws Exception {
        TestFile file = new TestFile(dir.resolve("file"), 1 << 16, 4096);
        byte[] bytes = Files.readAllBytes(file.path());
        bytes[5000]++;
        Files.write(file.path(), bytes);
        Contender contender = new ChannelContender(true);
        PatternCase of = new PatternCase(AccessPattern.FORWARD, 4096, 1, false);

        assertThatThrownBy(() -> contender.run(of, file, 16, Long.MAX_VALUE / 2))
                .hasMessageContaining("wrong bytes at 4096 through jdk");
    }

    @Test
    void shouldGiveMediansOfTheRatiosOfEachRound() {
        PatternCase of = new PatternCase(AccessPattern.FORWARD, 4096, 1, true);
        PatternResult result =
                new PatternResult(
                        of, List.of(new ChannelContender(false), new ChannelContender(false)));
        long[] slow = {4_000_000_000L, 8_000_000_000L, 1_000_000_000L};
        long[] fast = {1_000_000_000L, 4_000_000_000L, 1_000_000_000L};
        for (int round = 0; round < 3; round++) {
            result.add(0, new Contender.Run(slow[round], 2_000_000_000L, 1_000_000_000, 1));
            result.add(1, new Contender.Run(fast[round], 500_000_000L, 1_000_000_000, 1));
        }

        assertThat(result.lines().get(1).strip().split(" +"))
                .containsExactly(
                        "jdk", "1000.0", "1000.0", "250.0..1000.0", "2.00", "-", "0.500", "0.25");
    }

    @Test
    void shouldReadSizesAsRulesDo() {
        assertThat(PatternOptions.of(new String[] {"--size=8M"}).size()).isEqualTo(8L << 20);
        assertThat(PatternOptions.of(new String[] {"--fio-bs=4097"}).fioBytes()).isEqualTo(4097);
        assertThat(PatternOptions.size(8L << 20)).isEqualTo("8m");
        assertThat(PatternOptions.size(100)).isEqualTo("100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--patterns=sideways | --patterns: no pattern sideways",
                "--size= | --size: bytes, as 100, 64k or 1g, not ''",
                "--size=9999999999999t | --size: bytes, as 100, 64k or 1g, not '9999999999999t'",
                "--requests=0 | --requests: bytes, as 100, 64k or 1g, not '0'",
                "--requests=2g | --requests: from 1 to 1g bytes, not 2g",
                "--threads=x | --threads: a number of at least 1, not 'x'",
                "--seconds=NaN | --seconds: as 1 or 0.2, not 'NaN'",
                "--dir=/dev/null | --dir: /dev/null is not a directory",
                "--csv=/dev/null/runs | --csv: /dev/null is not a directory"
            },
            quoteCharacter = '`')
    void shouldSayWhatAnOptionTakes(String option, String message) {
        assertThatThrownBy(() -> PatternOptions.of(new String[] {option}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static long[] requests(AccessPattern pattern, long requests) {
        return LongStream.range(0, pattern.visits(requests))
                .map(visit -> pattern.request(visit, requests))
                .toArray();
    }
}
