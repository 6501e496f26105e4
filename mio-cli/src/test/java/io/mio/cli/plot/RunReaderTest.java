package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is drawn of events files, and what is said about the rest. */
class RunReaderTest {
    @TempDir private Path directory;

    private Path file() {
        return directory.resolve("run.mio");
    }

    private RunPlot read(int marksMax, int filesMax) throws IOException {
        return RunReader.read(
                file(),
                "run",
                new PlotOptions(marksMax, filesMax, reader -> event -> true, "", count -> {}));
    }

    private RunPlot read() throws IOException {
        return read(1000, 10);
    }

    private RunPlot read(Predicate<Event> filter, String filtered) throws IOException {
        return RunReader.read(
                file(), "run", new PlotOptions(1000, 10, reader -> filter, filtered, count -> {}));
    }

    private static List<Mark> marks(RunPlot run, What what) {
        Marks all = run.levels().get(run.levels().size() - 1).marks();
        List<Mark> found = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (run.series().get(all.get(i).series()).what() == what) {
                found.add(all.get(i));
            }
        }
        return found;
    }

    @Test
    void shouldTellTheStageOfEachLayer() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            int[] files = {
                made.file("alone", 1, 1, "program", "os", 1),
                made.file("over-pf", 2, 1, "program", "pf", 1),
                made.file("under-pf", 3, 2, "pf", "aix", 1),
                made.file("under-recov", 4, 2, "recov", "pf", 1),
                made.file("between", 5, 2, "trace", "pf", 1),
                made.file("over-recov", 6, 4, "pf", "recov", 1)
            };
            for (int i = 0; i < files.length; i++) {
                made.add(MadeEvents.call(TraceOperation.READ, files[i], i, 1, 0, 600 - i));
            }
        }
        assertThat(read().files())
                .extracting(found -> found.path() + " " + found.totals().keySet())
                .containsExactly(
                        "alone [PROGRAM]",
                        "over-pf [PROGRAM]",
                        "under-pf [SYSTEM]",
                        "under-recov [PROGRAM]",
                        "between [BETWEEN]",
                        "over-recov [SYSTEM]");
    }

    @Test
    void shouldTakeOpensOfOneFileTogetherAndNotThoseOfAnInodeUsedAgain() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            int[] files = {
                made.file("/data/x", 1),
                made.file("./x", 1),
                made.file("/data/x", 2),
                made.file("/data/y", 1),
                made.file("z", 0),
                made.file("z", 0)
            };
            for (int i = 0; i < files.length; i++) {
                made.add(MadeEvents.call(TraceOperation.OPEN, files[i], 10L * i, 1, -1, 0));
                made.add(MadeEvents.call(TraceOperation.READ, files[i], 10L * i, 5, i, 100));
            }
        }
        assertThat(read().files())
                .extracting(PlotFile::path, PlotFile::opens, PlotFile::sizeBytes)
                .containsExactly(
                        tuple("/data/x", 3L, 102L),
                        tuple("z", 2L, 105L),
                        tuple("/data/y", 1L, 103L));
    }

    @Test
    void shouldDrawFilesThatMovedLeastAsOne() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            for (int i = 1; i <= 20; i++) {
                int file = made.file("/f" + i, i);
                made.add(MadeEvents.call(TraceOperation.WRITE, file, i, 1, 0, 1000 + i));
            }
        }
        RunPlot run = read(1000, 4);
        assertThat(run.files())
                .extracting(PlotFile::path)
                .containsExactly("/f20", "/f19", "/f18", "(17 other files)");
        PlotFile others = run.files().get(3);
        assertThat(others.others()).isTrue();
        assertThat(others.totals().get(Stage.PROGRAM).writes()).isEqualTo(17);
        assertThat(others.totals().get(Stage.PROGRAM).writeBytes()).isEqualTo(17 * 1009);
        assertThat(run.notes())
                .containsExactly("17 files that moved least are drawn as one, called other files.");
    }

    private static final long PAGE = 4096;

    private void pages(MadeEvents made, int file) throws IOException {
        made.add(page(PageOperation.PREFETCH_ISSUED, file, 10, 0, 0, 0));
        made.add(page(PageOperation.DEMAND_READ, file, 11, 0, 1, 1));
        made.add(page(PageOperation.ARRIVED, file, 11, 4, 1, 1));
        made.add(page(PageOperation.ARRIVED, file, 10, 10, 0, 0));
        made.add(page(PageOperation.PREFETCH_USED, file, 25, 0, 0, 0));
        made.add(page(PageOperation.PREPARED, file, 30, 0, 2, 2));
        made.add(page(PageOperation.PREFETCH_ISSUED, file, 31, 0, 3, 3));
        made.add(page(PageOperation.ARRIVED, file, 31, 4, 3, 3));
        made.add(page(PageOperation.WRITTEN, file, 36, 4, 2, 2));
        made.add(page(PageOperation.EVICT, file, 50, 0, 3, 3));
        made.add(page(PageOperation.DROPPED, file, 60, 0, 0, 0));
        made.add(page(PageOperation.PREFETCH_ISSUED, file, 70, 0, 9, 3));
        made.add(page(PageOperation.HIT, file, 100, 0, 1, 1));
    }

    private static Event page(
            PageOperation operation, int file, long start, long nanos, long page, long frame) {
        return MadeEvents.page(operation, file, start, nanos, page * PAGE, PAGE, frame, false);
    }

    @Test
    void shouldFollowPagesFromTheirArrivalToTheirEnd() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            pages(made, made.pages("/x", 1, (int) PAGE, 8));
        }
        RunPlot run = read();
        assertThat(spans(run, What.PAGE_PREFETCHED)).containsExactly("20-60 at 0");
        assertThat(spans(run, What.PAGE_DEMANDED)).containsExactly("15-100 at 1");
        assertThat(spans(run, What.PAGE_PREPARED)).containsExactly("30-100 at 2");
        assertThat(spans(run, What.PAGE_UNUSED)).containsExactly("35-50 at 3");
        assertThat(spans(run, What.PAGE_READING))
                .containsExactly("10-20 at 0", "11-15 at 1", "31-35 at 3");
        // The code tells what a request was made for.
        assertThat(marks(run, What.PAGE_READING)).extracting(Mark::code).containsExactly(3, 7, 3);
        assertThat(spans(run, What.PAGE_WRITING)).containsExactly("36-40 at 2");
        assertThat(spans(run, What.PAGE_EVICTED)).containsExactly("50-50 at 3");
        assertThat(run.notes()).containsExactly("1 read of a page had not ended: not drawn.");
    }

    private static List<String> spans(RunPlot run, What what) {
        return marks(run, what).stream()
                .map(
                        mark ->
                                mark.startNanos()
                                        + "-"
                                        + mark.endNanos()
                                        + " at "
                                        + mark.offset() / PAGE)
                .toList();
    }

    @Test
    void shouldShowInAWindowWhatBecameResidentBeforeIt() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            pages(made, made.pages("/x", 1, (int) PAGE, 8));
            made.add(page(PageOperation.HIT, 1, 45, 0, 1, 1));
            made.add(page(PageOperation.HIT, 1, 55, 0, 1, 1));
        }
        RunPlot run =
                read(event -> event.startNanos() >= 45 && event.endNanos() <= 55, "45 to 55 ns");
        assertThat(run.beginNanos()).isEqualTo(45);
        assertThat(run.endNanos()).isEqualTo(55);
        assertThat(spans(run, What.PAGE_PREFETCHED)).containsExactly("45-55 at 0");
        assertThat(spans(run, What.PAGE_DEMANDED)).containsExactly("45-55 at 1");
        assertThat(spans(run, What.PAGE_UNUSED)).containsExactly("45-50 at 3");
        assertThat(marks(run, What.PAGE_READING)).isEmpty();
        assertThat(run.notes()).containsExactly("Only a part is shown: 45 to 55 ns.");
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            int file = made.file("/a", 1, 1, "program", "os", 10);
            made.dropped(1500, 200_000);
            made.add(MadeEvents.submitted(TraceOperation.AREAD, file, 5, 1));
            made.add(MadeEvents.submitted(TraceOperation.AREAD, file, 6, 2));
            made.add(MadeEvents.submitted(TraceOperation.AREAD, file, 7, 3));
            made.add(MadeEvents.ended(TraceOperation.AREAD, file, 6, 100, 0, 10, 2));
            made.add(MadeEvent.lost(2000, 1_000_000, 1000));
            made.add(MadeEvents.call(TraceOperation.READ, 77, 200, 1, 0, 10));
            made.add(MadeEvents.call(TraceOperation.READ, file, 200, 1, -5, 10));
            made.add(MadeEvents.call(TraceOperation.READ, file, 1L << 61, 1, 0, 10));
            made.add(MadeEvents.failed(TraceOperation.OPEN, file, 300, 2, 13));
        }
        RunPlot run = read();
        assertThat(run.losses())
                .containsExactly(
                        new Loss(2000, 1_002_000, 1000), new Loss(1_002_000, 1_002_000, 500));
        assertThat(run.unrecorded()).isEqualTo(new Unrecorded(1500, 500, 10, true));
        assertThat(run.endNanos()).isEqualTo(1_002_000);
        assertThat(marks(run, What.FAILED)).singleElement().returns(13, Mark::errno);
        assertThat(run.notes())
                .containsExactly(
                        "Only one call in 10 was recorded (events_sample) of /a: counts, bytes,"
                                + " times and bandwidth are that much too low; the rate while calls"
                                + " were under way is not.",
                        "1 500 events were not recorded, in 1.00 ms of the run.",
                        "The events file has reached its limit, events_limit=200000 (195 KiB):"
                                + " nothing is recorded after 0.001002000 s.",
                        "1 record makes no sense: left out.",
                        "1 event is left out: the file is not defined.",
                        "2 asynchronous requests had not ended: not drawn.");
    }

    @Test
    void shouldNotSayWhereRecordingStoppedOfAPartOfTheRun() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            int file = made.file("/a", 1, 1, "program", "os", 1);
            made.dropped(500, 200_000);
            made.add(MadeEvents.call(TraceOperation.READ, file, 200, 1, 0, 10));
            made.add(MadeEvents.call(TraceOperation.READ, file, 300, 1, 0, 10));
        }
        RunPlot run = read(event -> event.startNanos() < 250, "until 250ns");
        assertThat(run.losses()).isEmpty();
        assertThat(run.unrecorded()).isEqualTo(new Unrecorded(500, 500, 1, false));
        assertThat(run.notes())
                .contains(
                        "500 events were not recorded; when is not known.",
                        "The events file has reached its limit, events_limit=200000 (195 KiB).");
    }

    @Test
    void shouldGroupTheDigitsOfTheCountOfOtherFiles() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            for (int i = 1; i <= 1203; i++) {
                int file = made.file("/f" + i, i, 1, "program", "os", 1);
                made.add(MadeEvents.call(TraceOperation.READ, file, i, 1, 0, i));
            }
        }
        assertThat(read(1000, 4).files()).last().returns("(1 200 other files)", PlotFile::path);
    }

    @Test
    void shouldLeaveOutWhatCameAfterTheFirstLook() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            int file = made.file("/a", 1);
            int late = made.file("/late", 2);
            made.add(MadeEvents.call(TraceOperation.READ, file, 100, 10, 0, 10));
            made.add(MadeEvents.call(TraceOperation.READ, file, 200, 10, 10, 10));
            made.add(MadeEvents.call(TraceOperation.READ, late, 205, 1, 0, 1));
            made.add(MadeEvents.call(TraceOperation.READ, file, 205, 10, 20, 10));
            made.add(MadeEvents.call(TraceOperation.READ, file, 50, 10, 20, 10));
        }
        // The first look sees only two events.
        AtomicInteger looks = new AtomicInteger();
        Predicate<Event> early = event -> event.startNanos() == 100 || event.startNanos() == 200;
        PlotOptions options =
                new PlotOptions(
                        1000,
                        10,
                        reader -> looks.incrementAndGet() == 1 ? early : event -> true,
                        "",
                        count -> {});
        RunPlot run = RunReader.read(file(), "run", options);
        assertThat(run.beginNanos()).isEqualTo(100);
        assertThat(run.endNanos()).isEqualTo(210);
        assertThat(marks(run, What.READ)).extracting(Mark::startNanos).containsExactly(100L, 200L);
        assertThat(run.notes()).containsExactly("3 events came while the file was read: left out.");
    }

    @Test
    void shouldSayWhatIsMergedAndThatTheFileWasCut() throws IOException {
        Random random = new Random(3);
        try (MadeEvents made = new MadeEvents(file())) {
            int file = made.file("/a", 1);
            for (int i = 0; i < 20_000; i++) {
                long offset = random.nextInt(1 << 30);
                made.add(MadeEvents.call(TraceOperation.READ, file, i * 1000L, 500, offset, 64));
            }
        }
        byte[] bytes = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(bytes, bytes.length - 70_000));
        RunPlot run = read();
        Level finest = run.levels().get(run.levels().size() - 1);
        assertThat(finest.isExact()).isFalse();
        assertThat(run.levels().size()).isGreaterThan(1);
        assertThat(run.notes()).hasSize(3);
        assertThat(run.notes().get(0))
                .startsWith(
                        String.format("%,d", run.events()).replace(',', ' ')
                                + " events are drawn as "
                                + finest.marks().size()
                                + " marks, which hides differences of up to ")
                .endsWith(
                        "; a shorter time is shown event by event: mio plot FILE --from TIME --to"
                                + " TIME");
        assertThat(run.notes().get(1))
                .isEqualTo("The events file was cut: a part of its last block is missing.");
        for (Level level : run.levels()) {
            assertThat(events(level)).isEqualTo(run.events());
        }
    }

    private static long events(Level level) {
        long events = 0;
        for (int i = 0; i < level.marks().size(); i++) {
            events += level.marks().get(i).events();
        }
        return events;
    }

    @Test
    void shouldBearAnyBytes() throws IOException {
        try (MadeEvents made = new MadeEvents(file())) {
            int file = made.file("/a", 1);
            int cached = made.pages("/a", 1, (int) PAGE, 8);
            pages(made, cached);
            for (int i = 0; i < 2500; i++) {
                made.add(MadeEvents.call(TraceOperation.READ, file, i * 10L, 5, i * 64L, 64));
            }
        }
        byte[] good = Files.readAllBytes(file());
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            byte[] bytes = good.clone();
            for (int i = random.nextInt(2000); i >= 0; i--) {
                int at = 65536 + random.nextInt(bytes.length - 65536);
                // Records end where there is no type, so the damage goes to what follows the type.
                bytes[at % 64 < 2 ? at + 2 : at] = (byte) random.nextInt();
            }
            Files.write(file(), bytes);
            RunPlot run = read(1000, 3);
            for (Level level : run.levels()) {
                assertThat(events(level)).as("seed %d", seed).isEqualTo(run.events());
            }
            assertThat(run.endNanos()).as("seed %d", seed).isGreaterThanOrEqualTo(run.beginNanos());
        }
    }

    @Test
    void shouldDrawNothingOfAnEmptyFile() throws IOException {
        new MadeEvents(file()).close();
        RunPlot run = read();
        assertThat(run.events()).isZero();
        assertThat(run.levels()).singleElement().returns(true, Level::isExact);
        assertThat(run.notes()).containsExactly("There is nothing to show: no event fits.");
    }
}
