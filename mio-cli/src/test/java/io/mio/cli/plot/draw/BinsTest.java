package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BinsTest {
    @Test
    void shouldSpreadAmountsAsTheTimeInEachBin() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int count = 1 + random.nextInt(20);
            double to = 1 + random.nextInt(1000);
            Bins bins = new Bins(0, to, count);
            double[] expected = new double[count];
            double width = to / count;
            for (int i = 0; i < 50; i++) {
                double start = random.nextDouble() * to;
                double end =
                        random.nextInt(4) == 0 ? start : start + random.nextDouble() * (to - start);
                double amount = random.nextInt(1000);
                bins.add(start, end, amount);
                for (int bin = 0; bin < count; bin++) {
                    double from = Math.max(start, bin * width);
                    double until = Math.min(end, (bin + 1) * width);
                    if (end == start) {
                        expected[bin] +=
                                (int) Math.min(count - 1, start / width) == bin ? amount : 0;
                    } else if (until > from) {
                        expected[bin] += amount * (until - from) / (end - start);
                    }
                }
            }
            double[] sums = bins.sums();
            for (int bin = 0; bin < count; bin++) {
                assertThat(sums[bin])
                        .as("seed %d, bin %d", seed, bin)
                        .isCloseTo(expected[bin], within(1e-6));
            }
        }
    }
}
