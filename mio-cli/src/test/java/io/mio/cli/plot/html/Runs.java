package io.mio.cli.plot.html;

import io.mio.cli.plot.Distribution;
import io.mio.cli.plot.Level;
import io.mio.cli.plot.Mark;
import io.mio.cli.plot.Marks;
import io.mio.cli.plot.PlotFile;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Series;
import io.mio.cli.plot.Shape;
import io.mio.cli.plot.Stage;
import io.mio.cli.plot.Unrecorded;
import io.mio.cli.plot.What;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Made-up runs, which no program did. */
final class Runs {
    /** Marks in a list. */
    record MarkList(List<Mark> list) implements Marks {
        @Override
        public int size() {
            return list.size();
        }

        @Override
        public Mark get(int index) {
            return list.get(index);
        }
    }

    private static final int SERIES = 6;

    private Runs() {}

    static RunPlot of(String name, List<Level> levels, List<Distribution.Count> counts) {
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < SERIES; i++) {
            series.add(new Series(0, Stage.values()[i % 3], What.values()[i]));
        }
        PlotFile.Totals totals =
                new PlotFile.Totals(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        return new RunPlot(
                name,
                name,
                new EventHeader(
                        ByteOrder.LITTLE_ENDIAN,
                        0,
                        4711,
                        EventFormat.NATIVE,
                        1,
                        2,
                        3,
                        4,
                        0,
                        name,
                        name,
                        name),
                name,
                100,
                1_000_000,
                3,
                List.of(
                        new PlotFile(
                                name,
                                false,
                                1,
                                1 << 20,
                                0,
                                1 << 20,
                                0,
                                Map.of(Stage.PROGRAM, totals))),
                1,
                Map.of(Stage.PROGRAM, 15L),
                series,
                levels,
                new Distribution(1000, counts, Collections.nCopies(SERIES, 1L << 30)),
                new Distribution(1000, counts, Collections.nCopies(SERIES, 1L << 30)),
                List.of(),
                new Unrecorded(0, 0, 1, false),
                List.of(name),
                List.of());
    }

    static RunPlot empty(String name) {
        return of(name, List.of(new Level(0, 0, new MarkList(List.of()))), List.of());
    }

    /** A run of one level. */
    static RunPlot of(List<Mark> marks) {
        return of("run", List.of(new Level(0, 0, new MarkList(marks))), List.of());
    }

    /** Marks that have nothing in common, in the order of their starts. */
    static List<Mark> random(Random random, int count) {
        List<Mark> made = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            made.add(random(random));
        }
        made.sort(Comparator.comparingLong(Mark::startNanos));
        return made;
    }

    /** Single reads of 4 KiB anywhere in a terabyte, of 64 threads, up to a millisecond each. */
    static List<Mark> requests(Random random, int count) {
        List<Mark> made = new ArrayList<>(count);
        long start = 100;
        for (int i = 0; i < count; i++) {
            start += random.nextInt(100_000);
            long duration = random.nextInt(1_000_000);
            long offset = (long) random.nextInt(1 << 28) << 12;
            made.add(
                    new Mark(
                            random.nextInt(SERIES),
                            Shape.EVENT,
                            start,
                            start + duration,
                            offset,
                            offset + 4096,
                            1,
                            4096,
                            duration,
                            duration,
                            5000 + random.nextInt(64),
                            3,
                            4096,
                            0,
                            0,
                            4711));
        }
        return made;
    }

    private static Mark random(Random random) {
        Shape shape = Shape.values()[random.nextInt(3)];
        boolean single = shape == Shape.EVENT;
        long start = 100 + (random.nextLong() >>> 24);
        long duration = random.nextInt(10_000_000);
        boolean placed = random.nextInt(10) > 0;
        long offset = placed ? random.nextLong() >>> 24 : -1;
        long length = random.nextInt(1 << 24);
        long end =
                !placed ? -1 : shape == Shape.LINE ? Math.max(0, offset - length) : offset + length;
        long busy = single ? duration : random.nextInt(1 << 30);
        return new Mark(
                random.nextInt(SERIES),
                shape,
                start,
                start + duration,
                offset,
                end,
                single ? 1 : 2 + random.nextInt(1000),
                single && placed ? length : random.nextLong() >>> 24,
                busy,
                single ? duration : random.nextInt((int) Math.max(1, busy)),
                single ? random.nextInt(1 << 22) : -1,
                random.nextInt(12),
                single ? random.nextInt(1 << 24) - 1 : -1,
                single && random.nextInt(9) == 0 ? 28 : 0,
                single ? random.nextInt(1 << 20) : 0,
                random.nextInt(1 << 22));
    }
}
