package io.mio.cli.advise;

import static io.mio.cli.advise.AdvisorTest.DEVICE;
import static io.mio.cli.advise.AdvisorTest.MEMORY;
import static io.mio.cli.advise.AdvisorTest.REQUEST;
import static io.mio.cli.advise.AdvisorTest.SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.MadeEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often files are gone through: by each process, each file for itself. */
class PassesTest {
    @TempDir Path dir;

    private Advice advice(AdvisorTest.Program body) throws IOException {
        Path events = dir.resolve("made.events");
        return AdvisorTest.one(
                AdvisorTest.advised(events, MEMORY, List.of(), DEVICE, body), "x.dat");
    }

    /** The advice for two recordings, each of a process of the same number. */
    private Advice ofTwoRuns(int passes) throws IOException {
        List<Path> runs = List.of(dir.resolve("one.events"), dir.resolve("two.events"));
        for (Path each : runs) {
            try (MadeProgram program = new MadeProgram(each)) {
                read(program, 5, passes);
            }
        }
        return AdvisorTest.one(AdvisorTest.advised(runs, List.of(), MEMORY, DEVICE), "x.dat");
    }

    private static void read(MadeProgram program, long inode, int passes) throws IOException {
        read(program, inode, passes, SIZE);
    }

    private static void read(MadeProgram program, long inode, int passes, int bytes)
            throws IOException {
        for (int pass = 0; pass < passes; pass++) {
            int file = program.open("x.dat", inode, Math.max(bytes, SIZE));
            for (int at = 0; at < bytes; at += REQUEST) {
                program.read(file, at, REQUEST, 8_000);
            }
            program.finish(file);
        }
    }

    private static boolean isLoop(Tried tried) {
        return tried.rule().matches("pf/cache=\\d+m/page=1m/direct")
                && !tried.rule().contains("=32m/");
    }

    @Test
    void shouldTellFilesOfOneNameApart() throws Exception {
        Advice advice =
                advice(
                        program -> {
                            read(program, 5, 1);
                            read(program, 6, 1);
                        });

        assertThat(advice.does()).startsWith("reads 32.0 MiB forward, once; ");
        assertThat(advice.why()).doesNotContain("read again");
        assertThat(advice.tried()).noneMatch(PassesTest::isLoop);
    }

    @Test
    void shouldTellProcessesApart() throws Exception {
        Advice advice =
                advice(
                        program -> {
                            read(program, 5, 1);
                            for (int i = 1; i < 4; i++) {
                                program.another(MadeEvents.PROCESS + i);
                                read(program, 5, 1);
                            }
                        });

        assertThat(advice.does()).contains("reads 64.0 MiB forward, once; ", "; 4 processes");
        assertThat(advice.why()).doesNotContain("read again");
        assertThat(advice.tried()).noneMatch(PassesTest::isLoop);
    }

    @Test
    void shouldKnowAFileThatAProcessOpensAgain() throws Exception {
        Advice advice =
                advice(
                        program -> {
                            read(program, 5, 2);
                            program.another(MadeEvents.PROCESS + 1);
                            read(program, 5, 2);
                        });

        assertThat(advice.does()).contains("reads 64.0 MiB forward, 2.0 times; ");
        // Each process has a cache of its own, which holds the file once.
        assertThat(advice.tried())
                .extracting(Tried::rule)
                .contains("pf/cache=32m/page=1m/direct")
                .doesNotContain("pf/cache=48m/page=1m/direct");
    }

    @Test
    void shouldHaveACacheForTheProcessThatReadsAllOfIt() throws Exception {
        Advice advice =
                advice(
                        program -> {
                            read(program, 5, 3, 4 * SIZE);
                            for (int i = 1; i < 4; i++) {
                                program.another(MadeEvents.PROCESS + i);
                                read(program, 5, 1, REQUEST);
                            }
                        });

        assertThat(advice.tried()).extracting(Tried::rule).contains("pf/cache=80m/page=1m/direct");
    }

    @Test
    void shouldTellRunsApart() throws Exception {
        assertThat(ofTwoRuns(1).does()).startsWith("reads 32.0 MiB forward, once; ");
    }

    @Test
    void shouldHaveACacheForOneRunWhereEachHasAProcessOfTheSameNumber() throws Exception {
        Advice advice = ofTwoRuns(2);

        assertThat(advice.does()).contains("2.0 times; ", "; 2 processes");
        assertThat(advice.tried())
                .extracting(Tried::rule)
                .contains("pf/cache=32m/page=1m/direct")
                .doesNotContain("pf/cache=48m/page=1m/direct");
    }
}
