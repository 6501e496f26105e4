package io.mio.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The runs of all contenders for one case; every round has a run of each. */
final class PatternResult {
    private static final double NANOS = 1e9;
    private static final double MB = 1e6;
    private static final double GB = 1e9;
    private static final double PERCENT = 100;

    static final String CSV_HEADER =
            "pattern,request_bytes,threads,cache,round,contender,bytes,nanos,cpu_nanos";

    private final PatternCase of;
    private final List<Contender> contenders;
    private final List<List<Contender.Run>> runs = new ArrayList<>();

    /**
     * A result without runs.
     *
     * @param contenders the others are compared with the first one
     */
    PatternResult(PatternCase of, List<Contender> contenders) {
        this.of = of;
        this.contenders = contenders;
        for (int i = 0; i < contenders.size(); i++) {
            runs.add(new ArrayList<>());
        }
    }

    /** Adds a contender's run of the next round. */
    void add(int contender, Contender.Run run) {
        runs.get(contender).add(run);
    }

    /** The columns of {@link #lines}. */
    static String header() {
        return String.format(
                Locale.ROOT,
                "%-24s %-38s %9s %9s %17s %7s %7s %10s %7s",
                "case",
                "contender",
                "MB/run",
                "MB/s",
                "least..most",
                "rate x",
                "of fio",
                "cpu s/GB",
                "cpu x");
    }

    /**
     * One line for each contender: the median, the least and the most rate; the ratio of its rate
     * to that of the first contender, and to that of fio, each as the median of the ratios of the
     * rounds; and the processor seconds, with the same ratio to the first contender.
     */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        int fio = indexOfFio();
        for (int i = 0; i < contenders.size(); i++) {
            double[] rates = sorted(i, PatternResult::rate);
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-24s %-38s %9.1f %9.1f %8.1f..%-7.1f %7.2f %7s %10.3f %7.2f",
                            i == 0 ? of.label() : "",
                            contenders.get(i).label(),
                            runs.get(i).get(0).bytes() / MB,
                            median(rates) / MB,
                            rates[0] / MB,
                            rates[rates.length - 1] / MB,
                            ratio(i, 0, PatternResult::rate),
                            fio < 0
                                    ? "-"
                                    : String.format(
                                            Locale.ROOT,
                                            "%.0f%%",
                                            PERCENT * ratio(i, fio, PatternResult::rate)),
                            median(sorted(i, PatternResult::cpuSecondsPerGb)),
                            ratio(i, 0, PatternResult::cpuSecondsPerGb)));
        }
        return lines;
    }

    /** Every run as CSV, a line each. */
    List<String> csv() {
        List<String> lines = new ArrayList<>();
        for (int round = 0; round < runs.get(0).size(); round++) {
            for (int i = 0; i < contenders.size(); i++) {
                Contender.Run run = runs.get(i).get(round);
                lines.add(
                        String.format(
                                Locale.ROOT,
                                "%s,%d,%d,%s,%d,%s,%d,%d,%d",
                                of.pattern().label(),
                                of.requestBytes(),
                                of.threads(),
                                of.cold() ? "cold" : "warm",
                                round,
                                contenders.get(i).label(),
                                run.bytes(),
                                run.nanos(),
                                run.cpuNanos()));
            }
        }
        return lines;
    }

    private int indexOfFio() {
        for (int i = 0; i < contenders.size(); i++) {
            if (contenders.get(i) instanceof FioContender) {
                return i;
            }
        }
        return -1;
    }

    private static double rate(Contender.Run run) {
        return run.bytes() * NANOS / run.nanos();
    }

    private static double cpuSecondsPerGb(Contender.Run run) {
        return run.cpuNanos() / NANOS / (run.bytes() / GB);
    }

    private double[] sorted(int contender, ToDoubleFunction<Contender.Run> figure) {
        return runs.get(contender).stream().mapToDouble(figure).sorted().toArray();
    }

    /** The median of the ratios of the rounds. */
    private double ratio(int contender, int base, ToDoubleFunction<Contender.Run> figure) {
        double[] ratios = new double[runs.get(contender).size()];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] =
                    figure.applyAsDouble(runs.get(contender).get(round))
                            / figure.applyAsDouble(runs.get(base).get(round));
        }
        Arrays.sort(ratios);
        return median(ratios);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
