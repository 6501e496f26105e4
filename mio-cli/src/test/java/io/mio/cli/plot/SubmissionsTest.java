package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.MadeEvents;
import io.mio.stats.TraceOperation;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests in flight, and those that never come back. */
class SubmissionsTest {
    @Test
    void shouldCountWhatHasNotComeBackWhateverTheOrder() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            Submissions submissions = new Submissions();
            Set<Integer> half = new HashSet<>();
            Set<Integer> submitted = new HashSet<>();
            for (int i = 0; i < 20_000; i++) {
                int number = random.nextInt(2000);
                boolean known = half.contains(number);
                boolean end = known == submitted.contains(number);
                if (known) {
                    half.remove(number);
                    submitted.remove(number);
                } else {
                    half.add(number);
                    end = random.nextInt(4) == 0;
                    if (!end) {
                        submitted.add(number);
                    }
                }
                submissions.add(
                        end
                                ? MadeEvents.ended(TraceOperation.AREAD, 1, i, 1, 0, 1, number)
                                : MadeEvents.submitted(TraceOperation.AREAD, 1, i, number),
                        Stage.PROGRAM,
                        true);
            }
            assertThat(submissions.pending()).as("seed %d", seed).isEqualTo(submitted.size());
            assertThat(submissions.isFull()).isFalse();
        }
    }

    @Test
    void shouldFollowNoMoreThanItHasRoomFor() {
        Submissions submissions = new Submissions();
        for (int i = 0; i < 100_000; i++) {
            submissions.add(
                    MadeEvents.submitted(TraceOperation.AWRITE, 1, i, i), Stage.PROGRAM, true);
        }
        assertThat(submissions.isFull()).isTrue();
        assertThat(submissions.pending()).isEqualTo(1 << 16);
    }
}
