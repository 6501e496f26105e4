package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CoverageTest {
    private static final int SIDE = 20;

    private static double[][] take(Coverage coverage) {
        double[][] shares = new double[SIDE][SIDE];
        coverage.take((x, y, share) -> shares[y][x] = share);
        return shares;
    }

    private static double sum(double[][] shares) {
        double sum = 0;
        for (double[] row : shares) {
            for (double share : row) {
                sum += share;
            }
        }
        return sum;
    }

    private static void rectangle(Coverage coverage, double x0, double y0, double x1, double y1) {
        coverage.edge(x0, y0, x1, y0);
        coverage.edge(x1, y0, x1, y1);
        coverage.edge(x1, y1, x0, y1);
        coverage.edge(x0, y1, x0, y0);
    }

    @Test
    void shouldCoverPixelsByTheirShare() {
        Coverage coverage = new Coverage(SIDE, SIDE);
        rectangle(coverage, 1.25, 2.5, 3.5, 4);
        double[][] shares = take(coverage);
        assertThat(shares[2][1]).isEqualTo(0.75 * 0.5);
        assertThat(shares[2][2]).isEqualTo(0.5);
        assertThat(shares[3][2]).isEqualTo(1);
        assertThat(shares[3][3]).isEqualTo(0.5);
        assertThat(sum(shares)).isEqualTo(2.25 * 1.5);
    }

    @Test
    void shouldUniteWhatOverlapsAndForgetWhatWasTaken() {
        Coverage coverage = new Coverage(SIDE, SIDE);
        rectangle(coverage, 2, 2, 8, 8);
        rectangle(coverage, 4, 4, 10, 10);
        assertThat(sum(take(coverage))).isEqualTo(36 + 36 - 16);
        assertThat(sum(take(coverage))).isZero();
    }

    @Test
    void shouldLeaveOutWhatIsBesideTheClip() {
        Coverage coverage = new Coverage(SIDE, SIDE);
        coverage.clip(5, 5, 10, 9);
        rectangle(coverage, -100, -100, 100, 100);
        double[][] shares = take(coverage);
        assertThat(sum(shares)).isCloseTo(20, within(1e-9));
        assertThat(shares[5][5]).isEqualTo(1);
        assertThat(shares[5][4]).isZero();
        assertThat(shares[8][9]).isEqualTo(1);
        assertThat(shares[9][9]).isZero();
    }

    @Test
    void shouldCoverTheAreaOfTriangles() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            double[] x = random.doubles(3, 0, SIDE).toArray();
            double[] y = random.doubles(3, 0, SIDE).toArray();
            Coverage coverage = new Coverage(SIDE, SIDE);
            for (int i = 0; i < 3; i++) {
                coverage.edge(x[i], y[i], x[(i + 1) % 3], y[(i + 1) % 3]);
            }
            double area =
                    Math.abs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])) / 2;
            // Parts that cover less than 1/512 of a pixel are left out.
            assertThat(sum(take(coverage))).as("seed %d", seed).isCloseTo(area, within(0.08));
        }
    }

    @Test
    void shouldBearNumbersThatMakeNoSense() {
        Coverage coverage = new Coverage(SIDE, SIDE);
        coverage.edge(Double.NaN, 0, 5, 5);
        coverage.edge(0, Double.POSITIVE_INFINITY, 5, 5);
        coverage.edge(1e300, -1e300, 5, 5);
        assertThat(sum(take(coverage))).isZero();
    }
}
