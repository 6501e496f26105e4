package io.mio.cli.plot.browser;

import io.mio.cli.MioCommand;
import io.mio.cli.plot.PlotOptions;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Runs whose events are known, and the pages that {@code mio plot} makes of them. */
final class Runs {
    static final long MILLISECOND = 1_000_000;

    /** A mebibyte: the size of the cache's pages and of most requests. */
    static final int MIB = 1 << 20;

    static final String STEADY = "/data/steady.dat";
    static final String BACKWARD = "/data/backward.dat";
    static final String HOSTILE =
            "/data/</script><img src=x onerror=window.hacked=1>\u2028\"'&.dat";

    private static final long SEED = 20261122;

    private Runs() {}

    /**
     * A program that reads {@link #STEADY} at exactly 100 MB/s: 1000 reads of 100,000 bytes, which
     * take a millisecond each, and a second in all.
     */
    static Path steady(Path file) throws IOException {
        return steady(file, 0);
    }

    /** The same run, which begins {@code begin} nanoseconds after the file was made. */
    static Path steady(Path file, long begin) throws IOException {
        EventsFile run = new EventsFile("steady");
        int steady = run.traced(STEADY, "os", 1);
        for (int i = 0; i < 1000; i++) {
            run.call(
                    steady,
                    TraceOperation.READ,
                    begin + i * MILLISECOND,
                    MILLISECOND,
                    i * 100_000L,
                    100_000);
        }
        return run.write(file);
    }

    /**
     * A run with everything there is: {@link #STEADY} is read through a cache, with prefetches in
     * flight; {@link #BACKWARD} is written backward; {@link #HOSTILE} is read at random, and some
     * of these reads fail; events are lost.
     *
     * @param times how much slower all of it is than at its fastest
     */
    static Path mixed(Path file, int times) throws IOException {
        EventsFile run = new EventsFile("mixed");
        long unit = times * MILLISECOND;
        cached(run, unit);
        int backward = run.traced(BACKWARD, "os", 1);
        run.call(backward, TraceOperation.OPEN, 300 * unit, unit, -1, 0);
        for (int i = 0; i < 100; i++) {
            run.call(
                    backward,
                    TraceOperation.WRITE,
                    (301 + 2 * i) * unit,
                    unit,
                    (99L - i) * MIB / 2,
                    MIB / 2);
        }
        int hostile = run.traced(HOSTILE, "os", 1);
        Random random = new Random(SEED);
        run.call(hostile, TraceOperation.OPEN, 520 * unit, unit, -1, 0);
        for (int i = 0; i < 50; i++) {
            long at = (521 + 3 * i) * unit;
            long offset = offset(random);
            if (i % 10 == 9) {
                run.failed(hostile, TraceOperation.READ, at, unit, offset, 4096, 5);
            } else {
                run.call(hostile, TraceOperation.READ, at, unit, offset, 4096);
            }
        }
        run.lost(690 * unit, 5 * unit, 1234);
        run.call(hostile, TraceOperation.CLOSE, 700 * unit, unit, -1, 0);
        return run.write(file);
    }

    private static long offset(Random random) {
        return 4096L * random.nextInt(10_000);
    }

    /**
     * The offset at which the first read of {@link #HOSTILE} in {@link #mixed} fails, 548 units
     * after the begin.
     */
    static long offsetOfFailure() {
        Random random = new Random(SEED);
        for (int i = 0; i < 9; i++) {
            offset(random);
        }
        return offset(random);
    }

    /**
     * 100 pages. All but the first are read ahead: a read begins four units before its page is
     * used, and takes three. Each tenth page is never used.
     */
    private static void cached(EventsFile run, long unit) {
        int above = run.traced(STEADY, "pf", 1);
        int pages = run.cached(STEADY, MIB, 8);
        int below = run.tracedBelow(STEADY);
        run.call(above, TraceOperation.OPEN, 0, unit, -1, 0);
        for (int i = 0; i < 100; i++) {
            long at = (2L * i + 5) * unit;
            long offset = (long) i * MIB;
            boolean ahead = i > 0;
            boolean vain = i % 10 == 9;
            long issued = ahead ? at - 4 * unit : at - unit;
            long took = ahead ? 3 * unit : unit;
            long frame = i % 8;
            run.page(
                    pages,
                    ahead ? PageOperation.PREFETCH_ISSUED : PageOperation.DEMAND_READ,
                    ahead,
                    issued,
                    0,
                    offset,
                    MIB,
                    frame);
            run.page(pages, PageOperation.ARRIVED, ahead, issued, took, offset, MIB, frame);
            run.request(below, TraceOperation.AREAD, issued, took, offset, MIB, i + 1L);
            if (!ahead) {
                run.page(pages, PageOperation.MISS, false, at, 0, offset, MIB, frame);
            }
            if (vain) {
                run.page(pages, PageOperation.PREFETCH_UNUSED, false, at, 0, offset, MIB, frame);
            } else {
                if (ahead) {
                    run.page(pages, PageOperation.PREFETCH_USED, false, at, 0, offset, MIB, frame);
                    run.page(pages, PageOperation.HIT, false, at, 0, offset, MIB, frame);
                }
                if (i % 25 == 24) {
                    run.page(pages, PageOperation.WAIT, false, at, unit / 2, offset, MIB, frame);
                }
                run.call(above, TraceOperation.READ, at, unit, offset, MIB);
            }
            run.page(pages, PageOperation.EVICT, false, at + 6 * unit, 0, offset, MIB, frame);
        }
        run.call(above, TraceOperation.CLOSE, 230 * unit, unit, -1, 0);
    }

