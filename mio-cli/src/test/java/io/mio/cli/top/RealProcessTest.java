package io.mio.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.cli.demo.DemoProgram;
import io.mio.cli.demo.JavaProgram;
import io.mio.cli.demo.NativeProgram;
import io.mio.events.EventReader;
import io.mio.live.LiveReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that stop where it is known what they have done: after writing, and after reading. */
class RealProcessTest {
    private static final int RECORD_BYTES = 10_000;
    private static final int RECORDS = 300;
    private static final long BYTES = (long) RECORD_BYTES * RECORDS;

    @TempDir Path dir;

    private final Ledger ledger = new Ledger();
    private Process process;
    private BufferedReader output;

    @AfterEach
    void end() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldShowANativeProgramThatRunsAndIsKilled() throws Exception {
        assumeTrue(NativeProgram.isBuilt(), "built without a C compiler");
        try (NativeProgram program = NativeProgram.unpack(dir)) {
            expectRunAndKill(program, "native", "alot_buf");
        }
    }

    @Test
    void shouldShowAJvmThatRunsAndIsKilled() throws Exception {
        expectRunAndKill(new JavaProgram(), "jvm", "AlotBuf");
    }

    private void expectRunAndKill(DemoProgram program, String door, String name) throws Exception {
        start(program, "x.dat [ trace | pf/cache=1m/page=64k ]");
        Path live = dir.resolve("live");

        awaitPause();
        Tick written = tick(live);
        Row file = row(written.files(), "x.dat");
        assertThat(file.door()).isEqualTo(door);
        assertThat(file.totals().writtenBytes()).isEqualTo(BYTES);
        assertThat(file.totals().writes()).isEqualTo(RECORDS);
        assertThat(file.totals().readBytes()).isZero();
        assertThat(file.killed()).isFalse();

        goOn();
        awaitPause();
        Tick read = tick(live);
        Row reading = row(read.files(), "x.dat");
        assertThat(reading.growth().readBytes()).isEqualTo(BYTES);
        assertThat(reading.growth().writtenBytes()).isZero();
        assertThat(reading.totals().cachedReads()).isEqualTo(RECORDS);
        assertThat(reading.totals().hits()).isBetween(1L, (long) RECORDS);
        assertThat(read.processes()).singleElement().extracting(Row::pid).isEqualTo(process.pid());
        assertThat(read.processes().get(0).program()).contains(name);

        process.destroyForcibly().waitFor();
        Tick killed = tick(live);
        assertThat(killed.killedCount()).isEqualTo(1);
        assertThat(row(killed.files(), "x.dat").totals()).isEqualTo(reading.totals());
        assertThat(killed.total().totals()).isEqualTo(Counters.NONE);
        assertThat(LiveReader.clean(live)).isEqualTo(1);
        assertThat(tick(live).processes()).isEmpty();
    }

    @Test
    void shouldShowWhatANativeProgramUnderAutoDoes() throws Exception {
        assumeTrue(NativeProgram.isBuilt(), "built without a C compiler");
        try (NativeProgram program = NativeProgram.unpack(dir)) {
            expectAuto(program);
        }
    }

    @Test
    void shouldShowWhatAJvmUnderAutoDoes() throws Exception {
        assumeTrue(NativeProgram.isBuilt(), "built without a C compiler");
        expectAuto(new JavaProgram());
    }

    @Test
    void shouldSayWhyAnOpenOfAJvmIsNotServed() throws Exception {
        start(
                new JavaProgram(),
                Map.of("files", "x.dat [ trace/events=x.mio | pf/auto ]", "native.path", "/no"));
        awaitPause();

        Tick tick = tick(dir.resolve("live"));
        assertThat(row(tick.files(), "x.dat").auto()).isEqualTo("kernel");
        assertThat(tick.decisions())
                .singleElement()
                .satisfies(
                        row -> {
                            assertThat(row.what()).isEqualTo("kernel");
                            assertThat(row.reason())
                                    .startsWith("MIO's helper library is not there");
                        });
        goOn();
        awaitPause();
        goOn();
        assertThat(process.waitFor()).isZero();
        try (EventReader events = EventReader.open(dir.resolve("x.mio"))) {
            assertThat(events.decisions())
                    .singleElement()
                    .satisfies(one -> assertThat(one.reason()).startsWith("MIO's helper"));
        }
    }

