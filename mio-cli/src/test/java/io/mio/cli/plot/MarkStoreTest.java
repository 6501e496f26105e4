package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Levels of detail against the events they are made of. */
class MarkStoreTest {
    private static final long MILLI = 1_000_000;

    /** Events of one run, and what they become. */
    private static final class Run {
        final List<Mark> events = new ArrayList<>();
        final SeriesTable series = new SeriesTable(3);
        long nowNanos;

        void add(What what, long start, long end, long offset, long bytes) {
            add(series.index(0, Stage.PROGRAM, what), start, end, offset, bytes);
        }

        void add(int index, long start, long end, long offset, long bytes) {
            What what = series.all().get(index).what();
            events.add(
                    new Mark(
                            index,
                            Shape.EVENT,
                            start,
                            end,
                            offset,
                            offset < 0 ? -1 : offset + bytes,
                            1,
                            bytes,
                            end - start,
                            end - start,
                            3 + index % 2,
                            1,
                            bytes,
                            what == What.FAILED ? 5 : 0,
                            events.size(),
                            99));
        }

        /** Reads one after the other, each of the same duration, after a pause. */
        void read(long offset, long bytes, long nanos, long pauseNanos) {
            nowNanos += pauseNanos;
            add(What.READ, nowNanos, nowNanos + nanos, offset, bytes);
            nowNanos += nanos;
        }

        MarkStore store(int room) {
            long begin = Long.MAX_VALUE;
            long end = Long.MIN_VALUE;
            long[] ends = new long[3];
            for (Mark event : events) {
                begin = Math.min(begin, event.startNanos());
                end = Math.max(end, event.endNanos());
                int file = series.file(event.series());
                ends[file] = Math.max(ends[file], event.offsetEnd());
            }
            MarkStore store = new MarkStore(room, new Scale(begin, end, ends), series);
            MarkTable all = new MarkTable(events.size());
            MarkRow row = new MarkRow();
            for (Mark event : events) {
                fill(row, event);
                all.add(row);
            }
            for (int i = 0; i < all.size(); i++) {
                all.read(i, row);
                store.add(row);
            }
            return store;
        }

        List<Mark> marks(int room) {
            return list(store(room).level());
        }
    }

    private static void fill(MarkRow row, Mark mark) {
        row.series = mark.series();
        row.shape = mark.shape();
        row.startNanos = mark.startNanos();
        row.endNanos = mark.endNanos();
        row.offset = mark.offset();
        row.offsetEnd = mark.offsetEnd();
        row.events = mark.events();
        row.bytes = mark.bytes();
        row.busyNanos = mark.busyNanos();
        row.longestNanos = mark.longestNanos();
        row.thread = mark.thread();
        row.code = mark.code();
        row.requested = mark.requested();
        row.errno = mark.errno();
        row.number = mark.number();
        row.process = mark.process();
    }

