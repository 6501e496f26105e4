package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.TwinProgram;
import io.mio.config.GoldenCase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives the policies of Java and C the same random requests, which must lead to the same results.
 * The requests have the form of the golden cases, and the readers of those cases answer. A failure
 * names the seed; {@code -Dmio.test.seed} repeats it.
 */
class PolicyTwinTest {
    private static final int CASES = 60;

    private final long seed = Long.getLong("mio.test.seed", 20261128L);
    private final Random random = new Random(seed);
    private final StringBuilder text = new StringBuilder();

    @TempDir Path directory;

    private void compare(String program, String file, Consumer<GoldenCase> test) {
        List<GoldenCase> found =
                GoldenCase.parse(TwinProgram.show(program, file, text.toString(), directory));
        assertThat(found).hasSize(CASES);
        for (GoldenCase each : found) {
            try {
                test.accept(each);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dmio.test.seed=" + seed + ", " + each.title(), e);
            }
        }
    }

    private long of(long... values) {
        return values[random.nextInt(values.length)];
    }

    private long below(long bound) {
        return Math.floorMod(random.nextLong(), bound);
    }

    private boolean often(int percent) {
        return random.nextInt(100) < percent;
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void line(String line, Object... values) {
        text.append(String.format(Locale.ROOT, line, values)).append('\n');
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void asked(String line, Object... values) {
        line(line, values);
        line("found: ?");
    }

    private long place() {
        return of(0, below(1 << 20), below(1 << 24) * 4096, below(1L << 34), 1L << 40, 1L << 61);
    }

    private long length() {
        return of(
                1,
                100,
                512,
                4096,
                8192,
                16384,
                65536,
                100_000,
                1 << 18,
                1 << 20,
                below(3 << 20) + 1);
    }

    private long step(long length) {
        return of(
                length,
                -length,
                2 * length,
                -2 * length,
                length + 4096,
                -length - 4096,
                65536,
                1 << 20,
                100 * length,
                0,
                below(6 * length + 10) - 3 * length);
    }

    private void pass(long from, long length, long step, long count, String end) {
        long first = step < 0 ? Math.max(from, -step * count) : from;
        asked("pass: from=%d bytes=%d step=%d count=%d %s", first, length, step, count, end);
    }

    @Test
    void shouldGiveTheSameHints() {
        for (int i = 0; i < CASES; i++) {
            line("== %d", i);
            line(
                    "hints: streams=%d kernel=%d%s",
                    of(1, 2, 8, 16),
                    of(0, 4096, 131072, 8 << 20, below(4 << 20)),
                    List.of(
                                    "",
                                    " size=" + (64 << 20),
                                    " size=" + below(1 << 28),
                                    " size=1000000 warm")
                            .get(random.nextInt(4)));
            for (int k = random.nextInt(25); k >= 0; k--) {
                hintsPart();
            }
            for (String key : List.of("decided", "asked", "nudged")) {
                asked("%s: yes", key);
            }
        }
        compare(
                "pf_hints_test",
                "auto/hints.txt",
                golden -> new ReadHintsTest().shouldTellWhatTheGoldenCaseSays(golden));
    }

    private void hintsPart() {
        long length = length();
        switch (random.nextInt(7)) {
            case 6 -> asked("rest: %d", of(1, 100, 4096, length));
            case 0, 1 -> turns((at, bytes) -> asked("request: %d %d", at, bytes));
            case 2 -> {
                long nanos = of(0, 500, 5000, 100_000);
                String end = "ns=" + nanos + " alone=" + of(0, nanos, 2 * nanos, 1000);
                String state = often(50) ? " cold" : " cached";
                pass(place(), length, step(length), of(1, 3, 16, 65, 200, 1500), end + state);
            }
            case 3 ->
                    asked(
                            "scattered: bytes=%d places=%d count=%d",
                            of(100, 4096, 65536),
                            of(16, 2000, 16384, 1_000_000),
                            of(5, 64, 300, 2000));
            case 4 ->
                    line("front: %s", List.of("yes", "no", "vain", "there").get(random.nextInt(4)));
            default -> line("room: %d", of(0, 1 << 20, 64 << 20, below(64 << 20)));
        }
    }

    private interface Request {
        void at(long offset, long length);
    }

    /** Requests of several readers in turns. */
    private void turns(Request request) {
        int readers = 1 + random.nextInt(4);
        long[] at = new long[readers];
        long[] length = new long[readers];
        long[] step = new long[readers];
        for (int i = 0; i < readers; i++) {
            at[i] = place();
            length[i] = length();
            step[i] = step(length[i]);
        }
        for (int k = random.nextInt(14); k >= 0; k--) {
            for (int i = 0; i < readers; i++) {
                if (at[i] >= 0) {
                    request.at(at[i], length[i]);
                    at[i] += step[i];
                }
            }
        }
    }

    @Test
    void shouldTellOfTheSameBlocks() {
        for (int i = 0; i < CASES; i++) {
            line("== %d", i);
            long size = of(65536, 1 << 20, 4 << 20, 64 << 20, 256 << 20, below(256 << 20) + 65536);
            size = Math.min(size, 256 << 20);
            asked("file: %d", size);
            for (int k = random.nextInt(25); k >= 0; k--) {
                blocksPart(size);
            }
            asked("state: yes");
        }
        compare(
                "pf_blocks_test",
                "auto/blocks.txt",
                golden -> new ReadBlocksTest().shouldTellOfTheBlocksThatTheGoldenCaseSays(golden));
    }

    private void blocksPart(long size) {
        long length = of(100, 512, 4096, 8192, 16384, 16385);
        long step = of(0, 0, length, -length, 16384, 65536);
        switch (random.nextInt(6)) {
            case 0 -> {
                long part = often(60) ? Math.min(size, 1 << 18) : size;
                for (int k = random.nextInt(20); k >= 0; k--) {
                    asked("request: %d %d %d", below(part), length, step);
                }
            }
            case 1, 2 ->
                    pass(
                            below(size),
                            length,
                            step,
                            of(3, 17, 40, 1000),
                            often(70) ? "0" : "" + step);
            case 3 ->
                    asked(
                            "scattered: bytes=%d places=%d count=%d",
                            length,
                            Math.max(1, size / length / of(1, 1, 50)),
                            of(50, 300, 3000, 10_000));
            case 4 ->
                    asked(
                            "popular: bytes=%d places=%d count=%d",
                            of(512, 4096),
                            Long.highestOneBit(size / 4096),
                            of(50, 300, 3000, 10_000));
            default -> line("ns: %d", of(500, 10_000, 100_000, 1_000_000));
        }
    }

    @Test
    void shouldChoosePagesForTheSameReads() {
        for (int i = 0; i < CASES; i++) {
            line("== %d", i);
            if (often(30)) {
                line("smaller: yes");
            }
            for (int k = random.nextInt(12); k >= 0; k--) {
                choicePart();
            }
            asked("why: yes");
        }
        compare(
                "pf_choice_test",
                "auto/choice.txt",
                golden -> new PageChoiceTest().shouldChooseAsTheGoldenCaseSays(golden));
    }

    private void choicePart() {
        long length = of(1, 100, 1024, 1025, 4096, 4097, below(5000) + 1);
        switch (random.nextInt(8)) {
            case 7 -> asked("call: %d", of(-1, 70, 73, 101, 102, 197, 198, 500));
            case 0, 1, 2 -> {
                long step =
                        of(
                                length,
                                -length,
                                -length - 2048,
                                -length - 2049,
                                length + 4097,
                                0,
                                65536);
                asked("read: %d %d %+d x%d", 1 << 24, length, step, of(1, 2, 31, 62, 63, 64, 100));
            }
            case 3 -> asked("write: x%d", of(1, 2, 10, 64));
            case 4 ->
                    asked(
                            "scattered: bytes=%d places=%d count=%d",
                            of(100, 4096), of(16, 2000, 100_000), of(10, 64, 1000));
            case 5 ->
                    asked(
                            "turns: places=%d bytes=%d apart=%d count=%d",
                            of(1, 2, 3, 8, 9, 16),
                            of(100, 4096),
                            of(5000, 1 << 20),
                            of(10, 128, 500));
            default ->
                    asked(
                            "worth: requests=%d reads=%d",
                            of(0, 64, 256, 1000), of(0, 1, 5, 16, 17, 64, 100));
        }
    }

    @Test
    void shouldRecogniseTheSameStreams() {
        for (int i = 0; i < CASES; i++) {
            line("== %d", i);
            line(
                    "table: slots=%d page=%d stride=%d pref=%s",
                    of(1, 2, 3, 8, 16),
                    of(4096, 65536, 1 << 20),
                    of(1, 1, 2, 16),
                    List.of("0", "1", "4", "1:16", "3:20", "auto").get(random.nextInt(6)));
            for (int k = random.nextInt(20); k >= 0; k--) {
                long channel = of(1, 2, 3);
                turns(
                        (at, bytes) -> {
                            line("request: %d %d %d", channel, at, bytes);
                            line("stream: ?");
                        });
            }
        }
        compare(
                "pf_stream_test",
                "stride/streams.txt",
                golden -> new StreamTableTest().shouldRecogniseTheStreamsOfTheGoldenCase(golden));
    }

    @Test
    void shouldFollowTheSamePlans() {
        for (int i = 0; i < CASES; i++) {
            long page = of(4096, 65536, 1 << 20);
            line("== %d", i);
            line("plan: page=%d ahead=%d soon=%d", page, of(1, 2, 3, 8), of(1, 4, 20));
            if (often(30)) {
                long pages = of(1, 2, 10, 100, 1000);
                line("reads: pages=%d seed=5", pages);
                asked(
                        "requests: pages=%d seed=%d skip=%d swap=%d",
                        pages, of(5, 6), below(pages), of(1, 2, 5));
            } else {
                plannedReads(page);
            }
        }
        compare(
                "pf_plan_test",
                "plan/plan.txt",
                golden -> new PagePlanTest().shouldFollowThePlanOfTheGoldenCase(golden));
    }

    private void plannedReads(long page) {
        long[] at = new long[7];
        List<long[]> requests = new ArrayList<>();
        for (int k = random.nextInt(100); k >= 0; k--) {
            int channel = random.nextInt(at.length);
            if (often(50)) {
                at[channel] = below(100) * page + of(0, 0, 100, below(page));
            }
            long length = of(1, 100, page, 2 * page, 3 * page + 5, below(page) + 1);
            line("read: %d %d %d", channel, at[channel], length);
            requests.add(new long[] {at[channel], length});
            at[channel] += length;
        }
        for (int k = random.nextInt(5); k > 0; k--) {
            Collections.swap(
                    requests, random.nextInt(requests.size()), random.nextInt(requests.size()));
            requests.add(random.nextInt(requests.size()), new long[] {below(200) * page, 100});
        }
        for (long[] request : requests) {
            asked("request: %d %d", request[0], request[1]);
        }
    }
}
