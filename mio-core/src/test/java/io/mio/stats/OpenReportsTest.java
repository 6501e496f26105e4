package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No report is lost, and none is written twice. */
class OpenReportsTest {
    @TempDir private Path directory;

    private FileReport report(Path file, String name, boolean inter) {
        StatsOutput output =
                new StatsOutput(
                        FileSystems.getDefault(),
                        file.toString(),
                        false,
                        () -> StatsHeader.now("sync", "", "", "", "", List.of()));
        FileReport report = new FileReport(output);
        report.add(StatsOutput.MIOOUT, inter, event -> TestBlocks.of(event, name));
        return report;
    }

    @Test
    void shouldReportAtTheFirstCloseOnly() throws IOException {
        Path file = directory.resolve("stats");
        Object owner = new Object();
        OpenReports.Handle handle = OpenReports.open(owner, report(file, "x", false));
        handle.close();
        handle.close();

        assertThat(blocks(file)).containsExactly("Trace close : program <-> os : x");
        assertThat(owner).isNotNull();
    }

    @Test
    void shouldReportOnDemandWhatIsOpen() throws IOException {
        Path file = directory.resolve("stats");
        Object owner = new Object();
        OpenReports.Handle silent = OpenReports.open(owner, report(file, "silent", false));
        OpenReports.Handle inter = OpenReports.open(owner, report(file, "inter", true));
        OpenReports.writeInter();
        assertThat(blocks(file)).containsExactly("Trace inter : program <-> os : inter");
        OpenReports.writeAll();
        assertThat(blocks(file))
                .contains("Trace inter : program <-> os : silent")
                .filteredOn(line -> line.endsWith("inter"))
                .hasSize(2);
        assertThat(OpenReports.snapshots())
                .extracting(block -> ((TraceSnapshot) block).file())
                .contains("silent", "inter");
        silent.close();
        inter.close();
    }

    @Test
    void shouldCloseAFileWhoseReportFails() throws IOException {
        Path file = directory.resolve("stats");
        FileReport failing = report(file, "failing", false);
        failing.add(
                StatsOutput.MIOOUT,
                false,
                event -> {
                    throw new NoClassDefFoundError("as of a closed class loader");
                });
        Object owner = new Object();
        OpenReports.Handle fails = OpenReports.open(owner, failing);
        OpenReports.Handle other = OpenReports.open(owner, report(file, "other", false));
        OpenReports.writeAll();
        fails.close();
        other.close();

        assertThat(blocks(file))
                .containsExactly(
                        "Trace inter : program <-> os : other",
                        "Trace close : program <-> os : other");
        assertThat(OpenReports.files()).doesNotContain(failing);
    }

    @Test
    void shouldNeverWriteAnOlderReportAfterThatOfTheClose() throws Exception {
        Path file = directory.resolve("stats");
        FileReport report = report(file, "x", false);
        List<OpenReports.Handle> handles = new ArrayList<>();
        Thread closing = new Thread(() -> handles.get(0).close());
        report.add(
                StatsOutput.MIOOUT,
                false,
                event -> {
                    if (event == Event.INTER) {
                        closing.start();
                        while (closing.getState() != Thread.State.BLOCKED
                                && closing.getState() != Thread.State.TERMINATED) {
                            Thread.onSpinWait();
                        }
                    }
                    return TestBlocks.of(event, "y");
                });
        handles.add(OpenReports.open(this, report));
        OpenReports.writeAll();
        closing.join();

        assertThat(blocks(file))
                .containsExactly(
                        "Trace inter : program <-> os : x",
                        "Trace inter : program <-> os : y",
                        "Trace close : program <-> os : x",
                        "Trace close : program <-> os : y");
    }

    /** Reports at the end of the process wait for a close that is under way. */
    @Test
    void shouldWaitForWhatIsBeingClosed() throws Exception {
        Path file = directory.resolve("stats");
        Thread writing = Thread.currentThread();
        CountDownLatch closing = new CountDownLatch(1);
        AtomicBoolean written = new AtomicBoolean();
        FileReport report = report(file, "x", false);
        report.add(
                StatsOutput.MIOOUT,
                false,
                event -> {
                    closing.countDown();
                    while (writing.getState() != Thread.State.BLOCKED && !written.get()) {
                        Thread.onSpinWait();
                    }
                    return TestBlocks.of(event, "y");
                });
        OpenReports.Handle handle = OpenReports.open(this, report);
        Thread closer = new Thread(handle::close);
        closer.start();
        closing.await();
        OpenReports.writeAll();

        try {
            assertThat(blocks(file))
                    .containsExactly(
                            "Trace close : program <-> os : x", "Trace close : program <-> os : y");
        } finally {
            written.set(true);
            closer.join();
        }
    }

    @Test
    void shouldTakeNoSnapshotThatIsWrittenNowhere() {
        StatsOutput nowhere = new StatsOutput(FileSystems.getDefault(), "", false, () -> null);
        FileReport report = new FileReport(nowhere);
        List<Event> taken = new ArrayList<>();
        report.add(
                StatsOutput.MIOOUT,
                true,
                event -> {
                    taken.add(event);
                    return TestBlocks.of(event, "x");
                });
        OpenReports.Handle handle = OpenReports.open(this, report);
        OpenReports.writeAll();
        handle.close();

        assertThat(taken).isEmpty();
    }

    @Test
    void shouldReportAFileTheProgramForgot() throws Exception {
        Path file = directory.resolve("stats");
        Path other = directory.resolve("other");
        OpenReports.open(new Object(), report(file, "forgotten", false));
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!Files.exists(file) && System.nanoTime() < end) {
            System.gc();
            Object owner = new Object();
            OpenReports.open(owner, report(other, "next", false)).close();
        }

        assertThat(blocks(file)).containsExactly("Trace close : program <-> os : forgotten");
    }

    private static List<String> blocks(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("Trace"))
                .map(line -> line.substring(0, line.lastIndexOf(" : ")))
                .toList();
    }
}
