package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PfExpectationTest {
    private static final PfExpectation ORIGINAL =
            PfExpectation.of(OriginalRuns.BYTES, OriginalRuns.RECORDS);

    @Test
    void shouldGiveTheOriginalsFigures() {
        assertThat(ORIGINAL)
                .isEqualTo(
                        new PfExpectation(
                                6836, 6836, 6835, 13622, 14336000000L, 28567273472L, 140000, 6840));
    }

    /** A file of full pages has no short page; a file that fits into the cache is not read. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, 0, 0",
        "2097152, 1, 1, 0, 0",
        "104857600, 50, 50, 0, 0",
        "104857601, 51, 50, 52, 106954753",
        "106954752, 51, 51, 52, 109051904",
        "268435456, 128, 128, 206, 432013312"
    })
    void shouldFollowTheSizeOfTheFile(
            long fileBytes, long pages, long behind, long reads, long readBytes) {
        PfExpectation expected = PfExpectation.of(fileBytes, 1);
        assertThat(expected.pageWrites()).isEqualTo(pages);
        assertThat(expected.writeBehinds()).isEqualTo(behind);
        assertThat(expected.pageReads()).isEqualTo(reads);
        assertThat(expected.pageReadBytes()).isEqualTo(readBytes);
        assertThat(expected.notPreread()).isEqualTo(pages + 4);
    }

    @Test
    void shouldFindNoDifferenceInTheOriginalsReport() throws IOException {
        assertThat(ORIGINAL.differences(OriginalRuns.pf())).isEmpty();
        assertThat(ORIGINAL.inWords(13622, 3))
                .contains("6836 page writes, 6835 of them behind")
                .contains("13622 page reads, 3 of them synchronous")
                .contains("6840/6840 pages not preread");
    }

    @ParameterizedTest
    @CsvSource({
        "/6836   -->, /6837   -->, 'page writes 6837, expected 6836'",
        "write             1, write             2, 'page writes traced 6837, expected 6836'",
        "14336000000/6836, 14336000001/6836, 'bytes of page writes 14336000001, expected"
                + " 14336000000'",
        "6835 write behinds, 6834 write behinds, 'write behinds 6834, expected 6835'",
        "/13622  <--, /13623  <--, 'page reads 13623, expected 13622'",
        "aread         13619, aread         13618, 'page reads traced 13621, expected 13622'",
        "28567273472, 28567273473, 'bytes of page reads 28567273473, expected 28567273472'",
        "6840/6840, 6839/6840, 'pages not preread 6839, expected 6840'",
        "6840/6840, 6840/6841, 'pages not to be preread 6841, expected 6840'",
        "/140000 -->, /140001 -->, 'writes of the program 140001, expected 140000'",
        "28672000000/, 28672000001/, 'bytes read by the program 28672000001, expected"
                + " 28672000000'"
    })
    void shouldNameACounterThatDiffers(String from, String to, String difference)
            throws IOException {
        assertThat(ORIGINAL.differences(OriginalRuns.pf(from, to))).containsExactly(difference);
    }

    @Test
    void shouldCountSynchronousReads() throws IOException {
        RunFigures run =
                OriginalRuns.pf(
                        "  read              3     1.72       6144       6144    2097152   "
                                + " 2097152\n  aread         13619",
                        "  read              4     1.72       6144       6144    2097152   "
                                + " 2097152\n  aread         13618");
        assertThat(ORIGINAL.differences(run))
                .isEqualTo(List.of("synchronous page reads 4, expected at most 3"));
    }

    /** A file a few caches long is a loop to {@code replace=auto}: what it keeps is its choice. */
    @Test
    void shouldLeaveTheReadsOfASmallFileToTheReplacement() throws IOException {
        PfExpectation small = PfExpectation.of(320L << 20, 3276);

        assertThat(small.differences(OriginalRuns.pf("/13622  <--", "/310  <--")))
                .noneMatch(difference -> difference.startsWith("page reads 3"));
        assertThat(small.differences(OriginalRuns.pf("/13622  <--", "/321  <--")))
                .contains("page reads 321, expected 270");
    }

    @Test
    void shouldRefuseARunWithoutPf() {
        assertThatThrownBy(() -> ORIGINAL.differences(OriginalRuns.trace()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no pf block");
    }
}
