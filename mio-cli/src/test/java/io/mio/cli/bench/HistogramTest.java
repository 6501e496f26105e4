package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "3, 3, 3",
        "4, 4, 4",
        "7, 7, 7",
        "8, 8, 9",
        "9, 8, 9",
        "10, 9, 11",
        "1023, 35, 1023",
        "1024, 36, 1279",
        "1000000, 75, 1048575",
        "9223372036854775807, 247, 9223372036854775807"
    })
    void shouldHaveFourBucketsForEachPowerOfTwo(long nanos, int bucket, long most) {
        assertThat(Histogram.bucket(nanos)).isEqualTo(bucket);
        assertThat(Histogram.bucketMost(bucket)).isEqualTo(most);
    }

    @Test
    void shouldPutEveryTimeBetweenTheEndsOfItsBucket() {
        for (int bucket = 1; bucket < 247; bucket++) {
            assertThat(Histogram.bucket(Histogram.bucketMost(bucket))).isEqualTo(bucket);
            assertThat(Histogram.bucket(Histogram.bucketMost(bucket) + 1)).isEqualTo(bucket + 1);
        }
    }

    @Test
    void shouldTellPercentilesAQuarterTooLongAtMost() {
        long seed = 20_261_122;
        Random random = new Random(seed);
        long[] times = new long[10_000];
        Histogram histogram = new Histogram();
        for (int i = 0; i < times.length; i++) {
            times[i] = 1L << random.nextInt(30) | random.nextInt(1 << 10);
            histogram.add(times[i]);
        }
        Arrays.sort(times);
        for (double share : new double[] {0.0001, 0.5, 0.9, 0.99, 0.999, 1}) {
            long exact = times[(int) Math.ceil(share * times.length) - 1];
            assertThat(histogram.percentile(share))
                    .as("seed %d, share %f", seed, share)
                    .isBetween(exact, exact + exact / 4);
        }
        assertThat(histogram.percentile(1)).isEqualTo(times[times.length - 1]);
        assertThat(histogram.most()).isEqualTo(times[times.length - 1]);
        assertThat(histogram.count()).isEqualTo(times.length);
    }

    @Test
    void shouldBeTheSameWhenItIsAddedUpFromParts() {
        Histogram all = new Histogram();
        Histogram one = new Histogram();
        Histogram other = new Histogram();
        for (long i = 0; i < 1000; i++) {
            all.add(i * i);
            (i % 3 == 0 ? one : other).add(i * i);
        }
        one.add(other);
        assertThat(one.toWords()).isEqualTo(all.toWords());
        assertThat(one.most()).isEqualTo(999 * 999);
        assertThat(Histogram.ofWords(one.toWords(), one.most()).percentile(0.5))
                .isEqualTo(all.percentile(0.5));
    }

    @Test
    void shouldBeZeroWithoutTimes() {
        assertThat(new Histogram().percentile(0.5)).isZero();
        assertThat(new Histogram().toWords()).isEmpty();
        assertThat(Histogram.ofWords("", 0).count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"x", "1", "-1:1", "252:1", "1:x", "1:1:1"})
    void shouldRefuseWordsThatAreNoBuckets(String words) {
        assertThatThrownBy(() -> Histogram.ofWords(words, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