    private static List<Mark> list(Level level) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < level.marks().size(); i++) {
            marks.add(level.marks().get(i));
        }
        return marks;
    }

    private static List<Mark> lines(List<Mark> marks) {
        return marks.stream().filter(mark -> mark.shape() == Shape.LINE).toList();
    }

    @Test
    void shouldKeepEveryEventAsItIsWhereAllFit() {
        Run run = new Run();
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            run.read(random.nextInt(1 << 20), 100, 1 + random.nextInt(500), random.nextInt(50));
        }
        MarkStore store = run.store(1000);
        Level level = store.level();
        assertThat(level.isExact()).isTrue();
        assertThat(list(level)).isEqualTo(run.events);
    }

    @Test
    void shouldDrawAForwardStreamAsOneLine() {
        Run run = new Run();
        for (int i = 0; i < 2000; i++) {
            run.read(i * 4096L, 4096, 1000, 10);
        }
        List<Mark> marks = run.marks(500);
        assertThat(marks).hasSizeLessThan(20);
        assertThat(marks.get(0).offset()).isZero();
        for (Mark mark : lines(marks)) {
            assertThat(mark.offsetEnd() - mark.offset()).isEqualTo(mark.bytes());
            assertThat(mark.bytes()).isEqualTo(4096 * mark.events());
        }
    }

    @Test
    void shouldDrawABackwardStreamAsAFallingLine() {
        Run run = new Run();
        for (int i = 1; i <= 2000; i++) {
            run.read((2000 - i) * 4096L, 4096, 1000, 10);
        }
        List<Mark> lines = lines(run.marks(500));
        assertThat(lines).isNotEmpty().hasSizeLessThan(20);
        assertThat(lines.get(0).offset()).isEqualTo(2000 * 4096L);
        for (Mark mark : lines) {
            assertThat(mark.offset() - mark.offsetEnd()).isEqualTo(mark.bytes());
        }
    }

    @Test
    void shouldDrawStridesSmallerThanTheStepAsALine() {
        Run run = new Run();
        for (int i = 0; i < 20_000; i++) {
            run.read(i * 500L, 100, 1000, 0);
        }
        List<Mark> marks = run.marks(500);
        assertThat(marks).hasSizeLessThan(100);
        // The gaps belong to the slope, not to the bytes.
        for (Mark mark : lines(marks)) {
            assertThat(mark.offsetEnd() - mark.offset()).isEqualTo(500 * mark.events() - 400);
            assertThat(mark.bytes()).isEqualTo(100 * mark.events());
        }
    }

    @Test
    void shouldFollowEightStreamsAtOnce() {
        Run run = new Run();
        long apart = 1L << 30;
        int[] done = new int[8];
        Random random = new Random(8);
        for (int i = 0; i < 16_000; i++) {
            int stream = random.nextInt(8);
            run.read(stream * apart + done[stream]++ * 4096L, 4096, 1000, 0);
        }
        Level level = run.store(1000).level();
        List<Mark> marks = list(level);
        // Each stream is a row of lines, and no line leaves its stream.
        assertThat(marks).hasSizeLessThan(700);
        assertThat(lines(marks).stream().mapToLong(Mark::events).sum()).isGreaterThan(15_000);
        for (Mark mark : marks) {
            assertThat(mark.offset() / apart).isEqualTo(mark.offsetEnd() / apart);
            assertThat(mark.offsetEnd() - mark.offset()).isEqualTo(mark.bytes());
        }
        assertExplained(run, level, "eight streams");
    }

    /**
     * One stream that stops now and then, and changes its rate: slopes and pauses are the events'.
     */
    @Test
    void shouldKeepSlopesAndPausesWhateverTheRate() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            Run run = new Run();
            long offset = 0;
            long nanos = 1000;
            for (int i = 0; i < 5000; i++) {
                if (random.nextInt(200) == 0) {
                    nanos = 500L + random.nextInt(20_000);
                }
                long bytes = 1L + random.nextInt(8192);
                long pause = random.nextInt(300) == 0 ? random.nextInt(20_000_000) : 0;
                run.read(offset, bytes, nanos, pause);
                offset += bytes;
            }
            Level level = run.store(300).level();
            assertThat(level.isExact()).isFalse();
            for (Mark mark : lines(list(level))) {
                assertLine(mark, run.events, level, "seed " + seed + ", " + mark);
            }
            assertThat(lines(list(level))).as("seed %d", seed).isNotEmpty();
            assertTotals(run, level, "seed " + seed);
            assertExplained(run, level, "seed " + seed);
        }
    }

    /**
     * From its first moment to its last one the stream went exactly as far as the line, so that the
     * rate is exact; and it never stopped.
     */
    private static void assertLine(Mark line, List<Mark> events, Level level, String about) {
        assertThat(events)
                .as(about)
                .anyMatch(
                        event ->
                                event.startNanos() == line.startNanos()
                                        && event.offset() == line.offset())
                .anyMatch(
                        event ->
                                event.endNanos() == line.endNanos()
                                        && event.offsetEnd() == line.offsetEnd());
        for (int i = 1; i < events.size(); i++) {
            long stopped = events.get(i - 1).endNanos();
            long went = events.get(i).startNanos();
            if (stopped > line.startNanos() && went < line.endNanos()) {
                assertThat(went - stopped).as(about).isLessThanOrEqualTo(level.timeStepNanos());
            }
        }
    }

    /** Streams of all kinds, random access, page spans, failures, calls without offsets. */
    private static Run random(Random random) {
        Run run = new Run();
        int[] index = new int[6];
        index[0] = run.series.index(0, Stage.PROGRAM, What.READ);
        index[1] = run.series.index(1, Stage.SYSTEM, What.ASYNC_WRITE);
        index[2] = run.series.index(2, Stage.CACHE, What.PAGE_DEMANDED);
        index[3] = run.series.index(0, Stage.PROGRAM, What.FAILED);
        index[4] = run.series.index(1, Stage.PROGRAM, What.OTHER);
        index[5] = run.series.index(2, Stage.PROGRAM, What.WRITE);
        long now = random.nextInt(1000) - 500L;
        long range = 1L << (10 + random.nextInt(30));
        long[] place = {0, 300L << 16, 0, 0, 0};
        for (int i = 0; i < 3000; i++) {
            now += random.nextInt(5) == 0 ? random.nextInt(3_000_000) : random.nextInt(300);
            int of = index[random.nextInt(40) == 0 ? random.nextInt(6) : i / 500];
            long bytes = random.nextInt((int) Math.min(range, 65536));
            int kind = i / 300 % 5;
            long step =
                    switch (kind) {
                        case 0 -> bytes;
                        case 1 -> -Math.min(place[1], bytes);
                        case 2 -> 3 * bytes;
                        case 3 -> random.nextLong(range) - place[3];
                        default -> random.nextInt(3) * bytes;
                    };
            place[kind] += step;
            long offset = place[kind];
            long nanos = random.nextInt(10) == 0 ? random.nextInt(1_000_000) : random.nextInt(400);
            run.add(of, now, now + nanos, of == index[4] ? -1 : offset, bytes);
            now += random.nextBoolean() ? nanos : 0;
        }
        return run;
    }

    @Test
    void shouldExplainEveryEventWithinTheStepsAndLoseNone() {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            Run run = random(random);
            int room = 20 + random.nextInt(600);
            Level level = run.store(room).level();
            String about = "seed " + seed + ", room " + room;
            assertThat(level.marks().size()).as(about).isBetween(1, room);
            assertTotals(run, level, about);
            assertExplained(run, level, about);
        }
    }

    private static void assertTotals(Run run, Level level, String about) {
        for (int index = 0; index < run.series.all().size(); index++) {
            int one = index;
            assertThat(totals(list(level).stream().filter(mark -> mark.series() == one).toList()))
                    .as(about)
                    .isEqualTo(
                            totals(
                                    run.events.stream()
                                            .filter(mark -> mark.series() == one)
                                            .toList()));
        }
        long before = Long.MIN_VALUE;
        for (Mark mark : list(level)) {
            assertThat(mark.startNanos()).as(about).isGreaterThanOrEqualTo(before);
            assertThat(mark.endNanos()).as(about).isGreaterThanOrEqualTo(mark.startNanos());
            assertThat(mark.shape() == Shape.EVENT).as(about).isEqualTo(mark.events() == 1);
            before = mark.startNanos();
        }
    }

    private static List<Long> totals(List<Mark> marks) {
        return List.of(
                marks.stream().mapToLong(Mark::events).sum(),
                marks.stream().mapToLong(Mark::bytes).sum(),
                marks.stream().mapToLong(Mark::busyNanos).sum(),
                marks.stream().mapToLong(Mark::longestNanos).max().orElse(0));
    }

    private static void assertExplained(Run run, Level level, String about) {
        List<Mark> marks = list(level);
        for (Mark event : run.events) {
            assertThat(marks.stream().anyMatch(mark -> isExplained(event, mark, level)))
                    .as("%s: %s", about, event)
                    .isTrue();
        }
    }

    private static boolean isExplained(Mark event, Mark mark, Level level) {
        if (mark.series() != event.series()) {
            return false;
        }
        return switch (mark.shape()) {
            case EVENT -> mark.equals(event);
            case LINE -> isNear(mark, event, level);
            case BOX ->
                    event.startNanos() >= mark.startNanos()
                            && event.endNanos() <= mark.endNanos()
                            && event.offset() >= mark.offset()
                            && event.offsetEnd() <= mark.offsetEnd()
                            && event.startNanos() - mark.startNanos() <= level.timeStepNanos()
                            && mark.endNanos() - event.endNanos() <= level.timeStepNanos()
                            && event.offset() - mark.offset() <= level.offsetStepBytes()
                            && mark.offsetEnd() - event.offsetEnd() <= level.offsetStepBytes();
        };
    }

    /** Both ends of a transfer are within the steps of the line. */
    private static boolean isNear(Mark line, Mark event, Level level) {
        boolean forward = line.offsetEnd() >= line.offset();
        long first = forward ? event.offset() : event.offsetEnd();
        long last = forward ? event.offsetEnd() : event.offset();
        return isNear(line, event.startNanos(), first, level)
                && isNear(line, event.endNanos(), last, level);
    }

    private static boolean isNear(Mark line, long time, long offset, Level level) {
        double from = Math.max(line.startNanos(), time - level.timeStepNanos());
        double to = Math.min(line.endNanos(), time + level.timeStepNanos());
        if (from > to) {
            return false;
        }
        double one = offsetAt(line, from);
        double other = offsetAt(line, to);
        // A double has 53 bits; offsets here have fewer.
        double near = level.offsetStepBytes() + 1e-3;
        return offset >= Math.min(one, other) - near && offset <= Math.max(one, other) + near;
    }

    private static double offsetAt(Mark line, double time) {
        double length = line.endNanos() - line.startNanos();
        double share = length == 0 ? 1 : (time - line.startNanos()) / length;
        return line.offset() + share * (line.offsetEnd() - line.offset());
    }

    @Test
    void shouldLeaveALonelyEventAsItIsWhateverHappensElsewhere() {
        Run run = new Run();
        run.add(What.WRITE, 0, 17, 12_345, 678);
        run.nowNanos = 3_600_000 * MILLI;
        Random random = new Random(4);
        for (int i = 0; i < 5000; i++) {
            run.read(random.nextInt(1 << 30), 512, 1000, 0);
        }
        assertThat(run.marks(100)).contains(run.events.get(0));
    }

    @Test
    void shouldKeepFailuresApartAsLongAsTheyAreFew() {
        Run run = new Run();
        Random random = new Random(5);
        for (int i = 0; i < 5000; i++) {
            run.read(random.nextInt(1 << 20), 512, 1000, 0);
            if (i % 500 == 0) {
                run.add(What.FAILED, run.nowNanos, run.nowNanos, -1, 0);
                run.add(What.FAILED, run.nowNanos, run.nowNanos + 1, -1, 0);
            }
        }
        List<Mark> marks = run.marks(160);
        assertThat(marks)
                .containsAll(run.events.stream().filter(mark -> mark.errno() == 5).toList());
    }

    @Test
    void shouldJoinFailuresIfThereIsNothingElse() {
        Run run = new Run();
        for (int i = 0; i < 100_000; i++) {
            run.add(What.FAILED, i * 10L, i * 10L + 5, i % 7 == 0 ? -1 : i % 1000, 0);
        }
        Level level = run.store(100).level();
        assertThat(level.marks().size()).isLessThanOrEqualTo(100);
        assertTotals(run, level, "failures");
    }

    @Test
    void shouldGiveEverySeriesAMarkEvenIfThereIsNoRoom() {
        Run run = new Run();
        for (int i = 0; i < 10_000; i++) {
            int index = run.series.index(i % 3, Stage.values()[i % 4], What.values()[i % 16]);
            run.add(index, i, i + 1, i % 977, 1);
        }
        Level level = run.store(10).level();
        assertTotals(run, level, "many series");
        assertExplained(run, level, "many series");
    }
}
