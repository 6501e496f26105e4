package io.mio.cli.experiment;

import java.util.ArrayList;
import java.util.List;

/** All experiments that exist. */
public final class Experiments {
    private static final String ALL = "all";

    private static final List<Experiment> LIST =
            List.of(
                    new AlotBufExperiment(),
                    new NastranExperiment(),
                    new IozoneExperiment(),
                    new DirectExperiment(),
                    new Table2Experiment(),
                    new ReadAheadExperiment(),
                    new CioExperiment(),
                    new LatencyExperiment());

    private Experiments() {}

    /** Returns all experiments, in the order in which {@code all} runs them. */
    public static List<Experiment> all() {
        return LIST;
    }

    /**
     * Returns the experiments of the names given, each once.
     *
     * @param names may have {@code all} among them
     * @throws IllegalArgumentException if there is no experiment of a name; the message lists the
     *     names
     */
    public static List<Experiment> named(List<String> names) {
        List<Experiment> found = new ArrayList<>();
        for (String name : names) {
            if (ALL.equals(name)) {
                LIST.stream().filter(one -> !found.contains(one)).forEach(found::add);
            } else if (!found.contains(one(name))) {
                found.add(one(name));
            }
        }
        return found;
    }

    private static Experiment one(String name) {
        for (Experiment experiment : LIST) {
            if (experiment.name().equals(name)) {
                return experiment;
            }
        }
        throw new IllegalArgumentException(
                "there is no experiment '"
                        + name
                        + "'; there are "
                        + String.join(", ", LIST.stream().map(Experiment::name).toList())
                        + ", and all");
    }
}
