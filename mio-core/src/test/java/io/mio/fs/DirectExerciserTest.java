package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.stack.SmallMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Like {@link DoorExerciserTest}, where {@code pf/auto} reads past the kernel's cache: opens begin
 * and stop doing so while others use the file.
 */
@Tag("backends")
class DirectExerciserTest {
    private static final int CALLS = Integer.getInteger("mio.test.exercise", 8000);

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"pf/auto", "trace | pf/auto | trace"})
    void shouldDoWhatThePlatformDoesByAllDoors(String layers) throws Exception {
        Path probe = Files.createFile(directory.resolve("probe"));
        assumeTrue(DirectSupport.isThere(probe), "the file system takes no direct I/O");
        long seed = Long.getLong("mio.test.seed", System.nanoTime());
        try (DoorExerciser exerciser = DoorExerciser.pastKernel(directory, layers, seed)) {
            exerciser.run(CALLS);
            assertThat(exerciser.pastKernel()).as("opens past the kernel's cache").isPositive();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(layers + ", replay with -Dmio.test.seed=" + seed, e);
        }
        assertThat(SmallMemory.usedBytes()).as("memory of files that are closed").isZero();
    }
}
