package io.mio.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares what the exerciser does for a seed with the golden case, which the native tests read,
 * too. {@code -Dmio.test.golden=write} writes the case anew.
 */
@Tag("backends")
class ExerciserOperationsTest {
    private static final Path GOLDEN =
            Path.of("src", "test", "resources", "twin", "exerciser", "operations.txt");

    /** The seeds; the first round of each one is listed, and one of these rounds has threads. */
    private static final long[] SEEDS = {1, 2, 20260101};

    private static final int LISTED = 200;
    private static final int SUMMED = 3000;

    @TempDir Path directory;

    @Test
    void shouldDoTheOperationsOfTheGoldenCase() throws Exception {
        StringBuilder text = new StringBuilder();
        for (long seed : SEEDS) {
            text.append("== first operations of seed ").append(seed).append("\nseed: ");
            text.append(seed).append("\ncalls: ").append(LISTED).append('\n');
            operations(seed, LISTED).forEach(line -> text.append(line).append('\n'));
            List<String> all = operations(seed, SUMMED);
            CRC32 crc = new CRC32();
            all.forEach(line -> crc.update((line + "\n").getBytes(UTF_8)));
            text.append("\n== many operations of seed ").append(seed).append("\nseed: ");
            text.append(seed).append("\ncalls: ").append(SUMMED).append("\nlines: ");
            text.append(all.size()).append("\nsum: ");
            text.append(String.format("%08x", crc.getValue())).append("\n\n");
        }
        if ("write".equals(System.getProperty("mio.test.golden"))) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, text);
        }
        assertEquals(Files.readString(GOLDEN), text.toString());
    }

    private List<String> operations(long seed, int calls) throws Exception {
        List<String> lines = new ArrayList<>();
        Path own = Files.createDirectory(directory.resolve(seed + "." + calls));
        try (DoorExerciser exerciser =
                new DoorExerciser(own, TestStack.PF.toString(), seed, lines::add)) {
            exerciser.run(calls);
        }
        return lines;
    }
}
