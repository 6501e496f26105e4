package io.mio.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.stats.FileSum;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoughTest {
    private static final long RUN = 10_000_000_000L;
    private static final long GIB = 1L << 30;
    private static final long MEMORY = 256 << 20;
    private static final String PAGES = "pf/cache=32m/page=1m/direct";

    /** The profile of a file of 1 GiB, from its report. */
    private static FileProfile file(long readNanos, Long... patterns) {
        return writtenFile(0, readNanos, patterns);
    }

    private static FileProfile writtenFile(long writes, long readNanos, Long... patterns) {
        return FileProfile.of(
                new FileSum(
                        "/d/a.dat",
                        "program",
                        RUN,
                        GIB / 4096,
                        writes,
                        GIB,
                        writes * 4096,
                        readNanos,
                        0,
                        0,
                        GIB,
                        List.of(patterns)));
    }

    private static String rule(long readNanos, Long... patterns) {
        return Rough.rule(file(readNanos, patterns), RUN, MEMORY);
    }

    private static String alone(FileProfile file, long runNanos) {
        return Rough.alone(new Group(List.of(file.path), List.of(file), file, null), runNanos);
    }

    @Test
    void shouldTellTheKernelOfWhatItCannotForesee() {
        assertThat(rule(RUN / 2, 0L, GIB, 0L, 0L)).isEqualTo(Candidates.HINTS);
        assertThat(rule(RUN / 2, 0L, 0L, GIB, 0L)).isEqualTo(Candidates.HINTS);
    }

    @Test
    void shouldGivePagesToForwardReadsThatAreSlow() {
        assertThat(rule(RUN / 2, GIB, 0L, 0L, 0L)).isEqualTo(PAGES);
    }

    @Test
    void shouldLeaveTheOthersAlone() {
        assertThat(rule(RUN / 2, 0L, 0L, 0L, GIB)).isNull();
        assertThat(rule(RUN / 20, GIB, 0L, 0L, 0L)).isNull();
        assertThat(rule(RUN / 100, 0L, GIB, 0L, 0L)).isNull();
        assertThat(alone(file(RUN / 20, GIB, 0L, 0L, 0L), RUN))
                .isEqualTo("it comes as fast as out of memory");
        assertThat(alone(file(RUN / 2, 0L, 0L, 0L, GIB), RUN)).startsWith("read at random");
    }

    @Test
    void shouldSayOfAReportOnlyWhatItKnows() {
        assertThat(Words.does(file(RUN / 2, GIB, 0L, 0L, 0L), RUN))
                .isEqualTo(
                        "reads 1.00 GiB forward; requests of 4.00 KiB. 262 144 reads take 5.00 s,"
                                + " 50.0 % of the run");
    }

    @Test
    void shouldGiveNoRuleWhereThePartsOfItAreNotKnown() {
        assertThat(Rough.rule(file(RUN / 2), RUN, MEMORY)).isNull();
        assertThat(alone(file(RUN / 2), RUN)).contains("in which order");
        assertThat(Rough.rule(file(FileSum.UNKNOWN, GIB, 0L, 0L, 0L), RUN, MEMORY)).isNull();
        assertThat(alone(file(FileSum.UNKNOWN, GIB, 0L, 0L, 0L), RUN))
                .contains("how long its calls take");
        assertThat(Rough.rule(file(RUN / 2, GIB, 0L, 0L, 0L), FileSum.UNKNOWN, MEMORY)).isNull();
        assertThat(alone(file(RUN / 2, GIB, 0L, 0L, 0L), FileSum.UNKNOWN))
                .contains("how long the program ran");
    }

    @Test
    void shouldSayWhatIsDoneWithFilesOfNoRequests() {
        FileProfile file = new FileProfile("/d/a.dat");
        assertThat(Words.does(file, RUN)).isEqualTo("neither read nor written");
        file.opens = 1;
        assertThat(Words.does(file, RUN)).isEqualTo("opened once, neither read nor written");
        file.opens = 2000;
        file.mmaps = 1;
        assertThat(Words.does(file, RUN))
                .isEqualTo("opened 2 000 times, neither read nor written, but mapped");
        file.counted = false;
        assertThat(Words.does(file, RUN)).isEqualTo("not told by the report");
        assertThat(alone(file, RUN))
                .isEqualTo("the report does not tell how much is read and written");
    }

    @Test
    void shouldSayWhyAFileIsLeftAloneWhereTimesAreNotKnown() {
        FileProfile file = file(FileSum.UNKNOWN, GIB, 0L, 0L, 0L);
        file.readBytes = (1 << 20) - 1;
        assertThat(alone(file, RUN)).isEqualTo("less than 1.00 MiB is read: nothing to gain");
        file.readBytes = 0;
        file.reads = 0;
        file.writes = 1;
        assertThat(alone(file, RUN)).isEqualTo(Words.ONLY_WRITTEN);
        file.writes = 0;
        assertThat(alone(file, RUN)).isEqualTo(Words.NO_CALLS);
    }

    @Test
    void shouldSayThatItIsTheWritesThatTakeTime() {
        FileProfile file = writtenFile(100, RUN / 100, GIB, 0L, 0L, 0L);
        file.writeNanos = RUN / 2;
        assertThat(alone(file, RUN))
                .isEqualTo(
                        "its reads take 1.0 % of the run, and writes the kernel does while the"
                                + " program runs on");
    }

    @Test
    void shouldGiveNoPagesToFilesThatAreWritten() {
        FileProfile written = writtenFile(GIB / 8192, RUN, GIB, 0L, 0L, 0L);

        assertThat(Rough.rule(written, RUN, MEMORY)).isNull();
        assertThat(alone(written, RUN)).startsWith("it is written, too");
        assertThat(Rough.rule(writtenFile(GIB / 8192, RUN, 0L, GIB, 0L, 0L), RUN, MEMORY))
                .isEqualTo(Candidates.HINTS);
        assertThat(Rough.rule(writtenFile(1, RUN, GIB, 0L, 0L, 0L), RUN, MEMORY)).isNull();
    }

    @Test
    void shouldTakeNoMoreMemoryThanAllowed() {
        FileProfile forward = file(RUN / 2, GIB, 0L, 0L, 0L);

        for (long allowed = 0; allowed <= 64; allowed += 4) {
            String rule = Rough.rule(forward, RUN, allowed << 20);
            assertThat(Rough.memoryBytes(rule)).isLessThanOrEqualTo(allowed << 20);
            assertThat(rule == null).isEqualTo(allowed < 8);
        }
        assertThat(alone(forward, RUN))
                .isEqualTo("pages need a cache of 8.00 MiB, more than is left of --memory");
        assertThat(Rough.rule(file(RUN / 2, 0L, GIB, 0L, 0L), RUN, 0)).isEqualTo(Candidates.HINTS);
    }
}
