package io.mio.recov;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import io.mio.stack.StackBuilder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/recov/opens.txt}, which the C side reads as well. */
class RecovLayersTest {
    @TempDir private Path directory;
    private int opens;

    static Stream<Named<GoldenCase>> opens() {
        return GoldenCase.readTwin("recov/opens.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    private static IOException failure(String word) {
        return switch (word) {
            case "refused" -> new FileSystemException("f", null, "Connection refused");
            case "space" -> new FileSystemException("f", null, "No space left on device");
            case "missing" -> new NoSuchFileException("f");
            default -> throw new IllegalArgumentException(word);
        };
    }

    private String open(StackBuilder stacks, String... failures) {
        try {
            stacks.<String>opening(
                    stacks.match("f"),
                    "f",
                    () -> {
                        if (opens++ < failures.length) {
                            throw failure(failures[opens - 1]);
                        }
                        return "open";
                    });
            return Integer.toString(opens);
        } catch (IOException e) {
            return opens + " fails";
        }
    }

    private static List<String> lines(Path log) throws IOException {
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    @ParameterizedTest
    @MethodSource("opens")
    void shouldHaveEveryRecovLayerTryToOpenFromTheLowestUp(GoldenCase golden) throws IOException {
        Path log = directory.resolve("log");
        String rule = golden.value("rule").replace("@", log.toString());
        StackBuilder stacks =
                StackBuilder.load(
                        Map.of(
                                "files",
                                "* [ " + rule + " ]",
                                "stats",
                                directory.resolve("stats").toString()),
                        FileSystems.getDefault());

        assertThat(open(stacks, golden.value("failures").split(" ")))
                .isEqualTo(golden.value("opens"));
        assertThat(String.join(" ", lines(log))).isEqualTo(golden.value("log"));
    }
}