    @Test
    void shouldSayWhyANativeProgramGoesByNoPlan() throws Exception {
        assumeTrue(NativeProgram.isBuilt(), "built without a C compiler");
        try (NativeProgram program = NativeProgram.unpack(dir)) {
            expectNoPlan(program);
        }
    }

    @Test
    void shouldSayWhyAJvmGoesByNoPlan() throws Exception {
        expectNoPlan(new JavaProgram());
    }

    private void expectNoPlan(DemoProgram program) throws Exception {
        start(program, "x.dat [ trace | pf/cache=1m/page=64k/plan=absent.mio ]");
        awaitPause();

        Tick tick = tick(dir.resolve("live"));
        assertThat(row(tick.files(), "x.dat").auto()).isEmpty();
        assertThat(tick.decisions())
                .singleElement()
                .satisfies(
                        row -> {
                            assertThat(row.what()).isEqualTo("no-plan");
                            assertThat(row.reason()).contains("absent.mio");
                        });
    }

    private void expectAuto(DemoProgram program) throws Exception {
        String type = Files.getFileStore(dir).type();
        assumeTrue(
                List.of("ext4", "xfs", "btrfs").contains(type),
                "nothing is told of files on " + type);
        start(program, "x.dat [ auto ]");
        Path live = dir.resolve("live");

        awaitPause();
        Tick written = tick(live);
        assertThat(row(written.files(), "x.dat").auto()).isEqualTo("looking");
        assertThat(written.decisions())
                .extracting(DecisionRow::what, DecisionRow::reason)
                .containsExactly(
                        tuple("no-pages", "only 0 of 64 requests were small and near each other"));

        goOn();
        awaitPause();
        // The decision depends on the kernel.
        Tick read = tick(live);
        assertThat(row(read.files(), "x.dat").auto()).isIn("hints", "kernel", "cached");
        expectDecisions(read, false);

        process.destroyForcibly().waitFor();
        expectDecisions(tick(live), true);
    }

    private void expectDecisions(Tick tick, boolean killed) {
        assertThat(tick.decisions()).isNotEmpty();
        for (DecisionRow row : tick.decisions()) {
            assertThat(row.pid()).isEqualTo(process.pid());
            assertThat(row.file()).endsWith("x.dat");
            assertThat(row.killed()).isEqualTo(killed);
            assertThat(row.agoNanos()).isPositive();
        }
        assertThat(tick.decisions())
                .anySatisfy(
                        row -> {
                            assertThat(row.what()).isIn("hints", "kernel", "cached");
                            assertThat(row.reason()).containsAnyOf("forward", "what comes next");
                        });
    }

    @Test
    void shouldShowNothingOfAProgramThatEnded() throws Exception {
        assumeTrue(NativeProgram.isBuilt(), "built without a C compiler");
        try (NativeProgram program = NativeProgram.unpack(dir)) {
            start(program, "x.dat [ trace ]");
            awaitPause();
            assertThat(tick(dir.resolve("live")).processes()).hasSize(1);
            goOn();
            awaitPause();
            goOn();
            assertThat(process.waitFor()).isZero();
            assertThat(tick(dir.resolve("live")).processes()).isEmpty();
        }
    }

    private void start(DemoProgram program, String rules) throws IOException {
        start(program, Map.of("files", rules));
    }

    private void start(DemoProgram program, Map<String, String> more) throws IOException {
        Path live = Files.createDirectory(dir.resolve("live"));
        Map<String, String> settings = new HashMap<>(more);
        settings.put("live", live.toString());
        List<String> command = new ArrayList<>(program.command(settings, RECORD_BYTES));
        command.addAll(List.of("x.dat", "" + RECORD_BYTES, "" + RECORDS, "pause"));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(dir.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        // A developer's own settings must not change the outcome.
        builder.environment().keySet().removeIf(key -> key.startsWith("MIO_"));
        program.prepare(settings, builder.environment());
        process = builder.start();
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    private void awaitPause() throws IOException {
        String line = output.readLine();
        while (line != null && !line.equals("paused")) {
            line = output.readLine();
        }
        assertThat(line).isEqualTo("paused");
    }

    private void goOn() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write('\n');
        in.flush();
    }

    private Tick tick(Path live) {
        return ledger.add(LiveReader.read(live), Instant.now(), System.nanoTime());
    }

    private static Row row(List<Row> rows, String file) {
        return rows.stream().filter(row -> row.file().endsWith(file)).findFirst().orElseThrow();
    }
}
