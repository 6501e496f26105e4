package io.mio.cli.experiment;

import io.mio.cli.bench.BenchOptions;
import io.mio.cli.bench.Machine;
import io.mio.cli.bench.Sizes;
import io.mio.cli.term.Amounts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An experiment that has ended, with all that has to be known of it.
 *
 * @param began time of day when it began
 * @param nanos how long it took
 */
record Finished(
        Experiment experiment,
        Settings settings,
        Machine machine,
        Instant began,
        long nanos,
        Result result) {
    /** Returns a command that does the same again. */
    String command() {
        StringBuilder command = new StringBuilder("mio bench experiment " + experiment.name());
        if (settings.sizeBytes() > 0) {
            command.append(" --size ").append(Sizes.text(settings.sizeBytes()));
        } else if (settings.scale() != Scale.DEFAULT) {
            command.append(" --scale ").append(settings.scale().id());
        }
        if (settings.runs() > 0) {
            command.append(" --runs ").append(settings.runs());
        }
        command.append(" --door ").append(door());
        return command.toString();
    }

    String door() {
        return settings.door().name().toLowerCase(Locale.ROOT);
    }

    /** Returns what has to be told above the figures, by labels. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Question", experiment.question());
        facts.put("Document", experiment.document());
        facts.put("Command", command());
        facts.put("MIO", machine.mio());
        facts.put(
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
        facts.put(
                "Storage",
                (machine.fileSystem() == null ? "?" : machine.fileSystem())
                        + (machine.device() == null ? "" : ", device " + machine.device())
                        + (Boolean.TRUE.equals(machine.rotational()) ? " (rotating)" : ""));
        facts.put(
                "Programs",
                settings.door() == BenchOptions.Door.JVM
                        ? "in Java (" + machine.jvm() + "), MIO as file system provider"
                        : "in C, MIO as preload library");
        facts.put("When", began.truncatedTo(ChronoUnit.MINUTES) + ", took " + Amounts.time(nanos));
        facts.putAll(result.facts());
        return facts;
    }

    /** Returns the name of a file beside the report. */
    String fileName(String part, String end) {
        return experiment.name() + (part.isEmpty() ? "" : "-" + part) + "." + end;
    }
}
