package io.mio.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.term.Terminal;
import io.mio.live.LiveReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory of counter files that change, come and go between two readings. */
class FakeDirectoryTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir Path dir;

    private final Ledger ledger = new Ledger();
    private long nanos;

    @Test
    void shouldFollowFilesThatChangeComeAndGo() throws IOException {
        FakeCounterFile self = FakeCounterFile.ofThisProcess(dir).file("/a/x.dat").reads(10, 1000);
        self.write();
        assertThat(tick().total().totals().readBytes()).isEqualTo(1000);

        self.reads(30, 7000).write();
        FakeCounterFile killed = FakeCounterFile.killed(dir, "gone").file("y").reads(5, 50);
        killed.write();
        Tick second = tick();
        assertThat(second.total().growth().readBytes()).isEqualTo(6000);
        assertThat(second.total().growth().reads()).isEqualTo(20);
        assertThat(second.processes()).extracting(Row::program).containsExactly("gone", "self");
        assertThat(second.processes()).extracting(Row::killed).containsExactly(true, false);
        assertThat(second.files()).extracting(Row::file).containsExactly("y", "/a/x.dat");

        self.delete();
        Tick third = tick();
        assertThat(third.processes()).extracting(Row::program).containsExactly("gone");
        assertThat(third.total().growth().readBytes()).isZero();
        assertThat(third.processes().get(0).totals().readBytes()).isEqualTo(50);

        assertThat(LiveReader.clean(dir)).isEqualTo(1);
        assertThat(tick().processes()).isEmpty();
    }

    @Test
    void shouldSurviveNumbersOfAnySize() throws IOException {
        FakeCounterFile self = FakeCounterFile.ofThisProcess(dir).file("x");
        self.reads(Long.MAX_VALUE, Long.MIN_VALUE).write();
        Tick before = tick();
        self.reads(-1, Long.MAX_VALUE).number(64, Long.MIN_VALUE).write();
        Tick now = tick();
        View view = new View(View.Rows.PROCESSES, true, SortKey.BYTES, false, 0);
        for (Tick tick : List.of(before, now)) {
            for (boolean files : List.of(false, true)) {
                for (SortKey key : SortKey.values()) {
                    View each =
                            view.withRows(files ? View.Rows.FILES : View.Rows.PROCESSES)
                                    .withSort(key);
                    assertThat(screen(tick, each)).hasSize(10);
                    assertThat(screen(tick, each.withRates(false))).hasSize(10);
                }
            }
        }
    }

    private static List<String> screen(Tick tick, View view) {
        return new TopScreen(new Terminal(true, true, 80, false, true), ZoneOffset.UTC, false)
                .screen(tick, view, 10, 1);
    }

    private Tick tick() {
        nanos += SECOND;
        return ledger.add(LiveReader.read(dir), Samples.TIME, nanos);
    }
}
