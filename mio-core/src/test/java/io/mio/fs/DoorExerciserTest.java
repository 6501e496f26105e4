package io.mio.fs;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files with pages, used at random through the doors. A failure names the seed; {@code
 * -Dmio.test.seed=} repeats that run, except for what threads do to each other, which the scheduler
 * decides. {@code -Dmio.test.exercise=} is the number of calls over each stack; the profile {@code
 * exercise} makes them more than a million.
 */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@EnumSource(value = TestStack.class, names = "PF.*|AUTO", mode = EnumSource.Mode.MATCH_ALL)
class DoorExerciserTest {
    private static final int CALLS = Integer.getInteger("mio.test.exercise", 2000);

    @Parameter TestStack stack;
    @TempDir Path directory;

    @Test
    void shouldDoWhatThePlatformDoesByAllDoors() throws Exception {
        long seed = Long.getLong("mio.test.seed", System.nanoTime());
        try (DoorExerciser exerciser = new DoorExerciser(directory, stack.toString(), seed)) {
            exerciser.run(CALLS);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(stack + ", replay with -Dmio.test.seed=" + seed, e);
        }
    }
}
