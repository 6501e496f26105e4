package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mio.events.EventDecision;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run in random order is recorded, and repeated with the recording as its plan. */
class PlanTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 300;

    @TempDir private Path directory;

    private final byte[] content = new byte[PAGES * PAGE];
    private Path data;
    private Path plan;
    private String report;

    @BeforeEach
    void record() throws IOException {
        new Random(2).nextBytes(content);
        data = Files.write(directory.resolve("data"), content);
        plan = directory.resolve("x.events");
        run("record", "trace/events={%s}".formatted(plan), 5);
    }

    /** Reads all pages in the order of a seed, and compares every byte. */
    private void run(String name, String layers, long seed) throws IOException {
        List<Integer> pages = new ArrayList<>();
        for (int page = 0; page < PAGES; page++) {
            pages.add(page);
        }
        Collections.shuffle(pages, new Random(seed));
        Path lines = directory.resolve(name + ".jsonl");
        Map<String, String> settings =
                Map.of("files", "*data [ " + layers + " ]", "debug", "OPEN", "stats", lines + "");
        try (FileSystem mio =
                        FileSystems.newFileSystem(
                                URI.create("mio://plan-" + name + "/"), settings);
                FileChannel channel = FileChannel.open(mio.getPath(data.toString()), READ)) {
            ByteBuffer record = ByteBuffer.allocate(PAGE);
            for (int page : pages) {
                assertThat(channel.read(record.clear(), (long) page * PAGE)).isEqualTo(PAGE);
                int at = page * PAGE;
                assertThat(Arrays.equals(record.array(), 0, PAGE, content, at, at + PAGE)).isTrue();
            }
        }
        report = Files.readString(lines);
    }

    private void runByPlan(String name, String more) throws IOException {
        run(name, "pf/cache=256k/page=4k/private/stats/plan={%s}%s".formatted(plan, more), 5);
    }

    private long counted(String name) {
        Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(report);
        assertThat(found.find()).as("%s in %s", name, report).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void shouldReadAheadWhatTheEarlierRunRead() throws IOException {
        runByPlan("follows", "/pref=8");
        assertThat(report).contains("goes by a plan of 300 pages");
        assertThat(counted("started_prefetches")).isEqualTo(PAGES - 1);
        assertThat(counted("unused_prefetches")).isZero();
    }

    @Test
    void shouldReportHowTheRunWentByThePlan() throws IOException {
        runByPlan("followed", "");
        assertThat(report)
                .contains("\"plan\":{\"state\":\"followed\",\"reason\":null,\"pages\":300,")
                .contains("\"place\":300,\"requests\":300,\"followed\":300,\"left\":0}");
        run("without", "pf/cache=256k/page=4k/private/stats", 5);
        assertThat(report).contains("\"type\":\"pf\"").doesNotContain("\"plan\"");
        Files.delete(plan);
        plan = directory.resolve("none");
        runByPlan("none", "");
        assertThat(report)
                .contains("\"plan\":{\"state\":\"none\",\"reason\":\"there is no file " + plan);
    }

    @Test
    void shouldRecordWhetherThereIsAPlan() throws IOException {
        assertThat(decision("pf/plan={%s}".formatted(plan), "by"))
                .satisfies(
                        one -> {
                            assertThat(one.what()).isEqualTo("plan");
                            assertThat(one.reason()).isEqualTo("goes by a plan of 300 pages");
                        });
        Path missing = directory.resolve("missing");
        assertThat(decision("pf/plan={%s}".formatted(missing), "no"))
                .satisfies(
                        one -> {
                            assertThat(one.what()).isEqualTo("no-plan");
                            assertThat(one.reason()).isEqualTo("there is no file " + missing);
                        });
        assertThat(decision("pf", "other")).isNull();
    }

    /** The only decision that a run by this layer records; null if there is none. */
    private EventDecision decision(String layer, String name) throws IOException {
        Path events = directory.resolve(name + ".events");
        run(name, "trace/events={%s} | %s/cache=256k/page=4k/private".formatted(events, layer), 5);
        List<EventDecision> decisions = new ArrayList<>();
        try (EventReader reader = EventReader.open(events)) {
            decisions.addAll(reader.decisions());
        }
        assertThat(decisions).hasSizeLessThan(2);
        return decisions.isEmpty() ? null : decisions.get(0);
    }

    @Test
    void shouldRecordTheNextPlanWhileItGoesByThisOne() throws IOException {
        for (String name : List.of("first", "second")) {
            Path next = directory.resolve(name + ".events");
            run(
                    name,
                    "trace/events={%s} | pf/cache=256k/page=4k/private/stats/pref=8/plan={%s}"
                            .formatted(next, plan),
                    5);
            assertThat(counted("started_prefetches")).isEqualTo(PAGES - 1);
            plan = next;
        }
    }

    @Test
    void shouldFindTheOnlyFileOfTheSameNameElsewhere() throws IOException {
        data = Files.move(data, Files.createDirectory(directory.resolve("else")).resolve("data"));
        runByPlan("elsewhere", "");
        assertThat(report).contains("goes by a plan of 300 pages");
    }

    @Test
    void shouldGoOnByDetectionWhereThereIsNoPlan() throws IOException {
        Files.delete(plan);
        runByPlan("missing", "");
        assertThat(report).contains("no plan: there is no file " + plan);
        Files.writeString(plan, "something else");
        plan = Files.move(plan, directory.resolve("other"));
        runByPlan("other", "");
        assertThat(report).contains("no plan: " + plan + " is no events file");
        plan = Files.createDirectory(directory.resolve("directory"));
        runByPlan("directory", "");
        assertThat(report).contains("no plan: ");
    }

    @Test
    void shouldSayThatAPlanMayNotBeRead() throws IOException {
        Files.setPosixFilePermissions(plan, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(plan), "root reads everything");
        runByPlan("secret", "");
        assertThat(report).contains("no plan: " + plan + ": Permission denied");
    }

    @Test
    void shouldGoOnWithWhatAFileHasThatWasCut() throws IOException {
        long size = Files.size(plan);
        try (RandomAccessFile file = new RandomAccessFile(plan.toFile(), "rw")) {
            file.setLength(Math.min(size, 2 * 65536 + 64 + 100 * 64 + 7));
        }
        runByPlan("cut", "/pref=8");
        assertThat(report).contains("goes by a plan of ").doesNotContain("of 300 pages");
    }

    @Test
    void shouldHaveNoPlanOfReadsThatMakeNoSense() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(plan)).order(ByteOrder.nativeOrder());
        int patched = 0;
        for (int at = 0; at < bytes.capacity(); at += 64) {
            boolean isRead = bytes.getShort(at) == 1 && bytes.get(at + 2) == 3;
            if (isRead && bytes.getLong(at + 32) == PAGE) {
                bytes.putLong(at + 24, -1);
                patched++;
            }
        }
        assertThat(patched).isEqualTo(PAGES);
        Files.write(plan, bytes.array());
        runByPlan("nonsense", "");
        assertThat(report).contains("no plan: the events file has no read of it");
    }

    @Test
    void shouldTakeNoHarmFromAnyBytes() throws IOException {
        byte[] bytes = Files.readAllBytes(plan);
        Random random = new Random(3);
        for (int round = 0; round < 20; round++) {
            byte[] broken = bytes.clone();
            for (int i = 0; i < 400; i++) {
                broken[4096 + random.nextInt(broken.length - 4096)] = (byte) random.nextInt();
            }
            plan = Files.write(directory.resolve("broken" + round), broken);
            runByPlan("broken" + round, "/pref=8");
        }
    }
}
