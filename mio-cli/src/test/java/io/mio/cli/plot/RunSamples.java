package io.mio.cli.plot;

import io.mio.cli.events.EventSamples;
import io.mio.events.EventHeader;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Runs to draw. */
public final class RunSamples {
    private RunSamples() {}

    /** The run of the golden events, whose file is written to {@code dir}. */
    public static RunPlot golden(Path dir) throws IOException {
        return RunReader.read(goldenFile(dir), "golden.events", PlotOptions.usual());
    }

    /** Writes the golden events to a file. */
    public static Path goldenFile(Path dir) throws IOException {
        Path file = dir.resolve("golden.events");
        Files.write(file, EventSamples.golden());
        return file;
    }

    /** A program writes a file and reads it backward, with a cache below it; always the same. */
    public static RunPlot wellKnown(String label) {
        List<Series> series = new ArrayList<>();
        List<Mark> marks = new ArrayList<>();
        int write = add(series, Stage.PROGRAM, What.WRITE);
        int read = add(series, Stage.PROGRAM, What.READ);
        int asyncWrite = add(series, Stage.SYSTEM, What.ASYNC_WRITE);
        int asyncRead = add(series, Stage.SYSTEM, What.ASYNC_READ);
        int failed = add(series, Stage.PROGRAM, What.FAILED);
        int resident = add(series, Stage.CACHE, What.PAGE_PREFETCHED);
        int hit = add(series, Stage.CACHE, What.PAGE_HIT);
        int miss = add(series, Stage.CACHE, What.PAGE_MISS);
        long page = 256 << 10;
        for (int i = 0; i < 40; i++) {
            long at = i * 1_000_000L;
            marks.add(event(write, at, 400_000, i * page, page));
            marks.add(event(asyncWrite, at + 300_000, 2_500_000, i * page, page));
        }
        for (int i = 0; i < 40; i++) {
            long at = 50_000_000 + i * 500_000L;
            long offset = (39 - i) * page;
            marks.add(event(asyncRead, at - 2_000_000, 1_800_000, offset, page));
            marks.add(event(resident, at - 200_000, 5_000_000, offset, page));
            marks.add(event(i % 8 == 0 ? miss : hit, at, 0, offset, page));
            marks.add(event(read, at, 120_000, offset, page));
        }
        marks.add(event(failed, 45_000_000, 10_000, 5 << 20, 0));
        marks.add(
                new Mark(
                        read,
                        Shape.LINE,
                        72_000_000,
                        80_000_000,
                        0,
                        8 << 20,
                        32,
                        8 << 20,
                        6_000_000,
                        400_000,
                        1,
                        TraceOperation.READ.ordinal(),
                        -1,
                        0,
                        0,
                        4711));
        marks.add(
                new Mark(
                        read,
                        Shape.BOX,
                        74_000_000,
                        75_000_000,
                        4 << 20,
                        6 << 20,
                        10,
                        1 << 20,
                        500_000,
                        90_000,
                        1,
                        TraceOperation.READ.ordinal(),
                        -1,
                        0,
                        0,
                        4711));
        return run(label, "/scratch/matrix.dat", series, marks, List.of("a note of the run"));
    }

    /** A run of {@code count} random calls of all kinds, most of them short. */
    public static RunPlot random(long seed, int count) {
        Random random = new Random(seed);
        List<Series> series = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            for (What what : What.values()) {
                if (what.isPage() == (stage == Stage.CACHE)) {
                    add(series, stage, what);
                }
            }
        }
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long start = random.nextLong(100_000_000_000L);
            long length = random.nextInt(10) == 0 ? random.nextLong(2_000_000_000L) : 20_000;
            long offset = random.nextLong(1L << 36);
            marks.add(event(random.nextInt(series.size()), start, length, offset, 1L << 28));
        }
        return run("seed " + seed, "/random", series, marks, List.of());
    }

    /** A run of one file with this name. */
    public static RunPlot named(String name) {
        List<Series> series = new ArrayList<>();
        int read = add(series, Stage.PROGRAM, What.READ);
        return run(
                name,
                name,
                series,
                List.of(event(read, 0, 1000, 0, 4096), event(read, 5000, 1000, 4096, 4096)),
                List.of(name));
    }

    private static int add(List<Series> series, Stage stage, What what) {
        series.add(new Series(0, stage, what));
        return series.size() - 1;
    }

    private static Mark event(int series, long start, long length, long offset, long bytes) {
        return new Mark(
                series,
                Shape.EVENT,
                start,
                start + length,
                offset,
                offset + bytes,
                1,
                bytes,
                length,
                length,
                1,
                TraceOperation.READ.ordinal(),
                bytes,
                0,
                0,
                4711);
    }

    private static RunPlot run(
            String label, String path, List<Series> series, List<Mark> marks, List<String> notes) {
        List<Mark> sorted = new ArrayList<>(marks);
        sorted.sort(Comparator.comparingLong(Mark::startNanos));
        long begin = sorted.get(0).startNanos();
        long end = sorted.stream().mapToLong(Mark::endNanos).max().orElseThrow();
        List<Distribution.Count> latency = new ArrayList<>();
        List<Distribution.Count> sizes = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            if (series.get(i).what().isTransfer()) {
                latency.add(new Distribution.Count(i, 0, Buckets.of(120_000), 30));
                latency.add(new Distribution.Count(i, 0, Buckets.of(900_000), 10));
                sizes.add(new Distribution.Count(i, 0, Buckets.of(1 << 18), 40));
            }
        }
        Map<Stage, PlotFile.Totals> totals = new EnumMap<>(Stage.class);
        totals.put(
                Stage.PROGRAM,
                new PlotFile.Totals(
                        82,
                        19 << 20,
                        11_300_000,
                        40,
                        10 << 20,
                        16_000_000,
                        2,
                        1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        21_000_000));
        totals.put(
                Stage.CACHE,
                new PlotFile.Totals(0, 0, 0, 0, 0, 0, 0, 0, 35, 5, 1, 90_000, 40, 2, 0));
        return new RunPlot(
                label,
                "file",
                new EventHeader(
                        ByteOrder.LITTLE_ENDIAN,
                        0,
                        4711,
                        1,
                        1_790_000_000_000_000_000L,
                        0,
                        0,
                        0,
                        0,
                        label,
                        "host.example",
                        "1"),
                label,
                begin,
                end,
                sorted.size(),
                List.of(new PlotFile(path, false, 1, 10 << 20, 0, 10 << 20, 1 << 18, totals)),
                1,
                Map.of(Stage.PROGRAM, 21_000_000L),
                series,
                List.of(new Level(0, 0, listed(sorted))),
                new Distribution(end - begin + 1, latency, largest(series.size())),
                new Distribution(end - begin + 1, sizes, largest(series.size())),
                List.of(new Loss(begin + (end - begin) / 2, begin + (end - begin) * 11 / 20, 7)),
                new Unrecorded(7, 0, 1, false),
                notes,
                List.of());
    }

    private static List<Long> largest(int series) {
        return Collections.nCopies(series, 1L << 20);
    }

    private static Marks listed(List<Mark> marks) {
        return new Marks() {
            @Override
            public int size() {
                return marks.size();
            }

            @Override
            public Mark get(int index) {
                return marks.get(index);
            }
        };
    }
}
