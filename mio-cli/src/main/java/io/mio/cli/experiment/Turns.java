package io.mio.cli.experiment;

import io.mio.cli.bench.BenchReport;
import io.mio.cli.bench.BenchRun;
import io.mio.cli.bench.BenchTest;
import io.mio.cli.bench.Cleanup;
import io.mio.cli.bench.Delivered;
import io.mio.cli.bench.Measured;
import io.mio.cli.bench.Sample;
import io.mio.cli.bench.Spread;
import io.mio.cli.term.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Reads of existing files by entrants that differ in more than the rule. They take turns, each time
 * with another one first, and the files are cold each time.
 */
final class Turns {
    private final Context context;
    private final int runs;

    Turns(Context context, int runs) {
        this.context = context;
        this.runs = runs;
    }

    /**
     * Runs a test that only reads.
     *
     * @return samples of each entrant, by name, in their order
     */
    Map<String, List<Sample>> read(BenchTest test, long recordBytes, List<Entrant> entrants)
            throws IOException, InterruptedException {
        return read(test, recordBytes, entrants, Delivered.BY_DEVICE);
    }

    /**
     * Runs a test on storage with a counter of its own.
     *
     * @param delivered proves that tests are cold
     */
    Map<String, List<Sample>> read(
            BenchTest test, long recordBytes, List<Entrant> entrants, Delivered delivered)
            throws IOException, InterruptedException {
        Map<String, List<Sample>> samples = new LinkedHashMap<>();
        entrants.forEach(one -> samples.put(one.name(), new ArrayList<>()));
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < entrants.size(); i++) {
                Entrant entrant = entrants.get((run + i) % entrants.size());
                samples.get(entrant.name()).add(one(test, recordBytes, entrant, delivered));
            }
        }
        return samples;
    }

    private Sample one(BenchTest test, long recordBytes, Entrant entrant, Delivered delivered)
            throws IOException, InterruptedException {
        Measuring measuring =
                new Measuring(1)
                        .tests(test)
                        .recordBytes(recordBytes)
                        .threads(entrant.files().size())
                        .configuration(entrant.name(), entrant.rule());
        if (entrant.direct()) {
            measuring.direct();
        }
        try (Progress line = context.progress()) {
            BenchRun run =
                    new BenchRun(measuring.options(context.settings().door()), true, line)
                            .countedBy(delivered);
            if (!Files.isRegularFile(entrant.files().get(0))) {
                run.onDevices();
            }
            Cleanup.Action stopping = () -> stop(run);
            context.cleanup().begin(() -> null, stopping);
            try {
                BenchReport report = run.run(context.dir(), entrant.files());
                return Measured.of(report).get(0).samples().get(0);
            } finally {
                context.cleanup().end(stopping);
            }
        }
    }

    private static void stop(BenchRun run) throws IOException {
        List<String> wrong = run.stop();
        if (!wrong.isEmpty()) {
            throw new IOException(String.join("; ", wrong));
        }
    }

    /** Returns the spread of a figure over all runs. */
    static Spread spread(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return Spread.of(samples.stream().mapToDouble(figure).toArray());
    }

    /**
     * Returns the part of one processor that the program used, in percent; above 100 if it used
     * several.
     */
    static double processorPercent(Sample sample) {
        return 100.0 * sample.cpuNanos() / sample.elapsedNanos();
    }

    /** Returns MiB of 1024 * 1024 bytes per second. */
    static double mibPerSecond(Sample sample) {
        return sample.kbPerSecond() / 1024;
    }
}
