package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares levels of detail with the events of which they are made. */
class MarkStoreTest {
    private static final long MILLI = 1_000_000;

    @Test
    void shouldKeepEveryEventAsItIsWhereAllFit() {
        MarkRun run = new MarkRun();
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            run.read(random.nextInt(1 << 20), 100, 1 + random.nextInt(500), random.nextInt(50));
        }
        MarkStore store = run.store(1000);
        Level level = store.level();
        assertThat(level.isExact()).isTrue();
        assertThat(MarkRun.list(level)).isEqualTo(run.events);
    }

    @Test
    void shouldDrawAForwardStreamAsOneLine() {
        MarkRun run = new MarkRun();
        for (int i = 0; i < 2000; i++) {
            run.read(i * 4096L, 4096, 1000, 10);
        }
        List<Mark> marks = run.marks(500);
        assertThat(marks).hasSizeLessThan(20);
        assertThat(marks.get(0).offset()).isZero();
        for (Mark mark : MarkRun.lines(marks)) {
            assertThat(mark.offsetEnd() - mark.offset()).isEqualTo(mark.bytes());
            assertThat(mark.bytes()).isEqualTo(4096 * mark.events());
        }
    }

    @Test
    void shouldDrawABackwardStreamAsAFallingLine() {
        MarkRun run = new MarkRun();
        for (int i = 1; i <= 2000; i++) {
            run.read((2000 - i) * 4096L, 4096, 1000, 10);
        }
        List<Mark> lines = MarkRun.lines(run.marks(500));
        assertThat(lines).isNotEmpty().hasSizeLessThan(20);
        assertThat(lines.get(0).offset()).isEqualTo(2000 * 4096L);
        for (Mark mark : lines) {
            assertThat(mark.offset() - mark.offsetEnd()).isEqualTo(mark.bytes());
        }
    }

    @Test
    void shouldDrawStridesSmallerThanTheStepAsALine() {
        MarkRun run = new MarkRun();
        for (int i = 0; i < 20_000; i++) {
            run.read(i * 500L, 100, 1000, 0);
        }
        List<Mark> marks = run.marks(500);
        assertThat(marks).hasSizeLessThan(100);
        // The gaps are part of the slope, but not of the bytes.
        for (Mark mark : MarkRun.lines(marks)) {
            assertThat(mark.offsetEnd() - mark.offset()).isEqualTo(500 * mark.events() - 400);
            assertThat(mark.bytes()).isEqualTo(100 * mark.events());
        }
    }

    @Test
    void shouldFollowEightStreamsAtOnce() {
        MarkRun run = new MarkRun();
        long apart = 1L << 30;
        int[] done = new int[8];
        Random random = new Random(8);
        for (int i = 0; i < 16_000; i++) {
            int stream = random.nextInt(8);
            run.read(stream * apart + done[stream]++ * 4096L, 4096, 1000, 0);
        }
        Level level = run.store(1000).level();
        List<Mark> marks = MarkRun.list(level);
        // Each stream is a row of lines, and no line leaves its stream.
        assertThat(marks).hasSizeLessThan(700);
        assertThat(MarkRun.lines(marks).stream().mapToLong(Mark::events).sum())
                .isGreaterThan(15_000);
        for (Mark mark : marks) {
            assertThat(mark.offset() / apart).isEqualTo(mark.offsetEnd() / apart);
            assertThat(mark.offsetEnd() - mark.offset()).isEqualTo(mark.bytes());
        }
        run.assertExplained(level, "eight streams");
    }

    /**
     * One stream stops now and then, and changes its rate: slopes and pauses must be those of the
     * events.
     */
    @Test
    void shouldKeepSlopesAndPausesWhateverTheRate() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            MarkRun run = new MarkRun();
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
            for (Mark mark : MarkRun.lines(MarkRun.list(level))) {
                assertLine(mark, run.events, level, "seed " + seed + ", " + mark);
            }
            assertThat(MarkRun.lines(MarkRun.list(level))).as("seed %d", seed).isNotEmpty();
            run.assertTotals(level, "seed " + seed);
            run.assertExplained(level, "seed " + seed);
        }
    }

    /**
     * Checks that the stream went exactly as far as the line between the line's first and last
     * moment, so that the rate is exact, and that the stream never stopped.
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
    private static MarkRun random(Random random) {
        MarkRun run = new MarkRun();
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
            MarkRun run = random(random);
            int room = 20 + random.nextInt(600);
            Level level = run.store(room).level();
            String about = "seed " + seed + ", room " + room;
            assertThat(level.marks().size()).as(about).isBetween(1, room);
            run.assertTotals(level, about);
            run.assertExplained(level, about);
        }
    }

    @Test
    void shouldLeaveALonelyEventAsItIsWhateverHappensElsewhere() {
        MarkRun run = new MarkRun();
        run.add(What.WRITE, 0, 17, 12_345, 678);
        run.nowNanos = 3_600_000 * MILLI;
        Random random = new Random(4);
        for (int i = 0; i < 5000; i++) {
            run.read(random.nextInt(1 << 30), 512, 1000, 0);
        }
        assertThat(run.marks(100)).contains(run.events.get(0));
    }
}
