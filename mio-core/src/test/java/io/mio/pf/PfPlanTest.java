package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import io.mio.stats.PfSnapshot;
import io.mio.stats.PfSnapshot.Plan;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a cache reads for a program that follows a plan, and for one that does not. */
class PfPlanTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 400;
    private static final String OPTIONS = "cache=64k/page=4k/private/plan=x/pref=4";

    private final FileKey key = PfFixture.newKey();
    private final byte[] content = new byte[PAGES * PAGE];
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private MemoryFile below = new MemoryFile(Runnable::run);

    PfPlanTest() {
        new Random(1).nextBytes(content);
        below.holding(content);
    }

    @AfterEach
    void end() {
        executor.shutdown();
    }

    private static List<Long> shuffled(long seed) {
        List<Long> pages = new ArrayList<>();
        for (long page = 0; page < PAGES; page++) {
            pages.add(page);
        }
        Collections.shuffle(pages, new Random(seed));
        return pages;
    }

    /** What a run recorded that read {@code length} bytes of each of these pages. */
    private static PlanFile recorded(int length, List<List<Long>> passes) {
        PlannedReads reads = new PlannedReads();
        for (List<Long> pages : passes) {
            for (long page : pages) {
                reads.add(1, page * PAGE, length);
            }
        }
        return PlanFile.of(Map.of("test", reads));
    }

    private static PlanFile recorded(long... seeds) {
        return recorded(PAGE, Arrays.stream(seeds).mapToObj(PfPlanTest::shuffled).toList());
    }

    private PfLayer open(String options, PlanFile plans) throws IOException {
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDONLY);
        layer.follow(plans, "test");
        below.calls();
        return layer;
    }

    private void read(PfLayer layer, int length, Iterable<Long> pages) throws IOException {
        for (long page : pages) {
            ByteBuffer dst = ByteBuffer.allocate(length);
            int there = (int) Math.min(length, below.content().length - page * PAGE);
            assertThat(layer.read(dst, page * PAGE)).isEqualTo(there);
            int at = (int) page * PAGE;
            assertThat(Arrays.equals(dst.array(), 0, there, content, at, at + there)).isTrue();
        }
    }

    private PfSnapshot run(String options, PlanFile plans, List<List<Long>> passes)
            throws IOException {
        PfLayer layer = open(options, plans);
        for (List<Long> pass : passes) {
            read(layer, PAGE, pass);
        }
        PfSnapshot counters = PfFixture.counters(layer);
        PfFixture.close(layer, key);
        return counters;
    }

    @Test
    void shouldReadPagesInRandomOrderAhead() throws IOException {
        PfSnapshot counters = run(OPTIONS, recorded(3), List.of(shuffled(3)));
        assertThat(counters.details().misses()).as("the first page").isEqualTo(1);
        assertThat(counters.startedPrefetches()).isEqualTo(PAGES - 1);
        assertThat(counters.unusedPrefetches()).isZero();
        assertThat(counters.child().reads()).isEqualTo(PAGES);
        assertThat(counters.child().bytesRead()).isEqualTo((long) PAGES * PAGE);
    }

    @Test
    void shouldReadAsManyAheadAsThereIsRoomForWhereTheProgramWaits() throws IOException {
        below = new MemoryFile(executor).holding(content);
        PfSnapshot counters =
                run(
                        "cache=512k/page=4k/private/plan=x",
                        recorded(3, 4),
                        List.of(shuffled(3), shuffled(4)));
        assertThat(counters.distance()).isBetween(2L, 64L);
        assertThat(counters.details().misses()).isLessThan(PAGES / 8);
        assertThat(counters.unusedPrefetches()).isLessThan(PAGES / 8);
    }

    @Test
    void shouldReadWhatDetectionReadsWhereThePlanIsOfAnotherOrder() throws IOException {
        PfSnapshot alone = run(OPTIONS, recorded(), List.of(shuffled(8)));
        PfSnapshot wrong = run(OPTIONS, recorded(7), List.of(shuffled(8)));
        assertThat(wrong.child()).isEqualTo(alone.child());
        assertThat(wrong.startedPrefetches()).isEqualTo(alone.startedPrefetches());
        assertThat(wrong.details().misses()).isEqualTo(alone.details().misses());
    }

    @Test
    void shouldLeaveAStreamToDetectionThatIsNotInThePlan() throws IOException {
        List<Long> forward = new ArrayList<>(shuffled(0));
        Collections.sort(forward);
        PfSnapshot counters = run(OPTIONS, recorded(7), List.of(forward));
        assertThat(counters.details().misses()).isLessThan(10);
        assertThat(counters.startedPrefetches()).isGreaterThan(PAGES - 20);
    }

    @Test
    void shouldKeepWhatIsReadAgainInAPassThatIsLargerThanTheCache() throws IOException {
        String options = "cache=400k/page=4k/private/plan=x/pref=4";
        PfSnapshot counters =
                run(options, recorded(5, 5, 5), List.of(shuffled(5), shuffled(5), shuffled(5)));
        // There are 100 frames, some of which are for the pages that come next.
        assertThat(counters.child().reads()).isLessThan(3 * PAGES - 2 * 85);
        assertThat(counters.unusedPrefetches()).isZero();
    }

    @Test
    void shouldReadOnlyThePartOfLargePagesThatIsWanted() throws IOException {
        List<Long> pages = shuffled(5);
        PfLayer layer =
                open("cache=2m/page=64k/private/plan=x/pref=8", recorded(1024, List.of(pages)));
        read(layer, 1024, pages);
        // Places that lie near each other, one behind the other, are read together.
        assertThat(PfFixture.counters(layer).child().bytesRead()).isLessThan(PAGES * 1024L * 5 / 4);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldReadAPageAtOnceThatTheProgramReadsPieceByPiece() throws IOException {
        PlannedReads reads = new PlannedReads();
        for (int at = 0; at < 4 * 65536; at += 1000) {
            reads.add(1, 65536 * 7 + at, 1000);
        }
        PfLayer layer =
                open("cache=2m/page=64k/private/plan=x/pref=2", PlanFile.of(Map.of("test", reads)));
        for (int at = 0; at < 4 * 65536; at += 1000) {
            layer.read(ByteBuffer.allocate(1000), 65536 * 7 + at);
        }
        assertThat(below.calls()).containsSubsequence("read 458752+65536", "aread 655360+65536");
        assertThat(PfFixture.counters(layer).details().misses()).isEqualTo(1);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldGoOnWhereItWasWhenTheFileIsOpenedAgain() throws IOException {
        PlanFile plans = recorded(5, 6);
        run(OPTIONS, plans, List.of(shuffled(5)));
        PfSnapshot counters = run(OPTIONS, plans, List.of(shuffled(6)));
        assertThat(counters.details().misses()).isEqualTo(1);
    }

    @Test
    void shouldLetOnlyOneFileGoByAPlanAtATime() throws IOException {
        PlanFile plans = recorded(5);
        PfLayer layer = PfFixture.open(OPTIONS, below, key, OpenFlags.RDONLY);
        assertThat(layer.follow(plans, "test"))
                .isEqualTo(new PlanAnswer(true, "goes by a plan of 400 pages"));
        assertThat(layer.follow(plans, "test")).as("goes by it already").isNull();
        FileKey otherKey = PfFixture.newKey();
        PfLayer other = PfFixture.open(OPTIONS, below, otherKey, OpenFlags.RDONLY);
        assertThat(other.follow(plans, "/else/test"))
                .isEqualTo(new PlanAnswer(false, "another file of that name goes by it"));
        assertThat(other.follow(plans, "nothing").line())
                .isEqualTo("no plan: the events file has no read of it");
        PfFixture.close(layer, key);
        assertThat(other.follow(plans, "/else/test").line())
                .isEqualTo("goes by a plan of 400 pages");
        PfFixture.close(other, otherKey);
    }

    private static Plan plan(
            boolean follows, long place, long requests, long followed, long left, long stray) {
        return new Plan(null, follows, PAGES, place, requests, followed, left, stray, stray);
    }

    @Test
    void shouldReportThatTheRunWasWhereThePlanSaid() throws IOException {
        PfLayer layer = open(OPTIONS, recorded(5));
        assertThat(PfFixture.counters(layer).plan()).isEqualTo(plan(true, 0, 0, 0, 0, 0));
        read(layer, PAGE, shuffled(5));
        Plan all = plan(true, PAGES, PAGES, PAGES, 0, 0);
        assertThat(PfFixture.counters(layer).plan()).isEqualTo(all);
        PfFixture.close(layer, key);
        PfSnapshot closed = (PfSnapshot) layer.source().file().snapshot(Event.CLOSE);
        assertThat(closed.plan()).isEqualTo(all);
        PfSnapshot cache = (PfSnapshot) layer.source().cache().snapshot(Event.CLOSE);
        assertThat(cache.isOfCache()).isTrue();
        assertThat(cache.plan()).isNull();
    }

    @Test
    void shouldReportThatTheRunLeftThePlan() throws IOException {
        Plan followed = run(OPTIONS, recorded(5, 6), List.of(shuffled(5))).plan();
        assertThat(followed.place()).isEqualTo(PAGES);
        Plan left = run(OPTIONS, recorded(7), List.of(shuffled(8))).plan();
        assertThat(left).isEqualTo(plan(false, 0, PAGES, 0, 1, 2));
        List<Long> elsewhere = new ArrayList<>(shuffled(5).subList(0, 50));
        Collections.reverse(elsewhere);
        Plan over = run(OPTIONS, recorded(5), List.of(shuffled(5), elsewhere)).plan();
        assertThat(over).isEqualTo(plan(false, PAGES, PAGES + 50, PAGES, 1, 8));
    }

    @Test
    void shouldCountAnewWhenTheFileIsOpenedAgain() throws IOException {
        PlanFile plans = recorded(7);
        run(OPTIONS, plans, List.of(shuffled(8)));
        assertThat(run(OPTIONS, plans, List.of()).plan()).isEqualTo(plan(false, 0, 0, 0, 0, 2));
        Plan found = run(OPTIONS, plans, List.of(shuffled(7), shuffled(7))).plan();
        assertThat(found.state()).isEqualTo("followed");
        assertThat(found.requests()).isEqualTo(2 * PAGES);
    }

    @Test
    void shouldReportWhyThereIsNoPlan() throws IOException {
        PlanFile plans = recorded(5);
        PfLayer layer = PfFixture.open(OPTIONS, below, key, OpenFlags.RDONLY);
        assertThat(PfFixture.counters(layer).plan()).as("nobody asked for one").isNull();
        layer.follow(plans, "other");
        assertThat(PfFixture.counters(layer).plan())
                .isEqualTo(Plan.none("the events file has no read of it"));
        layer.follow(plans, "test");
        layer.follow(plans, "other");
        assertThat(PfFixture.counters(layer).plan()).isEqualTo(plan(true, 0, 0, 0, 0, 0));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldGoOnInAFileThatIsShorterThanItWas() throws IOException {
        below = new MemoryFile(Runnable::run).holding(Arrays.copyOf(content, 100 * PAGE + 5));
        List<Long> left = shuffled(5).stream().filter(page -> page <= 100).toList();
        PfSnapshot counters =
                run("cache=256k/page=4k/private/plan=x/pref=32", recorded(5), List.of(left));
        assertThat(counters.child().bytesRead()).isLessThanOrEqualTo(100L * PAGE + 512);
        assertThat(counters.details().misses()).isLessThan(20);
    }
}
