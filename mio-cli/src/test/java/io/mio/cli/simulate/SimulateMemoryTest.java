package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.stats.TraceOperation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mio simulate} and {@code mio advise} with little memory. */
class SimulateMemoryTest {
    private static final int MANY = 60_000;
    private static final String DEVICE = "latency=100us,bandwidth=1g";

    @TempDir Path dir;

    /** Runs a command with this heap; returns its status and what it printed. */
    private String run(String heap, String... command) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        words.addAll(List.of(heap, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
        words.add(System.getProperty("java.class.path"));
        words.add("io.mio.cli.Main");
        words.addAll(List.of(command));
        Process process =
                new ProcessBuilder(words).directory(dir.toFile()).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + out;
    }

    @ParameterizedTest
    @ValueSource(strings = {"pf/cache=8m/page=256k", "pf/auto"})
    void shouldNeedNoMemoryForWhatWasAskedForAndIsNotThere(String rule) throws Exception {
        int size = 8 << 20;
        try (MadeRun run = new MadeRun(dir.resolve("large"), "a.dat", size, 1000, 100)) {
            run.read(0, 1_500_000_000, size);
            run.read(size, 1_500_000_000, 0);
        }

        String said =
                run("-Xmx96m", "simulate", "large", "--config", rule, "--device", DEVICE, "--csv");

        assertThat(said).startsWith("0 ").contains("\n" + rule + ",");
    }

    @Test
    void shouldSayWhatHelpsWherePagesAreLarge() throws Exception {
        try (MadeRun run = new MadeRun(dir.resolve("run"), "a.dat", 1 << 20, 1000, 100)) {
            run.read(0, 100);
        }
        String rule = "pf/cache=512m/page=256m";

        assertThat(run("-Xmx48m", "simulate", "run", "--config", rule))
                .startsWith("1 ")
                .contains("not enough memory to simulate its caches; give Java more")
                .doesNotContain("larger");
    }

    @Test
    void shouldSayWhatHelpsWhereThereAreTooManyFiles() throws Exception {
        String padding = "x".repeat(900);
        try (MadeEvents made = new MadeEvents(dir.resolve("many"))) {
            for (int i = 1; i <= MANY; i++) {
                int id = made.file("/" + padding + i, i);
                made.add(
                        MadeEvent.call(TraceOperation.READ, id, i * 1000L, 500)
                                .bytes(0, 4096)
                                .made());
            }
        }

        String simulated = run("-Xmx32m", "simulate", "many", "--config", "none");
        String advised = run("-Xmx32m", "advise", "many", "--device", DEVICE);

        for (String said : List.of(simulated, advised)) {
            assertThat(said)
                    .startsWith("1 ")
                    .contains("not enough memory for so many files; use --file, or give Java more")
                    .doesNotContain("\tat ");
        }
    }
}
