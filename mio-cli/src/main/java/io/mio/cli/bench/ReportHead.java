package io.mio.cli.bench;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What has to be known of a benchmark before its figures mean anything. */
final class ReportHead {
    private final BenchReport report;
    private final BenchOptions options;
    private final List<String> lines = new ArrayList<>();

    ReportHead(BenchReport report) {
        this.report = report;
        this.options = report.options();
    }

    private void line(String label, String text) {
        lines.add(String.format(Locale.ROOT, "%-13s %s", label + ":", SafeText.of(text)));
    }

    /** Returns the lines; the first one is the title. */
    List<String> lines() {
        Machine machine = report.machine();
        lines.add(
                "mio bench "
                        + machine.mio()
                        + ": "
                        + options.runs()
                        + (options.runs() == 1 ? " run" : " runs, taking turns"));
        line(
                "Machine",
                machine.kernel()
                        + " "
                        + machine.architecture()
                        + ", "
                        + machine.processors()
                        + " processors"
                        + (machine.memoryBytes() == null
                                ? ""
                                : ", " + Amounts.bytes(machine.memoryBytes())));
        line(
                "Files",
                String.join(", ", report.files())
                        + " on "
                        + (machine.fileSystem() == null ? "?" : machine.fileSystem())
                        + (machine.device() == null ? "" : ", device " + machine.device())
                        + (Boolean.TRUE.equals(machine.rotational()) ? " (rotating)" : ""));
        line("Workers", workers());
        line("State", options.state().id() + ": " + options.state().text() + report.proof());
        line("Time", time());
        for (Configuration configuration : options.configurations()) {
            line(configuration.name(), configuration.description());
        }
        return lines;
    }

    private String workers() {
        int threads = options.threads();
        String kind = options.processes() ? "process" : "thread";
        return threads
                + " "
                + kind
                + (threads == 1 ? "" : options.processes() ? "es" : "s")
                + (options.door() == BenchOptions.Door.JVM
                        ? " in Java (" + report.machine().jvm() + "), " + WarmUp.TEXT
                        : " in C")
                + (threads == 1 ? "" : options.shared() ? ", one file" : ", a file each")
                + (options.direct() ? ", direct I/O" : "")
                + (options.memoryBytes() == 0
                        ? ""
                        : ", memory limited to " + Amounts.bytes(options.memoryBytes()))
                + (options.verify() ? ", every byte checked (which takes time)" : "");
    }

    private String time() {
        return (options.flush() ? "with" : "without")
                + " flush, "
                + (options.close() ? "with" : "without")
                + " close; stride "
                + options.stride()
                + " records, "
                + options.mixPercent()
                + " % reads in random mix, seed "
                + options.seed();
    }
}