    /** Reads a mebibyte at 64 GiB, and then nothing at all far behind the end. */
    static Path sparse(Path file) throws IOException {
        EventsFile run = new EventsFile("sparse");
        int data = run.traced("/data/sparse.dat", "os", 1);
        for (int i = 0; i < 16; i++) {
            run.call(
                    data,
                    TraceOperation.READ,
                    i * MILLISECOND,
                    MILLISECOND,
                    (64L << 30) + i * 65_536L,
                    65_536);
        }
        run.call(data, TraceOperation.READ, 20 * MILLISECOND, MILLISECOND, 1L << 42, 0);
        return run.write(file);
    }

    /**
     * The first {@code count} reads of {@link #steady}: 100,000 bytes each, a millisecond each.
     *
     * @param dropped events for which the file had no room
     * @param sample one call out of this many is recorded
     */
    static Path part(Path file, int count, long dropped, int sample) throws IOException {
        EventsFile run = new EventsFile("part");
        int steady = run.traced(STEADY, "os", sample);
        for (int i = 0; i < count; i++) {
            run.call(
                    steady,
                    TraceOperation.READ,
                    i * MILLISECOND,
                    MILLISECOND,
                    i * 100_000L,
                    100_000);
        }
        return (dropped > 0 ? run.full(dropped) : run).write(file);
    }

    /**
     * Reads of 64 bytes anywhere, one every 10 microseconds. Each takes 1000 ns, but the one in the
     * middle takes 9001.
     */
    static Path small(Path file, int count) throws IOException {
        EventsFile run = new EventsFile("small");
        int data = run.traced("/data/small.dat", "os", 1);
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            run.call(
                    data,
                    TraceOperation.READ,
                    i * 10_000L,
                    i == count / 2 ? 9001 : 1000,
                    64L * random.nextInt(1 << 20),
                    64);
        }
        return run.write(file);
    }

    /** A hundred reads of 4 KiB, one after the other, from this offset on. */
    static Path far(Path file, long offset) throws IOException {
        EventsFile run = new EventsFile("far");
        int data = run.traced("/data/far.dat", "os", 1);
        for (int i = 0; i < 100; i++) {
            run.call(
                    data,
                    TraceOperation.READ,
                    i * MILLISECOND,
                    MILLISECOND,
                    offset + i * 4096L,
                    4096);
        }
        return run.write(file);
    }

    /** Two reads of each of three files at the same time, a millisecond each. */
    static Path together(Path file) throws IOException {
        EventsFile run = new EventsFile("together");
        for (String name : List.of("/data/a", "/data/b", "/data/ ")) {
            int data = run.traced(name, "os", 1);
            run.call(data, TraceOperation.READ, 0, MILLISECOND, 0, MIB);
            run.call(data, TraceOperation.READ, MILLISECOND / 2, MILLISECOND, 0, MIB);
        }
        return run.write(file);
    }

    /** {@code count} reads in no order, no two of which can be merged. */
    static Path random(Path file, int count) throws IOException {
        EventsFile run = new EventsFile("random");
        int data = run.traced("/data/random.dat", "os", 1);
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            run.call(
                    data,
                    TraceOperation.READ,
                    i * 10_000L,
                    1000 + random.nextInt(8000),
                    4096L * random.nextInt(1 << 18),
                    4096L * (1 + random.nextInt(4)));
        }
        return run.write(file);
    }

    /** Runs {@code mio plot RUNS... -o PAGE}. */
    static Path page(Path page, Path... runs) {
        List<String> words = new ArrayList<>(List.of("plot"));
        for (Path run : runs) {
            words.add(run.toString());
        }
        words.addAll(List.of("-o", page.toString()));
        MioCommand.run(words.toArray(new String[0]));
        return page;
    }

    /** Makes a page whose marks have room for so few events that most are merged. */
    static Path mergedPage(Path page, Path run) {
        MioCommand.run(
                "plot", run.toString(), "--detail", "" + PlotOptions.MARKS_LEAST, "-o", "" + page);
        return page;
    }
}
