package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Counts by series, time and bucket, which are exact and take little room. */
class DistributionBuilderTest {
    @Test
    void shouldCountWhatAMapCounts() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            long begin = random.nextInt(1000) - 500L;
            long span = 1L + random.nextInt(1_000_000);
            DistributionBuilder builder = new DistributionBuilder(begin, begin + span);
            long binNanos = builder.distribution(10).binNanos();
            long[] largest = new long[10];
            Map<String, Long> expected = new TreeMap<>();
            for (int i = 0; i < 5000; i++) {
                int series = random.nextInt(5);
                long at = begin + random.nextLong(span + 1);
                long value = random.nextLong(1L << random.nextInt(62) + 1);
                builder.add(series, at, value);
                String key =
                        String.format(
                                "%d %03d %03d", series, (at - begin) / binNanos, Buckets.of(value));
                expected.merge(key, 1L, Long::sum);
                largest[series] = Math.max(largest[series], value);
            }
            assertThat(builder.distribution(10).largest())
                    .containsExactlyElementsOf(Arrays.stream(largest).boxed().toList());
            assertThat(builder.distribution(10).counts())
                    .as("seed %d", seed)
                    .extracting(
                            count ->
                                    String.format(
                                            "%d %03d %03d=%d",
                                            count.series(),
                                            count.bin(),
                                            count.bucket(),
                                            count.events()))
                    .containsExactlyElementsOf(
                            expected.entrySet().stream()
                                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                                    .toList());
        }
    }

    @Test
    void shouldStayWithinItsRoomAndLoseNothing() {
        for (int room : new int[] {20, 300, 3000}) {
            DistributionBuilder builder = new DistributionBuilder(0, 1_000_000, room);
            Random random = new Random(room);
            for (int i = 0; i < 50_000; i++) {
                builder.add(i % 10, random.nextInt(1_000_001), random.nextLong(Long.MAX_VALUE));
            }
            Distribution made = builder.distribution(10);
            assertThat(made.counts()).hasSizeLessThanOrEqualTo(room);
            assertThat(made.counts().stream().mapToLong(Distribution.Count::events).sum())
                    .isEqualTo(50_000);
            assertThat(made.binNanos()).isGreaterThan(1_000_000 / 256 + 1);
            assertThat(made.counts())
                    .allMatch(count -> (long) count.bin() * made.binNanos() <= 1_000_000);
        }
    }
}
